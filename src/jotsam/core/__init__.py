"""Records, errors, settings, clock and argument validation. Imports nothing else of Jotsam."""
