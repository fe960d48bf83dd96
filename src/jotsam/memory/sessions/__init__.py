"""What the session of an agent gets from memory in its hooks, and what it got already."""
