"""The prompt for language models and the validation of their replies."""
