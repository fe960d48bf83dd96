"""Handlers of the routes that clients of AutoMem use."""
