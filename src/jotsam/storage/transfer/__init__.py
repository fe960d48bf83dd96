"""Rows on their way out and in: exports, copies of tables, and tenants that move to another database."""
