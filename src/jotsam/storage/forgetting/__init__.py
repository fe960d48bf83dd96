"""Removing memories with all that was made of them, the trash, and what is kept of what was removed."""
