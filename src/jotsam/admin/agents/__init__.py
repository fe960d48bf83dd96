"""The agents of this machine: their settings, the launcher that they run, and whether their hooks work."""
