"""User interfaces: command line, HTTP API, dashboard, hooks, MCP, settings files of agents. They decide nothing."""
