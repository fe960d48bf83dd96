"""How good answers are, and how fast: the product itself behind public measuring rods, and a rod of our own for time.

The public questions and the programs that score them are not part of this project: their paths are arguments.
"""
