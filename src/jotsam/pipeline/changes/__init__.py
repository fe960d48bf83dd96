"""What a text replaces, ends or corrects, by its own words. Pure functions."""
