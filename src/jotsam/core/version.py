"""The version of this program, which databases and exports record."""

VERSION = "0.1.0"
