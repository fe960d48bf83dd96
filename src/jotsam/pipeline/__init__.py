"""Text analysis: chunks, entities, facts, dates, summaries, redaction. Pure functions without I/O, clock or state."""
