"""Numbers and lists for the status and the dashboard."""
