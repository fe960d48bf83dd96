"""Parse absolute and relative dates in a text."""
