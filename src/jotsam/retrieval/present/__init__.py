"""Pack, lay out and render an answer."""
