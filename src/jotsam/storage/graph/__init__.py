"""The knowledge graph: entities, facts, links and patterns."""
