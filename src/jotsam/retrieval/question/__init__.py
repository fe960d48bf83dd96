"""Parse a question once: search terms, stems, ids, titles, facts, intent and scope."""
