"""Parse a question once: terms, intent, scope."""
