"""The commands on docs/http.md, typed into a shell beside a fresh server, print what the page shows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from http_server import serving

DOCS = Path(__file__).parents[1] / "docs"
PAGE = Path(__file__).parents[2] / "docs" / "http.md"
ADDRESS = "http://127.0.0.1:8787"
TOKEN = "$(cat ~/.local/share/jotsam/jotsam.db.token)"

sys.path.insert(0, str(DOCS))
from doc_pages import blocks, steps  # noqa: E402
from replay import Ids  # noqa: E402


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_each_command_of_the_page_prints_what_it_shows(tmp_path: Path) -> None:
    ids, wrong, alias = Ids(), [], ""
    with serving(str(tmp_path / "jotsam.db"), worker=True) as running:
        environ = {**os.environ, "JOTSAM_URL": running.url, "JOTSAM_TOKEN": running.token}
        followed = [
            step
            for block in blocks(PAGE)
            if block.language == "console" and "test_http_page" in (block.reason or "")
            for step in steps(block)
        ]
        for command, shown in followed:
            if command.startswith("export"):
                assert command in (f"export JOTSAM_URL={ADDRESS}", f"export JOTSAM_TOKEN={TOKEN}")
                continue
            if command.startswith("alias"):
                alias = command
                continue
            script = f"shopt -s expand_aliases\n{alias}\n{ids.resolve(command)}\n"
            done = subprocess.run(["bash", "-c", script], env=environ, capture_output=True, text=True, timeout=60)
            printed = done.stdout.replace("\r\n", "\n")
            if done.returncode or not ids.match(shown, printed):
                wrong.append(f"$ {command}\n{printed}{done.stderr}\nshown: {shown}")
    assert len(followed) > 8
    assert wrong == [], "\n".join(wrong)
