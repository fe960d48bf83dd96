"""The dashboard: pages for people, served beside the HTTP API."""
