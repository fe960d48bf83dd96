"""Installs Jotsam in coding agents: hooks and the MCP server in the files of each agent, and out of them again."""
