"""Commands that keep what is stored in order."""
