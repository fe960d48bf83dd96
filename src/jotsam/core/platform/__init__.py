"""What Linux, macOS and Windows do differently. No other package asks which system it runs on.

Each module imports little, and what one system lacks only where it is used, because hooks start with it.
"""
