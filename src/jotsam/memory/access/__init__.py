"""Who calls: tokens, signing in, the audit, and requests that are repeated with a key."""
