"""Single memories, lists, selections, documents and projects, and what recall needs besides its queries."""
