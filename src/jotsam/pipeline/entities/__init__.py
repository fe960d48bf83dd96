"""Find named entities by rules, a gazetteer and a small tagger."""
