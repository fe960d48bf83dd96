"""What clients of AutoMem ask for, over MCP and over HTTP, in terms of `Jotsam`. Nothing else of memory uses it."""
