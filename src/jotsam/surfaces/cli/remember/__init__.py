"""Commands that store and change memories."""
