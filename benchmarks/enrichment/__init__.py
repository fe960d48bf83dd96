"""What enrichment costs and finds: each module is a benchmark of its own."""
