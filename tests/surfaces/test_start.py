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


LIKE_THE_CONSOLE_SCRIPT = "import sys; from jotsam.surfaces.cli.start import main; sys.exit(main())"

HEAVY = {"argparse", "asyncio", "contextlib", "dataclasses", "datetime", "email", "hashlib", "importlib.metadata"}
HEAVY |= {"inspect", "logging", "msgspec", "pathlib", "random", "shtab", "shutil", "socket", "sqlite3", "ssl"}
HEAVY |= {"subprocess", "tempfile", "tomllib", "traceback", "typing", "urllib", "uuid"}
PATTERNS = {"re", "enum"}
"""`json` loads these, and only the hook needs `json`; a text that may hold a secret loads `re` as well."""

LIGHT = {"core", *(f"core.{name}" for name in ("clock", "dsn", "errors", "job_records", "names", "records"))}
LIGHT |= {"core.settings", "core.validate"}
LIGHT |= {"ingest", *(f"ingest.{name}" for name in ("accept", "capture", "files", "job_specs", "spawn", "spool"))}
LIGHT |= {"pipeline", "pipeline.tags", "pipeline.text", "pipeline.text.words", "pipeline.redaction"}
LIGHT |= {f"pipeline.redaction.{name}" for name in ("passwords", "provider_keys", "redact")}
LIGHT |= {"storage", "storage.allowed_secrets", "storage.database", "storage.documents", "storage.memories"}
LIGHT |= {f"storage.{name}" for name in ("migrations", "queue", "search", "sqlite", "sqlite_file", "sqlite_notify")}
LIGHT |= {"storage.worker_lease", "surfaces", "surfaces.cli", "surfaces.cli.start"}
STATUS = {"memory", "memory.status", "surfaces.cli.status", "surfaces.cli.output"}
STATUS |= {"storage.graph", "storage.facts", "storage.ledger", "storage.vectors"}
ALLOWED = {
    "add": LIGHT | {"surfaces.cli.add", "surfaces.cli.output"},
    "hook": LIGHT | {"surfaces.hooks", "surfaces.hooks.hook"},
    "status": LIGHT - {"ingest.capture", "ingest.files"} | STATUS,
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
    assert ours & {f"jotsam.surfaces.cli.{command}", f"jotsam.surfaces.hooks.{command}"}
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
    assert more == {"surfaces.hooks", "surfaces.hooks.hook_mode"}


def test_the_full_parser_is_loaded_for_what_the_short_way_does_not_know(jotsam: Shell) -> None:
    assert "argparse" in loaded(jotsam, LIKE_THE_CONSOLE_SCRIPT, "status", "--check")


def test_importing_the_package_reads_and_prints_nothing(jotsam: Shell) -> None:
    inside = {name for name in loaded(jotsam, "import jotsam") if name.startswith("jotsam")}
    assert inside == {"jotsam"}
    assert os.listdir(jotsam.home) == []


def test_the_front_door_loads_no_room_that_only_some_calls_need(jotsam: Shell) -> None:
    ours = loaded(jotsam, "import jotsam.memory.client")
    assert "jotsam.memory.client" in ours
    late = {"ingest.sessions", "ingest.transcripts", "memory.knowledge", "memory.reprocess", "worker.agent_extraction"}
    late |= {"queueing.loop", "worker.handlers"}
    assert ours & {f"jotsam.{room}" for room in late} == set()
