"""Charts and drawings of the dashboard, as SVG."""
