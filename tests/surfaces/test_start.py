"""A start loads what it needs and no more: by the names of the modules, for times are noise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


LIKE_THE_CONSOLE_SCRIPT = "import sys; from jotsam.surfaces.start import main; sys.exit(main())"

HEAVY = {"argparse", "asyncio", "contextlib", "dataclasses", "datetime", "email", "hashlib", "importlib.metadata"}
HEAVY |= {"inspect", "logging", "msgspec", "pathlib", "random", "shtab", "shutil", "socket", "sqlite3", "ssl"}
HEAVY |= {"subprocess", "tempfile", "tomllib", "traceback", "typing", "urllib", "uuid"}
PATTERNS = {"re", "enum"}
"""`json` loads these, and only the hook needs `json`; a text that may hold a secret loads `re` as well."""

LIGHT = {"accept", "address", "clock", "errors", "intake", "files", "spool", "records", "settings"}
LIGHT |= {
    "pipeline",
    "pipeline.providers",
    "pipeline.passwords",
    "pipeline.redact",
    "pipeline.tag",
    "pipeline.words",
    "worker",
    "worker.drafts",
    "worker.spawn",
    "storage",
}
LIGHT |= {
    f"storage.{room}" for room in ("bell", "database", "documents", "file", "lease", "memories", "migrate", "queue")
}
LIGHT |= {"storage.allowed", "storage.search", "storage.sqlite", "surfaces", "surfaces.start"}
ROOMS_OF_STATUS = {"storage.graph", "storage.facts", "storage.ledger", "storage.vectors"}
ALLOWED = {
    "add": LIGHT | {"surfaces.add", "surfaces.screen"},
    "hook": LIGHT | {"surfaces.hook"},
    "status": LIGHT - {"intake", "files"} | {"status", "surfaces.status", "surfaces.screen"} | ROOMS_OF_STATUS,
}


def loaded(shell: Shell, code: str, *arguments: str, input: str = "") -> set[str]:
    """The modules that a process loads, by their full names."""
    command = [sys.executable, "-X", "importtime", "-c", code, *arguments]
    done = subprocess.run(
        command, env=shell.env, cwd=shell.home, input=input, capture_output=True, text=True, timeout=60, check=True
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


def arguments_of(shell: Shell, command: str) -> tuple[list[str], str]:
    if command == "add":
        return ["add", str(shell.file("note.md"))], ""
    if command == "hook":
        said = {"session_id": "s", "hook_event_name": "Stop", "last_assistant_message": "We chose tabs."}
        return ["hook", "Stop"], json.dumps(said)
    return ["status"], ""


@pytest.mark.parametrize("command", ["add", "status", "hook"])
@pytest.mark.parametrize("worker", ["off", "auto"])
def test_a_start_loads_only_what_it_is_allowed_to(jotsam: Shell, command: str, worker: str) -> None:
    jotsam("migrate")
    jotsam.env["JOTSAM_WORKER"] = worker
    arguments, said = arguments_of(jotsam, command)
    ours = loaded(jotsam, LIKE_THE_CONSOLE_SCRIPT, *arguments, input=said) - loaded(jotsam, "pass")
    assert f"jotsam.surfaces.{command}" in ours
    heavy = HEAVY if command == "hook" else HEAVY | PATTERNS
    assert ours & heavy == set()
    rooms = {name.removeprefix("jotsam.") for name in ours if name.startswith("jotsam.")}
    strange = {room for room in rooms if room not in ALLOWED[command] and not room.startswith("storage.queue.")}
    assert strange == set()


def test_in_a_hook_add_starts_as_light(jotsam: Shell) -> None:
    """It is done at once there, so the room for hooks must not make it slower than queueing it would be."""
    jotsam("migrate")
    jotsam.env["AI_AGENT"] = "claude-code_2-1-197_harness"
    arguments, _ = arguments_of(jotsam, "add")
    ours = loaded(jotsam, LIKE_THE_CONSOLE_SCRIPT, *arguments) - loaded(jotsam, "pass")
    assert ours & (HEAVY | PATTERNS) == set()
    rooms = {name.removeprefix("jotsam.") for name in ours if name.startswith("jotsam.")}
    more = {room for room in rooms - ALLOWED["add"] if not room.startswith("storage.queue.")}
    assert more == {"surfaces.hooked"}


def test_the_full_parser_is_loaded_for_what_the_short_way_does_not_know(jotsam: Shell) -> None:
    assert "argparse" in loaded(jotsam, LIKE_THE_CONSOLE_SCRIPT, "status", "--check")


def test_importing_the_package_reads_and_prints_nothing(jotsam: Shell) -> None:
    inside = {name for name in loaded(jotsam, "import jotsam") if name.startswith("jotsam")}
    assert inside == {"jotsam"}
    assert os.listdir(jotsam.home) == []


def test_the_front_door_loads_no_room_that_only_some_calls_need(jotsam: Shell) -> None:
    ours = loaded(jotsam, "import jotsam.door")
    assert "jotsam.door" in ours
    late = {"sessions", "pipeline.transcript", "knowledge", "reprocess", "worker.hand_in", "worker.loop", "worker.crew"}
    assert ours & {f"jotsam.{room}" for room in late} == set()
