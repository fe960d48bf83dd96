"""Agent hooks: store the turns of an agent session without delaying or breaking the agent."""
