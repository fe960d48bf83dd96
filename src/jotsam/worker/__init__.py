"""Job handlers: compute outside any transaction, then save results and acknowledgement in one."""
