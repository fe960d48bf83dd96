"""Figures about what is found in texts. Data comes by path and stays where it is."""
