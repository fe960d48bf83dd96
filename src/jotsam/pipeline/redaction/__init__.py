"""Remove secrets from text before it is stored."""
