"""The lifecycle of memories: starting its steps, taking their changes back, and what it proposes."""
