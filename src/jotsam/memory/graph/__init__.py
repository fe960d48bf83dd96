"""Views of the knowledge graph: overviews, entities with their facts, entities to review, and its changes over time."""
