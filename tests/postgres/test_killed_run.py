"""A run of the tests that is killed leaves no server and no file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from processes import until
from servers import RUN, _pid, _prepared

# It takes the prepared files of this run, because `initdb` costs a second.
OTHER_RUN = f"""
import os, sys
sys.path[0] = {os.fspath(Path(__file__).parents[1])!r}
import servers
servers.begin_run()
folder = servers.Path(os.environ[servers.RUN])
(folder / "prepared").symlink_to({{prepared!r}})
server = servers.Server()
with server.frozen():
    print(server.folder, flush=True)
    input()
"""


@pytest.mark.parametrize("number", [pytest.param(signal.SIGTERM, marks=pytest.mark.long), signal.SIGKILL])
def test_a_run_that_is_killed_leaves_no_server_and_no_file(number: signal.Signals) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in (RUN, "XDG_RUNTIME_DIR")}
    code = OTHER_RUN.format(prepared=str(_prepared().parent))
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout
        folder = Path(run.stdout.readline().strip())
        pid = _pid(folder / "data")
        assert pid
        run.send_signal(number)
    assert run.returncode == -number
    until(lambda: not os.path.exists(f"/proc/{pid}"))
    until(lambda: not folder.parent.exists())
    assert _prepared().exists()
