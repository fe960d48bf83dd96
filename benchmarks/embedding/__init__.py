"""Cost of embedding, vector search and similarity links as memory grows."""
