"""The pages of the dashboard, and the routes that lead to them."""
