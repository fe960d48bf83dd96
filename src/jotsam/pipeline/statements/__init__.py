"""What plain sentences state: the thing they speak of, and the value they give it."""
