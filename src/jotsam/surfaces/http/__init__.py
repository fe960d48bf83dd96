"""The HTTP API. It needs the extra `server`; nothing that starts often imports it."""
