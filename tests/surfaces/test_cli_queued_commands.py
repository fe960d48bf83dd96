"""`jotsam --async COMMAND`: commands that are queued and run by the worker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jotsam import Queue
from jotsam.core.job_records import MAX_COMMAND_BYTES

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


def result_of(shell: Shell, id: int) -> dict[str, Any]:
    """The result of a queued command."""
    found: dict[str, Any] = shell.json("show", str(id))["result"]
    return found


@pytest.mark.on_both
def test_a_queued_command_prints_its_job_and_runs_in_the_worker(jotsam: Shell) -> None:
    """GK-8: `--async` prints one line with the job id."""
    jotsam.file("note.md", "Ana moved to Bonn.\n")
    done = jotsam("--async", "add", "note.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "queued    job 1  see its result with `jotsam show 1`\n"
    assert "nothing found" in jotsam("recall", "Ana").stdout
    assert "jotsam add note.md" in jotsam("show", "1").stdout
    assert jotsam("work").stdout == "completed 3 jobs\n"
    assert "Ana moved to Bonn." in jotsam("recall", "Ana").stdout
    shown = jotsam("jobs", "show", "1").stdout
    assert "command      jotsam add note.md" in shown
    assert "exit code    0" in shown
    assert "\naccepted  " in shown


def test_a_queued_command_starts_a_worker(jotsam: Shell) -> None:
    jotsam.env |= {"JOTSAM_WORKER": "auto", "JOTSAM_WORKER_IDLE_MS": "0"}
    assert jotsam.json("--async", "remember", "We use tabs.") == {"schema": 1, "job_id": 1}
    assert jotsam("wait").returncode == 0
    assert "We use tabs." in jotsam("recall", "tabs").stdout


@pytest.mark.on_both
def test_it_runs_with_directory_tenant_and_project_of_the_sender(jotsam: Shell) -> None:
    (jotsam.home / "shop" / ".git").mkdir(parents=True)
    jotsam.file("shop/docs/a.md", "apples"), jotsam.file("shop/docs/b.md", "pears")
    command = jotsam.command("--tenant", "ana", "--async", "add", "docs")
    home, jotsam.home = jotsam.home, jotsam.home / "shop"
    assert jotsam(*command[3:]).returncode == 0
    said = jotsam("--async", "remember", "We sell fruit.", "--tenant=ana", JOTSAM_PROJECT="market")
    assert said.returncode == 0
    jotsam.home = home
    jotsam("work")
    hits = jotsam.json("recall", "--tenant", "ana")["hits"]
    assert {hit["source"] for hit in hits} == {"~/shop/docs/a.md", "~/shop/docs/b.md", None}
    assert sorted(hit["project"] for hit in hits) == sorted(["market", str(home / "shop"), str(home / "shop")])
    assert jotsam.json("recall")["hits"] == []


def test_it_uses_the_database_of_the_worker_even_if_that_was_moved(jotsam: Shell) -> None:
    jotsam("--async", "remember", "We use tabs.")
    moved = jotsam.home / "elsewhere" / jotsam.db.name
    jotsam.db.parent.rename(moved.parent)
    assert jotsam("work", "--db", moved).stdout == "completed 2 jobs\n"
    assert "We use tabs." in jotsam("recall", "tabs", "--db", moved).stdout
    assert not jotsam.db.exists()


@pytest.mark.on_both
@pytest.mark.parametrize("arguments", [["add", "-"], ["remember", "-", "--type", "fact"]])
def test_standard_input_is_read_when_queueing_and_stored_once_if_the_command_runs_twice(
    jotsam: Shell, arguments: list[str]
) -> None:
    """If a worker dies before it acknowledges the job, the command runs again and duplicates nothing."""
    text = "Ana moved to Köln."
    id = jotsam.json("--async", *arguments, input=text.encode("utf-16"))["job_id"]
    with Queue(jotsam.url, "command") as queue:
        job = queue.get(id)
    assert job
    jotsam("work")
    given = {"id": id, "payload": job.payload}
    with Queue(jotsam.url, "command") as queue, queue.transaction() as tx:
        form = tx.one("table_catalogue.forms")["insert"]
        columns = "id, queue, tenant, kind, state, priority, place, parallel, lease_ms, max_receive, created_at"
        values = "(:id, 'command', 'default', 'command', 'ready', 0, 0, 0, 60000, 5, 0)"
        tx.execute(form.format(table="queue_job", columns=columns, rows=values), given)
        tx.execute("insert into queue_payload (job_id, json) values (:id, :payload)", given)
        tx.execute("delete from queue_attempt where job_id = :id", given)
    assert jotsam("work").stdout == "completed 1 job\n"
    assert '"duplicate":true' in result_of(jotsam, id)["stdout"]
    status = jotsam.json("status")["status"]
    assert (status["documents"] + status["memories"], status["depth"]["dead"]) == (2 if arguments[0] == "add" else 1, 0)


@pytest.mark.parametrize(
    ("input", "reason"),
    [
        (b"x" * (MAX_COMMAND_BYTES + 1), "the limit of a queued command"),
        (b"\x89PNG\0\0", "binary"),
        (b"\xff" * 1_500_000, "can be queued"),
    ],
)
def test_input_that_cannot_be_queued_is_an_error(jotsam: Shell, input: bytes, reason: str) -> None:
    done = jotsam("--async", "add", "-", input=input)
    assert (done.returncode, done.stdout) == (1, "")
    assert reason in done.stderr
    assert not jotsam.db.exists() or jotsam.json("jobs")["jobs"] == []


@pytest.mark.no_database
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--async", "work"], "error: this command cannot be queued"),
        (["--async", "wait"], "error: this command cannot be queued"),
        (["--async", "doctor"], "error: this command cannot be queued"),
        (["--async", "completion", "bash"], "error: this command cannot be queued"),
        (["--async", "add", "x", "--wait"], "--wait cannot be queued"),
        (["--async", "status"], "error: this command cannot be queued"),
        (["--async", "migrate", "--to", "x.db"], "error: this command cannot be queued"),
        (
            ["--async", "remember", "x", "--external-id", "AKIA" + "Q3EGRIZ7XT5NVLWB"],
            "--external-id looks like a secret",
        ),
        (["--async"], "--async needs a command"),
        (["--async", "sing"], "unknown command 'sing'"),
        (["--async", "rm", "-rf", "/"], "unknown command 'rm'"),
        (["status", "--async"], "unrecognized arguments: --async"),
    ],
)
def test_queueing_an_unsuitable_command_is_a_usage_error(jotsam: Shell, arguments: list[str], reason: str) -> None:
    done = jotsam(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert not jotsam.db.exists()


@pytest.mark.on_both
def test_the_output_of_concurrent_commands_is_captured_separately(jotsam: Shell) -> None:
    """GK-7: correct counts, and separate output for commands that run in parallel threads."""
    for number in range(8):
        jotsam("--async", "--tenant", f"t{number % 4}", "--json", "remember", f"number {number % 4}")
    done = jotsam("work", JOTSAM_CONCURRENCY="8", CLICOLOR_FORCE="1")
    assert done.stdout == "completed 16 jobs\n"
    for number in range(4):
        shown = [jotsam.json("--tenant", f"t{number}", "show", str(id)) for id in (number + 1, number + 5)]
        receipts = [json.loads(story["result"]["stdout"])["receipt"] for story in shown]
        hits = jotsam.json("--tenant", f"t{number}", "recall", "number")
        memories = [jotsam.json("--tenant", f"t{number}", "show", one["id"])["memory"]["text"] for one in receipts]
        assert memories == [f"number {number}"] * 2
        assert {hit["id"] for hit in hits["hits"]} <= {one["id"] for one in receipts}


def test_command_output_does_not_reach_the_worker_log(jotsam: Shell) -> None:
    jotsam.env |= {"JOTSAM_WORKER": "auto", "JOTSAM_WORKER_IDLE_MS": "0"}
    jotsam("--async", "remember", "We use tabs.")
    jotsam("wait")
    assert "accepted" not in Path(f"{jotsam.db}.log").read_text()
    assert "accepted" in result_of(jotsam, 1)["stdout"]
