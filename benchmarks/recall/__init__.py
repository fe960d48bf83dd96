"""Quality and latency of recall: public scorers, and test cases of our own for time and contradiction.

The public questions and the programs that score them are not part of this project: their paths are arguments.
"""
