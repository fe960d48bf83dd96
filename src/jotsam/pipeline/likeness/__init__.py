"""How alike texts are: shared words, tf-idf, repetition, and groups of similar texts."""
