"""What a text says that it replaces, ends or corrects. Pure functions."""
