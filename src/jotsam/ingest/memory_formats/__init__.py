"""Readers of the files of other memory programs, one module each. A reader yields items and links between them."""
