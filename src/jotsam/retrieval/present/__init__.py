"""Load, pack and render the hits of an answer."""
