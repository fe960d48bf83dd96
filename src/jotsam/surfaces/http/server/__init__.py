"""What the requests of one server process share: the open memory, options, limits and measured durations."""
