"""The pipeline: what turns a text into memory. Pure rooms: records in, records out, no clock, no chance, no world."""
