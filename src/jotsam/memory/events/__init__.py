"""Events: reading them, recording them, and following them in a server."""
