"""Without the address of a server in the settings, no process of Jotsam connects to anything but a Unix socket."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

TEXT = "The proxy of the office listens on port 8080, said Ana Berg."
# Every Python process imports this module at its start. An audit hook sees each call of a socket, whoever makes it.
REFUSING = """
import socket, sys

def refuse(event, given):
    named = event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
    sent = event in ("socket.connect", "socket.sendto", "socket.sendmsg") and given[0].family != socket.AF_UNIX
    if named or sent:
        with open({told!r}, "a") as file:
            file.write(f"{{sys.argv}}: {{event}} {{given}}\\n")
        raise OSError("this process may not connect")

sys.addaudithook(refuse)
"""


@pytest.fixture
def told(jotsam: Shell, tmp_path: Path) -> Path:
    """Has a line for each attempt to connect of the processes that `jotsam` starts."""
    folder, file = tmp_path / "at-start", tmp_path / "told"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(REFUSING.format(told=str(file)))
    file.touch()
    jotsam.commands = None  # Each command is a process of its own, with this module.
    jotsam.env["PYTHONPATH"] = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return file


def test_without_a_configured_server_no_process_connects_to_anything(jotsam: Shell, told: Path) -> None:
    connects = jotsam.start_python("import socket; socket.create_connection(('127.0.0.1', 9))")
    assert connects.wait() == 1
    assert "may not connect" in (connects.stderr or sys.stderr).read()
    assert told.read_text()
    told.write_text("")
    document = jotsam.file("notes.md", f"# Notes\n\n{TEXT}\n")
    for command in (("add", document), ("remember", "We decided to use tabs."), ("work",), ("doctor",)):
        done = jotsam(*command)
        assert done.returncode == 0, (done, told.read_text())
    for event, fields in (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "On which port does the proxy listen?"}),
        ("Stop", {"last_assistant_message": "It listens on port 8080."}),
    ):
        done = jotsam.hook(event, **fields)
        assert (done.returncode, done.stderr) == (0, "")
    assert jotsam("work").returncode == 0
    assert "port 8080" in jotsam("recall", "which port").stdout
    assert jotsam("export", jotsam.home / "all.jsonl").returncode == 0
    assert told.read_text() == ""
