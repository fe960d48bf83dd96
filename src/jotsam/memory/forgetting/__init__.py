"""Forgetting memories, documents, a person or a tenant, and what is removed by its age."""
