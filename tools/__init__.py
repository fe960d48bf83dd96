"""Commands for those who work on Jotsam; not part of the package."""
