"""The read side: from a question to a packed answer that says what it covers. It writes nothing."""
