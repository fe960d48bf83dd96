"""What jobs make of a document or a memory: chunks, extractions, embeddings, links and notes."""
