"""Parsers for the lines of session files, one module per format."""
