"""Prompts for a language model and validation of its replies."""
