"""Engines that hold memories outside the database, and what they are told."""
