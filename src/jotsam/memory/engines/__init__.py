"""Engines that hold memories outside the database: registering, rebuilding, comparing and asking them."""
