"""Which text replaces which: sets of cases, and how they are scored."""
