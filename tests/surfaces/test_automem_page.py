"""The commands on docs/automem.md, typed one after the other, print what the page shows."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

from http_server import serving

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "automem.md"
ADDRESS = "http://127.0.0.1:8001"
TOKENS = {"AUTOMEM_API_TOKEN": "first-token-of-a-test", "ADMIN_API_TOKEN": "second-token-of-a-test"}

sys.path.insert(0, str(ROOT / "tests" / "docs"))
from doc_pages import blocks, steps  # noqa: E402
from replay import Ids  # noqa: E402


def archive(path: Path) -> None:
    """A backup as AutoMem writes it: two decisions of which one replaces the other, and a preference."""
    texts = (
        "Chose MongoDB for the user service.",
        "Chose PostgreSQL as database: it has ACID.",
        "Prefers early returns.",
    )
    at = "2026-03-01T10:00:00+00:00"
    same = {"tags": ["team"], "metadata": "{}", "importance": 0.5, "timestamp": at, "t_valid": at}
    ids = [f"{number:08}-2222-4333-8444-555555555555" for number in range(len(texts))]
    nodes = [
        {"id": number, "labels": ["Memory"], "properties": {**same, "id": ids[number], "content": text}}
        for number, text in enumerate(texts)
    ]
    links = [(0, "INVALIDATED_BY", 1, {"strength": 0.9, "reason": "ACID"}), (2, "RELATES_TO", 1, {"strength": 0.4})]
    names = ("source_id", "type", "target_id", "properties")
    graph = {"nodes": nodes, "relationships": [dict(zip(names, link, strict=True)) for link in links]}
    content = gzip.compress(json.dumps(graph).encode())
    with tarfile.open(path, "w:gz") as file:
        member = tarfile.TarInfo("falkordb/falkordb_20261101_120000.json.gz")
        member.size = len(content)
        file.addfile(member, io.BytesIO(content))


def followed() -> list[tuple[str, str]]:
    """Commands and what the page shows below them."""
    found = [one for one in blocks(PAGE) if one.language == "console" and "test_automem_page" in (one.reason or "")]
    return [step for block in found for step in steps(block)]


def test_each_command_of_the_page_prints_what_it_shows(tmp_path):
    archive(tmp_path / "automem-backup.tar.gz")
    db = str(tmp_path / "jotsam.db")
    folder = Path(sys.executable).parent
    environ = {**os.environ, **TOKENS, "JOTSAM_DB": db, "JOTSAM_WORKER_IDLE_MS": "0"}
    environ["PATH"] = f"{folder}{os.pathsep}{environ['PATH']}"
    ids, wrong = Ids(), []

    def follow(command: str, shown: str) -> None:
        done = subprocess.run(
            ["bash", "-c", command], env=environ, cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        if done.returncode or not ids.match(shown, done.stdout):
            wrong.append(f"$ {command}\n{done.stdout}{done.stderr}\nshown: {shown}")

    first = next(number for number, (command, _) in enumerate(followed()) if "curl" in command)
    for command, shown in followed()[:first]:
        follow(command, shown)
    with serving(db, environ=TOKENS) as server:
        for command, shown in followed()[first:]:
            follow(command.replace(ADDRESS, server.url), shown)
        found = server.get("/memory/00000000-2222-4333-8444-555555555555", token=TOKENS["AUTOMEM_API_TOKEN"])
        assert found.json["memory"]["content"].startswith("Chose MongoDB")
        history = server.get("/recall?query=MongoDB&state_mode=history").json["results"]
        current = server.get("/recall?query=MongoDB").json["results"]
        texts = ([one["memory"]["content"] for one in part] for part in (history, current))
        assert [any("MongoDB" in text for text in part) for part in texts] == [True, False]
    assert len(followed()) >= 9
    assert wrong == [], "\n".join(wrong)
