"""A recorded process has ended only if it certainly has."""

from __future__ import annotations

import os

from jotsam.core.platform.process_identity import has_ended, machine, this_process

HERE = machine(is_local=True)


def test_a_zombie_has_ended():
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    zombie = this_process(is_local=True).replace(pid=pid, started="")
    assert has_ended(zombie, machine=HERE)
    os.waitpid(pid, 0)
    assert not has_ended(this_process(is_local=True), machine=HERE)
