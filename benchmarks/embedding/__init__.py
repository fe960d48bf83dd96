"""What vectors cost: making them, asking them, and linking by them, as memories grow."""
