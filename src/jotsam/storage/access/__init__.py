"""Tokens of the HTTP API, the audit, and replies that are kept for repeated requests."""
