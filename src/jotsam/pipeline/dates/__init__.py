"""Parse absolute and relative dates in text."""
