"""The agents: a module for each has what only that agent does in its hooks."""
