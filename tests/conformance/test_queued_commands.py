"""Every command of the command line, queued: what it carries, and what a worker refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tools.command_names import command_names

from jotsam import Jotsam
from jotsam.core.job_records import MAX_COMMAND_BYTES, CommandResult, JobSpec
from jotsam.core.names import COMMAND
from jotsam.core.settings import Settings
from jotsam.memory.jobs.worker_session import run_worker
from jotsam.models.fake_endpoint import fake_extraction
from jotsam.storage import queue
from jotsam.surfaces.cli.dispatch import run_line
from jotsam.surfaces.cli.output import Captured
from jotsam.surfaces.cli.parser import full_parser
from jotsam.surfaces.cli.queued_commands import runner
from processes import WAIT_MS
from transcripts import claude

SECRET = "AKIA" + "Q3EGRIZ7XT5NVLWB"

# Commands that may be queued, each with an argument line. `test_each_queueable_command_does_its_work` runs them.
QUEUEABLE = {
    "add": ["add", "note.md"],
    "import": ["import", "sessions"],
    "remember": ["remember", "We use tabs."],
    "update supersede": ["update", "supersede", "x", "y"],
    "update link": ["update", "link", "x", "LEADS_TO", "y"],
    "entities merge": ["entities", "merge", "x", "y"],
    "db projects merge": ["db", "projects", "merge", "x", "y"],
    "db projects split": ["db", "projects", "split", "x"],
    "entities split": ["entities", "split", "x"],
    "agents extract-apply": ["agents", "extract-apply", "extraction.json"],
    "models reprocess": ["models", "reprocess", "--all"],
    "update": ["update", "x", "--type", "Decision"],
    "update set": ["update", "set", "x", "--type", "Decision"],
    "update archive": ["update", "archive", "x"],
    "update unarchive": ["update", "unarchive", "x"],
    "jobs retry": ["jobs", "retry", "all", "--yes"],
    "jobs discard": ["jobs", "discard", "all", "--yes"],
}

# All others: they read, or change what tenants share, or would wait for the worker that runs them.
REFUSED = {
    "agents mcp": ["agents", "mcp"],
    "help": ["help"],
    "config set": ["config", "set", "soft_cap", "7"],
    "config unset": ["config", "unset", "soft_cap"],
    "server dashboard": ["server", "dashboard", "--print"],
    "server start": ["server", "start", "--port", "0"],
    "agents uninstall": ["agents", "uninstall", "claude", "--yes"],
    "install": ["install", "claude", "--yes"],
    "agents": ["agents"],
    "agents list": ["agents", "list"],
    "brief": ["brief"],
    "brief show": ["brief", "show"],
    "db": ["db"],
    "db secrets": ["db", "secrets"],
    "themes": ["themes"],
    "server": ["server", "--port", "0"],
    "brief rules": ["brief", "rules"],
    "brief rules list": ["brief", "rules", "list"],
    "brief rules add": ["brief", "rules", "add", "tabs"],
    "brief rules edit": ["brief", "rules", "edit", "x", "tabs"],
    "brief rules strike": ["brief", "rules", "strike", "x"],
    "recall": ["recall", "tabs"],
    "sessions": ["sessions"],
    "log": ["log"],
    "undo": ["undo"],
    "show": ["show", "1"],
    "facts": ["facts"],
    "entities": ["entities"],
    "entities list": ["entities", "list"],
    "themes patterns": ["themes", "patterns"],
    "db projects": ["db", "projects"],
    "db projects list": ["db", "projects", "list"],
    "db projects rename": ["db", "projects", "rename", "x", "y"],
    "jobs": ["jobs", "--all-tenants"],
    "jobs list": ["jobs", "list", "--all-tenants"],
    "jobs show": ["jobs", "show", "1"],
    "jobs groups": ["jobs", "groups", "--all-tenants"],
    "status": ["status"],
    "jobs pause": ["jobs", "pause", "enrich"],
    "jobs resume": ["jobs", "resume", "ingest"],
    "jobs work": ["jobs", "work"],
    "jobs wait": ["jobs", "wait"],
    "agents hook": ["agents", "hook", "Stop"],
    "agents extract-prompt": ["agents", "extract-prompt", "--schema"],
    "db secrets allow": ["db", "secrets", "allow", "x", "--reason", "y"],
    "db secrets list": ["db", "secrets", "list"],
    "doctor": ["doctor", "--repair"],
    "demo": ["demo"],
    "db migrate": ["db", "migrate", "--to", "copy.db"],
    "db move-tenant": ["db", "move-tenant", "ana", "--to", "postgresql://x"],
    "models": ["models"],
    "models show": ["models", "show"],
    "models fetch": ["models", "fetch", "model"],
    "models install": ["models", "install"],
    "models refresh": ["models", "refresh"],
    "db engine": ["db", "engine"],
    "db engine status": ["db", "engine", "status"],
    "db engine add": ["db", "engine", "add", "qdrant://127.0.0.1:9"],
    "db engine rebuild": ["db", "engine", "rebuild"],
    "db engine compare": ["db", "engine", "compare", "--repair"],
    "db engine remove": ["db", "engine", "remove", "qdrant"],
    "config": ["config"],
    "config show": ["config", "show"],
    "config completion": ["config", "completion", "bash"],
    "list": ["list"],
    "db retention": ["db", "retention"],
    "db maintain": ["db", "maintain"],
    "forget": ["forget", "--everything", "--yes"],
    "db trash": ["db", "trash", "empty"],
    "db lifecycle": ["db", "lifecycle"],
    "db lifecycle links": ["db", "lifecycle", "links", "--remove"],
    "themes crystals": ["themes", "crystals"],
    "themes crystals list": ["themes", "crystals", "list"],
    "themes crystals confirm": ["themes", "crystals", "confirm", "x"],
    "themes crystals retract": ["themes", "crystals", "retract", "x"],
    "themes checkpoint": ["themes", "checkpoint", "sessions"],
    "themes distill": ["themes", "distill"],
    "entities show": ["entities", "show", "x"],
    "entities candidates": ["entities", "candidates"],
    "db lifecycle list": ["db", "lifecycle", "list"],
    "db lifecycle run": ["db", "lifecycle", "run", "decay", "--apply"],
    "db lifecycle show": ["db", "lifecycle", "show", "x"],
    "db lifecycle undo": ["db", "lifecycle", "undo", "x", "--yes"],
    "db lifecycle allow-again": ["db", "lifecycle", "allow-again"],
    "brief blocks": ["brief", "blocks"],
    "brief blocks list": ["brief", "blocks", "list"],
    "brief blocks get": ["brief", "blocks", "get", "x"],
    "brief blocks set": ["brief", "blocks", "set", "x", "y"],
    "brief blocks append": ["brief", "blocks", "append", "x", "y"],
    "brief blocks delete": ["brief", "blocks", "delete", "x"],
    "db export": ["db", "export", "all.jsonl"],
    "agents capture": ["agents", "capture"],
    "server tokens": ["server", "tokens"],
    "server tokens list": ["server", "tokens", "list"],
    "server tokens create": ["server", "tokens", "create", "--name", "x"],
    "server tokens revoke": ["server", "tokens", "revoke", "x"],
    "server audit": ["server", "audit"],
    "db backup": ["db", "backup"],
    "db restore": ["db", "restore", "copy.db"],
    "db salvage": ["db", "salvage", "copy.db", "new.db"],
}

# Options of queueable commands that may not be queued: they redirect, wait, read or name what is not the tenant's.
REDIRECTING = [
    ["add", "--wait", "note.md"],
    ["import", "--dry-run", "sessions"],
    ["reprocess", "--all", "--dry-run"],
    ["reprocess", "--source", "note.md"],
    ["jobs", "discard", "all", "--dry-run"],
    ["jobs", "--all-tenants", "retry", "all", "--yes"],
]
EVERYWHERE_REFUSED = (["--db", "other.db"], ["--tenant", "other"], ["--debug"], ["--no-worker"], ["--async"])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder of the sender, with files to queue and no settings of its own."""
    folder = tmp_path / "sender"
    (folder / "sessions").mkdir(parents=True)
    (folder / "model").mkdir()
    (folder / "note.md").write_text(f"Ana moved to Bonn. The key is {SECRET}.\n")
    (folder / "id_rsa").write_text("The private key of the worker.\n")
    (folder / "sessions" / "a.jsonl").write_text(f"{claude(1, 'We deploy on Fridays.')}\nno JSON\n")
    (folder / "extraction.json").write_text('{"extractions": []}')
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return folder


