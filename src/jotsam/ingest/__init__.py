"""The fast write path: accept documents, turns and memories, spool what cannot be written, start a worker."""
