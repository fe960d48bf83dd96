"""What a coding agent gets back from the sessions before: sets of sessions with labels, and how they are scored."""