@pytest.fixture
def jot(url: str, folder: Path) -> Iterator[Jotsam]:
    given: dict[str, Any] = {"db": url, "worker": "off", "worker_idle_ms": 0, "lock_timeout_ms": WAIT_MS}
    with Jotsam(settings=Settings(**given, llm_url="http://ana:hunter22@127.0.0.1:9/v1", llm_model="m")) as jot:
        jot.admin.pause("enrich")
        jot.admin.pause("ingest")
        yield jot


def run_async(jot: Jotsam, *line: str, input: bytes = b"") -> tuple[int, str, str]:
    """Queue a command line as the program does: exit code, standard output, standard error."""
    with Captured(input) as printed:
        try:
            code = run_line(["--db", jot.settings.db, "--no-worker", "--async", *line])
        except SystemExit as end:
            code = int(end.code or 0)
        except Exception as error:
            return 1, "", str(error)
    return code, printed.stdout.getvalue(), printed.stderr.getvalue()


def send_raw(jot: Jotsam, arguments: list[str], **carried: object) -> int:
    """Write a row into the queue as any program with access to its tables can."""
    empty = {"project": "", "input": None, "documents": [], "turns": []}
    payload = json.dumps({"arguments": arguments, **empty, **carried})
    with jot.database.transaction() as tx:
        return queue.send(tx, JobSpec(queue=COMMAND, kind=COMMAND, payload=payload)).id


