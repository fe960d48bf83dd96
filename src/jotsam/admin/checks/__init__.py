"""Checks of `jotsam doctor` that concern no agent."""
