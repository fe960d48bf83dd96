"""The agents: a folder for each has all that is particular to it, behind the contract in `agent`."""