def run_queued(jot: Jotsam) -> None:
    run_worker(jot, commands=runner(jot.settings))


def result_of(jot: Jotsam, id: int) -> CommandResult:
    result = jot.show(str(id)).result
    assert result
    return result


def test_every_command_is_in_one_of_the_two_tables() -> None:
    assert sorted(command_names(full_parser())) == sorted([*QUEUEABLE, *REFUSED])


def test_a_worker_refuses_everything_else_whatever_wrote_the_row(jot: Jotsam, folder: Path) -> None:
    lines = [*REFUSED.values(), *REDIRECTING]
    lines += [[*line, *more] for line in QUEUEABLE.values() for more in EVERYWHERE_REFUSED]
    # The files exist where the worker runs, and the rows carry no text.
    lines += [["add", "--force", str(folder / "id_rsa")], ["add", str(folder), "--glob", "*", "--force"]]
    lines += [["add", "note.md"], ["add", "-"], ["import", str(folder / "sessions")]]
    lines += [["add", "/dev/zero"], ["import", "/dev/zero"], [], ["sing"], ["add"]]
    sent = {send_raw(jot, line): line for line in lines}
    run_queued(jot)
    dead = {job.id: job.failures for job in jot.admin.dead(limit=1_000)}
    accepted = [line for id, line in sent.items() if dead.get(id) != 1 or result_of(jot, id).code != 2]
    assert accepted == []
    assert [line for id, line in sent.items() if "hunter22" in repr(result_of(jot, id))] == []
    status = jot.status()
    assert (status.memories, status.documents, {one.queue for one in status.paused}) == (0, 0, {"enrich", "ingest"})
    assert list(folder.glob("*.db")) == []


def test_a_command_that_cannot_succeed_fails_once(jot: Jotsam) -> None:
    lines = [
        *(["supersede", "nope", "none"], ["link", "nope", "LEADS_TO", "none"], ["entities", "merge", "nope", "none"]),
        *(["entities", "split", "nope"], ["jobs", "retry", "999"], ["jobs", "discard", "999"], ["reprocess", "nope"]),
        *(["projects", "merge", "nope", "x", "--yes"], ["projects", "split", "nope", "--yes"]),
        *(
            ["remember", "-"],
            ["archive", "nope"],
            ["unarchive", "nope"],
            ["remember", "x", "--importance", "7"],
            ["extract-apply", "/etc/hostname"],
        ),
    ]
    sent = [send_raw(jot, line) for line in lines]
    strange: list[dict[str, Any]] = [{}, {"name": 7}, {"name": "a", "text": 7}, {"name": "a", "text": "b", "date": "c"}]
    strange += [{"name": "a", "text": "b", "redactions": one} for one in (7, [7], [{}], [{"kind": 7}])]
    sent += [send_raw(jot, ["add", "x"], documents=[one]) for one in strange]
    turn = {"text": "b", "actor": "user", "session": "s", "key": "k", "source": "x", "said_at": 1}
    sent += [send_raw(jot, ["import", "x"], turns=[one]) for one in ({}, turn | {"said_at": "1"}, turn | {"key": None})]
    run_queued(jot)
    dead = {job.id: (job.failures, job.error) for job in jot.admin.dead(limit=1_000)}
    assert [(id, dead.get(id)) for id in sent if dead.get(id, (0, ""))[0] != 1] == []
    assert [error for _, error in dead.values() if "bug in jotsam" in str(error)] == []


