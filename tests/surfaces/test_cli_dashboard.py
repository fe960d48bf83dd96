"""`jotsam server dashboard` and `jotsam server start --open`: links that sign a browser in."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from http_server import HttpServer, serving
from processes import until
from web_site import Site, open_client

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

# A browser that follows the page to the server, and notes what it was given.
BROWSER = """#!{python}
import json, os, re, sys, urllib.request
from pathlib import Path

if "GATE" in os.environ:
    Path(os.environ["STARTED"]).write_text("started")
    Path(os.environ["GATE"]).read_text()
page = Path(sys.argv[1].removeprefix("file://"))
link = re.search(r'url=([^"]*)"', page.read_text())[1]
answered = urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(link)
modes = {{"mode": page.stat().st_mode & 0o777, "folder": page.parent.stat().st_mode & 0o777}}
Path({seen!r}).write_text(json.dumps({{"argument": sys.argv[1], "link": link, "status": answered.status, **modes}}))
"""


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """The program of a browser. It writes the file `seen`."""
    path = tmp_path / "browser"
    path.write_text(BROWSER.format(python=sys.executable, seen=str(tmp_path / "seen")))
    path.chmod(0o755)
    return path


def test_the_printed_link_signs_in_with_the_scope_that_was_asked_for(jotsam: Shell) -> None:
    with serving(str(jotsam.db)) as server, open_client(str(jotsam.db)) as jot:
        done = jotsam("dashboard", "--url", server.url, "--print", "--scope", "read")
        assert "read only" in _visit(server, jot, done.stdout).text
        link = jotsam.json("dashboard", "--url", server.url + "/", "--print", "--json")["url"]
        assert link.startswith(f"{server.url}/ui/sign-in?link=jot_")
        listed = jotsam("tokens").stdout
        assert ("dashboard" in listed, "link" in listed) == (True, False)


def test_the_browser_gets_a_page_of_its_owner_that_is_gone_once_the_link_was_used(
    jotsam: Shell, tmp_path: Path, browser: Path
) -> None:
    """`BROWSER` names one, as Python's webbrowser has it. Below admin: a browser changes nothing of the server."""
    with serving(str(jotsam.db)) as server:
        done = jotsam("dashboard", "--url", server.url, BROWSER=str(browser), XDG_RUNTIME_DIR=str(tmp_path))
        assert done.returncode == 0, done
        seen = json.loads((tmp_path / "seen").read_text())
        assert seen["argument"].startswith(f"file://{tmp_path}/jotsam/dashboard-")
        assert (seen["mode"], seen["folder"]) == (0o600, 0o700)
        assert done.stdout == f"dashboard {seen['link']}\n"
        assert (seen["status"], list((tmp_path / "jotsam").iterdir())) == (200, [])
        assert _scopes(jotsam) == ["write"]
    runtime = {"BROWSER": str(browser), "XDG_RUNTIME_DIR": str(tmp_path)}
    with serving(str(jotsam.db), "--open", "operator", environ=runtime) as server:
        until(lambda: [one for one in _scopes(jotsam) if one == "operator"] and not [*(tmp_path / "jotsam").iterdir()])


def test_a_folder_that_others_can_write_to_gets_no_page(jotsam: Shell, tmp_path: Path, browser: Path) -> None:
    (tmp_path / "jotsam").mkdir(mode=0o777)
    (tmp_path / "jotsam").chmod(0o777)
    with serving(str(jotsam.db)) as server:
        done = jotsam("dashboard", "--url", server.url, BROWSER=str(browser), XDG_RUNTIME_DIR=str(tmp_path))
        assert f"no browser was opened: {tmp_path}/jotsam is not a folder of yours alone" in done.stderr
        assert not (tmp_path / "seen").exists()


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/proc/self/cmdline").exists(), reason="needs root and /proc")
def test_another_user_of_the_machine_finds_no_link_while_the_browser_starts(
    jotsam: Shell, tmp_path: Path, browser: Path
) -> None:
    """The browser waits until the user `nobody` has read the arguments of all processes."""
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o011)  # Not the mode of pytest's folders keeps the reader out.
    gate, started = tmp_path / "gate", tmp_path / "started"
    os.mkfifo(gate)
    os.mkfifo(started)
    found: list[tuple[str, str]] = []

    def read() -> None:
        started.read_text()
        listed = "for one in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $one; echo; done 2> /dev/null"
        arguments = _as_nobody(listed)
        path = next((word for line in arguments.splitlines() for word in line.split() if "/dashboard-" in word), "")
        found.append((arguments, _as_nobody(f"cat {path.removeprefix('file://')} 2>&1") if path else ""))
        gate.write_text("read")

    reader = threading.Thread(target=read)
    with serving(str(jotsam.db)) as server:
        reader.start()
        environ = {"BROWSER": str(browser), "XDG_RUNTIME_DIR": str(tmp_path), "GATE": str(gate)}
        done = jotsam("dashboard", "--url", server.url, STARTED=str(started), **environ)
        reader.join()
    ((arguments, page),) = found
    assert (str(browser) in arguments, "link=" in arguments) == (True, False)
    assert done.returncode == 0, done
    assert "Permission denied" in page
    assert "link=" not in page


def test_without_a_server_it_says_how_to_start_one(jotsam: Shell) -> None:
    done = jotsam("dashboard", "--url", "http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no server answers at http://127.0.0.1:9" in done.stderr
    assert "jotsam server start --open" in done.stderr
    wrong = jotsam("dashboard", "--url", "file:///etc/passwd")
    assert "invalid --url 'file:///etc/passwd': must begin with http:// or https://" in wrong.stderr


def _scopes(jotsam: Shell) -> list[str]:
    return [one["scope"] for one in jotsam.json("tokens", "--json")["tokens"] if one["purpose"] == "dashboard"]


def _as_nobody(command: str) -> str:
    return subprocess.run(["/bin/sh", "-c", command], user="nobody", capture_output=True, text=True, check=False).stdout


def _visit(server: HttpServer, jot: object, printed: str) -> object:
    found = re.search(r"dashboard http://[^/]+(/ui/sign-in\?link=\S+)", printed)
    assert found, printed
    return Site(server, jot).get(found[1])  # type: ignore[arg-type]
