"""What a route takes and returns: calls and replies, access by token, bodies, errors."""
