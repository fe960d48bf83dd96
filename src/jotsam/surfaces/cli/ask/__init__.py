"""Commands that find and show what is stored."""
