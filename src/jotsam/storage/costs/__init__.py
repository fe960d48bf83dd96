"""What models cost: the daily cap, the ledger, and the cache of their replies."""
