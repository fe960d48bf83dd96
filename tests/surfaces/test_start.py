"""Start-up: which modules a command imports (module names instead of times, which vary), and its small parser."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from jotsam.core.clock import parse_time
from jotsam.surfaces.cli import start
from jotsam.surfaces.cli.parser import parse

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


LIKE_THE_CONSOLE_SCRIPT = "import sys; from jotsam.surfaces.cli.start import run_program; sys.exit(run_program())"

HEAVY = {"argparse", "asyncio", "contextlib", "dataclasses", "datetime", "email", "hashlib", "importlib.metadata"}
HEAVY |= {"inspect", "logging", "msgspec", "pathlib", "random", "shtab", "shutil", "socket", "sqlite3", "ssl"}
HEAVY |= {"subprocess", "tempfile", "tomllib", "traceback", "typing", "urllib", "uuid"}
# Imported by `json`, which only the hook needs. Text that may contain a secret also needs `re`.
PATTERNS = {"re", "enum"}

LIGHT = {*(f"core.{name}" for name in ("clock", "dsn", "errors", "job_records", "names", "predicates", "records"))}
LIGHT |= {"core.clock", "core.fork", "core.own_files", "core.settings", "core.validate"}
LIGHT |= {f"core.platform.{name}" for name in ("files", "folders", "pipes", "process_identity", "processes")}
LIGHT |= {"core.project_identity", "core.own_files", "core.version", "storage.memories.projects"}
LIGHT |= {*("ingest.accept", "ingest.capture", "ingest.files", "ingest.accept", "ingest.redactor", "ingest.spawn")}
LIGHT |= {
    "ingest.backlog",
    "ingest.capture_switch",
    "ingest.hook_log",
    "ingest.spool",
    "ingest.start_worker",
    "ingest.validation",
}
LIGHT |= {"pipeline.tags", "pipeline.text.words"}
LIGHT |= {f"pipeline.redaction.{name}" for name in ("cheap_check", "provider_keys", "redact", "text_view")}
LIGHT |= {
    "storage.memories.allowed_secrets",
    "storage.database",
    "storage.memories.documents",
    "storage.memories.memories",
}
LIGHT |= {
    "storage.events",
    "storage.migrations",
    "storage.recall.search",
    "storage.statements",
    "storage.forgetting.tombstones",
}
LIGHT |= {
    "storage.sqlite.sqlite",
    "storage.sqlite.sqlite_connection",
    "storage.sqlite.sqlite_file",
    "storage.sqlite.sqlite_notify",
}
LIGHT |= {"storage.sqlite.worker_lease", "surfaces.cli.start"}
STATUS = {
    "memory.status.health",
    "memory.status.queue_state",
    "memory.status.status",
    "surfaces.cli.operate.status",
    "surfaces.cli.output",
}
STATUS |= {
    "storage.graph.graph",
    "storage.graph.facts",
    "storage.costs.ledger",
    "storage.recall.vectors",
    "storage.lifecycle.lifecycle_status",
}
WHERE = {"add": "cli.remember.add", "status": "cli.operate.status", "hook": "hooks.hook"}
ALLOWED = {
    "add": LIGHT | {"surfaces.cli.remember.add", "surfaces.cli.output"},
    "hook": LIGHT - {"ingest.files"}
    | {"ingest.hook_events", "ingest.hook_log", "ingest.transcript_requests"}
    | {"agents.agent", "agents.claude", "agents.registry"}
    | {"surfaces.hooks.hook"},
    "status": LIGHT - {"ingest.capture", "ingest.files"} | STATUS,
}

# What a hook that gives something back to its agent imports in addition.
GIVING = {"core.answers", "core.fence", "memory.sessions.session_context", "memory.sessions.session_state"}
GIVING |= {"core.patterns", "surfaces.hooks.context"}
BRIEF = GIVING | {
    "memory.status.health",
    "memory.sessions.project_session",
    "memory.status.queue_state",
    "retrieval.brief",
}
BRIEF |= {"retrieval.brief_text", "storage.memories.blocks", "storage.graph.facts", "storage.memories.notes"}
BRIEF |= {"core.note_records", "storage.memories.given_texts"}
WORDS = {"pipeline.languages.en", "pipeline.languages.language"}
TRIVIAL = WORDS | {"core.answers", "core.patterns", "memory.sessions.session_context", "memory.sessions.session_state"}
TRIVIAL |= {
    "retrieval.question.trivial_prompt",
    "surfaces.hooks.context",
}
NOTES = ("lexicon", "match", "model_weights", "prompt_model", "words")
ACTION = (
    GIVING
    | TRIVIAL
    | {"retrieval.brief_text", "retrieval.noted", "retrieval.search.own_rules", "storage.memories.notes"}
)
ACTION |= {"core.note_records"} | {f"pipeline.notes.{name}" for name in NOTES}
RECALL = (
    GIVING
    | WORDS
    | {
        "retrieval.answer",
        "retrieval.prompt",
        "retrieval.question.trivial_prompt",
        "storage.graph.facts",
        "storage.memories.given_texts",
        "storage.recall.recall_counts",
    }
)
RECALL |= {
    "ingest.late_index",
    "retrieval.brief_text",
    "retrieval.noted",
    "retrieval.search.own_rules",
    "storage.memories.notes",
}
RECALL |= {"retrieval.rank.reversals"}
RECALL |= {f"pipeline.notes.{name}" for name in NOTES}
RECALL |= {"storage.recall.vectors", "pipeline.dates.periods", "pipeline.facts.predicates"}
RECALL |= {"pipeline.text.memoize", "pipeline.text.slugs"}
RECALL |= {
    "retrieval.present.excerpt",
    "retrieval.present.footer",
    "retrieval.present.hits",
    "retrieval.present.layout",
    "retrieval.present.pack",
    "retrieval.present.render",
}
RECALL |= {"storage.recall.summaries"}
RECALL |= {
    "retrieval.question.stems",
    "retrieval.question.intent",
    "retrieval.question.mentions",
    "retrieval.question.pages",
    "retrieval.question.parse",
    "retrieval.question.scope",
}
RECALL |= {"retrieval.question.terms"}
RECALL |= {f"retrieval.rank.{name}" for name in ("context", "contradictions", "fuse", "load_context", "recency")}
RECALL |= {
    "retrieval.rank.evidence",
    "retrieval.rank.scores",
    "retrieval.rank.judge",
    "retrieval.rank.load_context",
    "retrieval.rank.weights",
}
RECALL |= {
    "retrieval.rank.common_words",
    "retrieval.rank.coverage",
    "retrieval.rank.scores",
    "storage.memories.changes",
}
RECALL |= {f"retrieval.search.{name}" for name in ("dates", "facts", "failures", "graph", "ids", "retrieve", "text")}
RECALL |= {"retrieval.search.hints", "storage.recall.hints"}
RECALL |= {"retrieval.search.ids", "retrieval.said", "retrieval.rank.absence", "core.note_records"}
EVENTS = {
    "brief": ({"hook_event_name": "SessionStart", "source": "startup"}, BRIEF),
    "trivial prompt": ({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}, TRIVIAL),
    "action": ({"hook_event_name": "UserPromptSubmit", "prompt": "push the change"}, ACTION),
    "prompt": ({"hook_event_name": "UserPromptSubmit", "prompt": "Where do our 12 jobs live now?"}, RECALL),
}


def loaded(shell: Shell, code: str, *arguments: str, input: str = "") -> set[str]:
    """Full names of the modules that a process imports."""
    command = [sys.executable, "-X", "importtime", "-c", code, *arguments]
    done = subprocess.run(
        command, env=shell.env, cwd=shell.home, input=input, capture_output=True, text=True, timeout=60, check=True
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


def files_of(modules: set[str]) -> set[str]:
    """Those of the package, without its folders, which are imported with what is in them, and without the queue."""
    ours = {name.removeprefix("jotsam.") for name in modules if name.startswith("jotsam.")}
    folders = {folder.rpartition(".")[0] for folder in ours}
    return {name for name in ours - folders if not name.startswith("storage.queue.")}


def arguments_of(shell: Shell, command: str) -> tuple[list[str], str]:
    if command == "add":
        return ["add", str(shell.file("note.md"))], ""
    if command == "hook":
        said = {"session_id": "s", "hook_event_name": "Stop", "last_assistant_message": "We chose tabs."}
        return ["hook", "Stop"], json.dumps(said)
    return ["status"], ""


@pytest.mark.parametrize("command", ["add", "status", "hook"])
@pytest.mark.parametrize("worker", ["off", "auto"])
def test_a_command_imports_only_what_it_is_allowed_to(jotsam: Shell, command: str, worker: str) -> None:
    jotsam("migrate")
    jotsam.env["JOTSAM_WORKER"] = worker
    arguments, input = arguments_of(jotsam, command)
    ours = loaded(jotsam, LIKE_THE_CONSOLE_SCRIPT, *arguments, input=input) - loaded(jotsam, "pass")
    assert f"jotsam.surfaces.{WHERE[command]}" in ours
    heavy = HEAVY if command == "hook" else HEAVY | PATTERNS
    assert ours & heavy == set()
    assert files_of(ours) - ALLOWED[command] == set()


@pytest.mark.parametrize("name", EVENTS)
def test_a_hook_that_gives_something_back_imports_only_what_it_is_allowed_to(jotsam: Shell, name: str) -> None:
    jotsam("remember", "Our jobs live in a table now.")
    jotsam.env["JOTSAM_RECALL_TIMEOUT_MS"] = "60000"
    fields, allowed = EVENTS[name]
    said = json.dumps({"session_id": "s", "cwd": str(jotsam.home), **fields})
    ours = loaded(jotsam, LIKE_THE_CONSOLE_SCRIPT, "hook", input=said) - loaded(jotsam, "pass")
    assert ours & HEAVY - {"contextlib"} == set()
    assert files_of(ours) - ALLOWED["hook"] == allowed


def test_in_a_hook_add_imports_only_hook_mode_in_addition(jotsam: Shell) -> None:
    """It runs immediately there, so `hook_mode` must not make it slower than queueing it would be."""
    jotsam("migrate")
    jotsam.env["AI_AGENT"] = "claude-code_2-1-197_harness"
    arguments, _ = arguments_of(jotsam, "add")
    ours = loaded(jotsam, LIKE_THE_CONSOLE_SCRIPT, *arguments) - loaded(jotsam, "pass")
    assert ours & (HEAVY | PATTERNS) == set()
    assert files_of(ours) - ALLOWED["add"] == {"surfaces.hooks.hook_mode"}


@pytest.mark.parametrize("command", ["add", "status"])
@pytest.mark.parametrize("glue", [" ", "="])
def test_the_file_may_be_named_before_the_command(jotsam: Shell, command: str, glue: str) -> None:
    there = str(jotsam.home / "there.db")
    jotsam("migrate", "--db", there)
    arguments, _ = arguments_of(jotsam, command)
    ours = loaded(jotsam, LIKE_THE_CONSOLE_SCRIPT, *f"--db{glue}{there}".split(" "), *arguments)
    assert (f"jotsam.surfaces.{WHERE[command]}" in ours, "argparse" in ours) == (True, False)
    assert jotsam.json("status", "--db", there)["status"]["documents"] == (1 if command == "add" else 0)


def test_other_options_load_the_full_parser(jotsam: Shell) -> None:
    assert "argparse" in loaded(jotsam, LIKE_THE_CONSOLE_SCRIPT, "status", "--check")


SMALL_PARSER = {"add": (start.ADD_OPTIONS, start.FLAGS), "status": (start.STATUS_OPTIONS, start.FLAGS)}


@pytest.mark.parametrize("command", SMALL_PARSER)
def test_the_small_parser_reads_each_of_its_options_like_the_full_parser(command: str) -> None:
    valued, flags = SMALL_PARSER[command]
    values = dict.fromkeys(valued, "2026-03-01")
    line = [word for pair in values.items() for word in pair] + [*flags]
    words, options = start.parse_small([*line, "note.md"], valued=valued, flags=flags) or ([], {})
    assert (words, options) == (["note.md"], values | dict.fromkeys(flags, ""))

    full = vars(parse([command, *line, *(["note.md"] if command == "add" else [])]))
    for option in valued:
        expected = parse_time(values[option], name="date") if option == "--date" else values[option]
        assert full[option.removeprefix("--")] == expected
    for flag in flags:
        assert full[flag.removeprefix("--").replace("-", "_")] is True
    if command == "add":
        assert full["files"] == words


def test_both_parsers_add_the_same_document_and_print_the_same_status(jotsam: Shell) -> None:
    path = jotsam.file("note.md")
    line = ["add", path, "--project", "shop", "--date=2026-03-01", "--key", "k", "--json", "--no-worker"]
    stored = []
    for leading in ([], ["--debug"]):  # The small parser leaves a leading option to the full one.
        database = str(jotsam.home / f"{len(stored)}.db")
        receipt = json.loads(jotsam(*leading, *line, "--db", database).stdout)["receipts"][0]
        document = jotsam.json("show", receipt["id"], "--db", database)["document"]
        status = jotsam(*leading, "status", "--db", database).stdout.partition("oldest")
        stored.append((document["project"], document["date"], document["source"], receipt["duplicate"], status[0]))
    assert stored[0] == stored[1]


def test_importing_the_package_reads_and_prints_nothing(jotsam: Shell) -> None:
    inside = {name for name in loaded(jotsam, "import jotsam") if name.startswith("jotsam")}
    assert inside == {"jotsam"}
    assert os.listdir(jotsam.home) == []


def test_the_client_imports_no_module_that_only_some_calls_need(jotsam: Shell) -> None:
    ours = loaded(jotsam, "import jotsam.memory.api.client")
    assert "jotsam.memory.api.client" in ours
    late = {
        "ingest.sessions",
        "ingest.transcripts",
        "memory.api.knowledge",
        "memory.jobs.reprocess",
        "memory.reading.show",
        "memory.writing.supersede",
        "worker.enrichment.agent_extraction",
    }
    late |= {"queueing.loop", "worker.handlers"}
    assert ours & {f"jotsam.{module}" for module in late} == set()
