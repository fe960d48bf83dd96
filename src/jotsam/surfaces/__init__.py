"""User interfaces: the command line and the hooks of agents. They translate input and output, and decide nothing."""
