"""Jobs of the queue for people, enriching again, and the process of a worker."""
