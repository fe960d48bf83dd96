"""Notes: what the turns of a session say that lasts. Rules, decisions, open ends, and problems with their fix."""
