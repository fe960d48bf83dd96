"""The write side: takes jobs, thinks outside any transaction, writes results and acknowledgement in one."""
