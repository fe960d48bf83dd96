"""Facts (subject, predicate, object), extracted by rules: `find_facts`. A question reads the predicates alone."""
