"""What recall reads: the text index, vectors, and the counts of its answers."""
