"""Handlers of `/v1`."""
