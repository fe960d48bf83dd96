"""Status, health, costs and metrics of a database."""
