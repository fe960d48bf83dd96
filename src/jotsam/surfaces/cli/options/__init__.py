"""Command line options, one module per group of commands. Each `add_commands` adds its commands to the parser."""
