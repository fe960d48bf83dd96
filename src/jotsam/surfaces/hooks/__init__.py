"""Hooks: capture an agent's turns without delaying or breaking the agent."""
