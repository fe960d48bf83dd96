"""`jotsam dashboard` and `jotsam serve --open`: links that sign a browser in."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from http_server import HttpServer, serving
from processes import until
from web_site import Site, open_client

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


def test_the_printed_link_signs_in_with_the_scope_that_was_asked_for(jotsam: Shell) -> None:
    with serving(str(jotsam.db)) as server, open_client(str(jotsam.db)) as jot:
        done = jotsam("dashboard", "--url", server.url, "--print", "--scope", "read")
        assert "read only" in _visit(server, jot, done.stdout).text
        link = jotsam.json("dashboard", "--url", server.url + "/", "--print", "--json")["url"]
        assert link.startswith(f"{server.url}/ui/sign-in?link=jot_")
        listed = jotsam("tokens").stdout
        assert ("dashboard" in listed, "link" in listed) == (True, False)


def test_the_link_is_opened_in_the_browser(jotsam: Shell, tmp_path: Path) -> None:
    """`BROWSER` names one, as Python's webbrowser has it."""
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!{sys.executable}\nimport sys\nopen("{opened}", "w").write(sys.argv[1])\n')
    browser.chmod(0o755)
    with serving(str(jotsam.db)) as server, open_client(str(jotsam.db)) as jot:
        done = jotsam("dashboard", "--url", server.url, BROWSER=str(browser))
        assert (done.returncode, done.stdout) == (0, f"dashboard {opened.read_text()}\n")
        assert _visit(server, jot, done.stdout).status == 200
    with serving(str(jotsam.db), "--open", environ={"BROWSER": str(browser)}) as server:
        link = re.search(r"dashboard (\S+)", server.process.stdout.readline())  # type: ignore[union-attr]
        assert link
        until(lambda: opened.read_text() == link[1])


def test_without_a_server_it_says_how_to_start_one(jotsam: Shell) -> None:
    done = jotsam("dashboard", "--url", "http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no server answers at http://127.0.0.1:9" in done.stderr
    assert "jotsam serve --open" in done.stderr
    wrong = jotsam("dashboard", "--url", "file:///etc/passwd")
    assert "invalid --url 'file:///etc/passwd': must begin with http:// or https://" in wrong.stderr


def _visit(server: HttpServer, jot: object, printed: str) -> object:
    found = re.search(r"dashboard http://[^/]+(/ui/sign-in\?link=\S+)", printed)
    assert found, printed
    return Site(server, jot).get(found[1])  # type: ignore[arg-type]
