"""What plain sentences state: the thing they are about, and the value they give it."""