def test_each_queueable_command_does_its_work_without_the_files_of_the_sender(jot: Jotsam, folder: Path) -> None:
    old, new = (jot.remember(f"We deploy with {tool}.").id for tool in ("Make", "Just"))
    extraction = {"extractions": [{"memory": new, **fake_extraction("We deploy with Just.")}]}
    (folder / "extraction.json").write_text(json.dumps(extraction))
    (folder / "more").mkdir()
    (folder / "more" / "b.md").write_text("Ben moved to Ulm.\n")
    given = {
        "add": ["note.md", "more", "--date", "2026-03-01"],
        "import": ["sessions", "--project", "shop"],
        "remember": ["-", "--tag", "x"],
        "supersede": [old, new],
        "link": [old, "LEADS_TO", new],
        "extract-apply": ["extraction.json", "--by", "ana"],
        "reprocess": [new],
        "archive": [new],
        "unarchive": [new],
    }
    for name in given:
        code, _, err = run_async(jot, name, *given[name], input=b"We use tabs.")
        assert (code, "no JSON" in err or "line 2" in err) == ((1, True) if name == "import" else (0, False)), err
    with jot.database.snapshot() as tx:
        stored = json.dumps(
            [tx.execute(f"select * from {name}") for name in ("queue_job", "queue_payload")], default=repr
        )
    assert SECRET not in stored
    for path in sorted(folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    run_queued(jot)
    assert [(job.id, job.error) for job in jot.admin.dead()] == []
    jot.admin.resume("ingest")
    run_queued(jot)
    hits = {hit.text.split(".")[0]: hit for hit in jot.recall().hits}
    found = ["Ana moved to Bonn", "Ben moved to Ulm", "We deploy on Fridays", "We deploy with Just", "We use tabs"]
    assert sorted(hits) == found
    ana = hits["Ana moved to Bonn"]
    assert (ana.source or "").endswith("/sender/note.md")
    assert SECRET not in ana.text
    assert [one.place for one in jot.knowledge.redactions()] == ["line 1"]
    assert jot.show(new).memory.extractor.startswith("agent")
    assert hits["We deploy on Fridays"].project == "shop"
    assert [link.type for link in jot.show(old).links if link.target == new] == ["LEADS_TO"]


def test_a_job_of_another_tenant_is_out_of_reach(jot: Jotsam) -> None:
    with Jotsam(settings=jot.settings.replace(tenant="ana")) as ana:
        job = ana.remember("Private.").job_id
    id = send_raw(jot, ["jobs", "discard", str(job)])
    everything = send_raw(jot, ["jobs", "discard", "all", "--yes"])
    run_queued(jot)
    assert (result_of(jot, id).code, result_of(jot, everything).code) == (1, 0)
    assert job in [one.id for one in jot.admin.jobs(all_tenants=True)]


def test_files_that_cannot_be_carried_are_refused_when_they_are_sent(jot: Jotsam, folder: Path) -> None:
    (folder / "large.md").write_text("x" * (MAX_COMMAND_BYTES + 1))
    (folder / "binary.md").write_bytes(b"\0")
    (folder / "sessions" / "a.jsonl").write_text("")
    cases = {
        ("add", "missing.md"): "missing.md cannot be read",
        ("add", "id_rsa"): "its name suggests that it contains secrets",
        ("add", "binary.md"): "is binary",
        (
            "add",
            "large.md",
        ): f"more than {MAX_COMMAND_BYTES:,} bytes, the limit of a queued command: run it without --async",
        ("add", "-"): "is empty",
        ("import", "missing"): "missing: cannot be read",
        ("extract-apply", "missing.json"): "missing.json cannot be read",
        ("embedder", "fetch", "model"): "this command cannot be queued: run it without --async",
        ("migrate", "--to", "copy.db"): "this command cannot be queued: run it without --async",
    }
    answers = {line: run_async(jot, *line) for line in cases}
    assert {line: answer for line, answer in answers.items() if cases[line] not in answer[2] or answer[0] == 0} == {}
    assert run_async(jot, "import", "sessions")[:2] == (0, "nothing to import: no job was queued\n")
    assert jot.admin.jobs() == []


def test_a_file_that_is_refused_does_not_stop_the_others(jot: Jotsam) -> None:
    code, out, err = run_async(jot, "add", "missing.md", "note.md")
    assert (code, out.startswith("queued    job ")) == (1, True)
    assert "missing.md cannot be read" in err
    run_queued(jot)
    assert jot.status().documents == 1
