"""Other memory systems beside Jotsam on the same texts, each in an environment and a process of its own."""
