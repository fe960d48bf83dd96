"""What a type checker refuses and accepts: `mypy --strict` on calls of the public API."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

HEAD = """
from datetime import date, datetime

import jotsam


def check(jot: jotsam.Jotsam, queue: jotsam.Queue) -> None:
"""

REFUSED = """
jot.add("x", sorce="notes.md")
jot.add(b"x")
jot.add("x", date=1.5)
jot.remember("x", tpye="Decision")
jot.remember("x", importance="high")
jot.remember("x", tags=3)
jot.add_many([{"source": "a.md"}])
jot.remember_many([{"text": "x", "tagz": []}])
jot.knowledge.link_many([{"source": "a", "target": "b"}])
jot.remember("x", own_id="1")
jot.recall("q", taggs=["a"])
jot.recall("q", sinse="2026-01-01")
jot.recall("q", tokens="2000")
jot.recall("q", expand=["everything"])
jot.recall("q").hit
jot.recall("q").hits[0].scor
jot.supersede("a", "b", undo=True)
jot.show("a").story
jot.status().spooled_turns
jot.wait("abc", timeout="1 s")
jot.work(reserved="token")
jot.plan_reprocess(sourse="notes.md")
jot.plan_reprocess(degraded="yes")
jot.reprocess(["a"])
jot.import_sessions(["a.jsonl"], format="chatgpt")
jot.import_sessions(["a.jsonl"], dryrun=True)
jot.scoped(tennant="ana")
jot.jobs()
jot.admin.jobs(state="sleeping")
jot.admin.jobs(older="1 h")
jot.admin.retry("12")
jot.admin.retry_many([1], dryrun=True)
jot.admin.pause("enrich", why="lunch")
jot.admin.costs(day=3)
jot.knowledge.entities(category="person")
jot.knowledge.facts(subjekt="Ana")
jot.knowledge.link("a", "LEADS_TO", "b", wieght=0.5)
queue.send("x", priorty=1)
queue.send("x", delay_ms="soon")
jotsam.Processor(queue, {}, concurency=2)
jotsam.Jotsam("a.db", tennant="ana")
jotsam.Receipt(id="a")
jotsam.Settings(recal_tokens=1)
"""

ACCEPTED = """
receipt: jotsam.Receipt = jot.add("x", source="notes.md", date="2026-01-01", key="k", actor="ana", session="s")
jot.add("x", date=datetime.now())
jot.add("x", date=date.today())
jot.add("x", date=1_750_000_000_000)
jot.remember("x", type="Decision", tags=["a"], importance=0.9, confidence=1, metadata={"a": [1]}, said_at="2026-01-01")
jot.remember("x", external_id="1", position=3, project="p", source="s", valid_until=None, key="k")
answer: jotsam.Answer = jot.recall("q", tags=("a",), since="2026-01-01", until=date.today(), history=True, limit=5)
jot.recall(expand=["entities", "relations"], pinned=["id"], min_score=0.5, metadata={"a": 1}, prefer="p")
print([hit.text for hit in answer.hits], answer.coverage.pending)
result: jotsam.SupersedeResult = jot.supersede("a", "b")
jot.undo_supersede("a")
details: jotsam.Details = jot.show("a")
status: jotsam.Status = jot.status()
done: bool = jot.wait(["abc"], timeout_ms=1_000)
jot.work(forever=True)
plan: jotsam.ReprocessPlan = jot.plan_reprocess(source="notes.md", degraded=True, force=True)
jot.reprocess(plan, clear=True)
imported: jotsam.ImportResult = jot.import_sessions(["a.jsonl"], format="codex", dry_run=True)
scoped: jotsam.Jotsam = jot.scoped(tenant="ana", project="p", actor="ana")
jobs: list[jotsam.Job] = jot.admin.jobs(state="dead", older_ms=1_000, all_tenants=True)
changes: list[jotsam.JobChange] = jot.admin.retry_many([1, 2], dry_run=True)
jot.admin.pause("enrich", reason="lunch")
costs: list[jotsam.DailyCost] = jot.admin.costs(days=3)
facts: list[jotsam.Fact] = jot.knowledge.facts(subject="Ana", history=True, limit=3)
jot.knowledge.entities(category="people")
jot.knowledge.link("a", "LEADS_TO", "b", weight=0.5)
queue.send({"to": "x"}, priority=1, delay_ms=1_000, lane="l", parallel=False)
jotsam.Processor(queue, {"default": print}, concurrency=2)
jotsam.Settings(recall_tokens=1_000, db="a.db").replace(tenant="ana")
"""


def errors(calls: str, folder: Path) -> dict[str, str]:
    """The calls that mypy refuses, with its first message."""
    head = HEAD.strip().splitlines()
    lines = calls.strip().splitlines()
    file = folder / "calls.py"
    file.write_text("\n".join([*head, *(f"    {line}" for line in lines)]) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-pretty", "--hide-error-context", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found: dict[str, str] = {}
    for number, message in re.findall(r"^\S*calls\.py:(\d+): error: (.*)$", done.stdout, re.MULTILINE):
        found.setdefault(lines[int(number) - len(head) - 1], message)
    return found


def test_misspelled_options_and_wrong_types_are_refused(tmp_path: Path) -> None:
    refused = errors(REFUSED, tmp_path)
    assert [line for line in REFUSED.strip().splitlines() if line not in refused] == []


def test_right_calls_are_accepted(tmp_path: Path) -> None:
    assert errors(ACCEPTED, tmp_path) == {}
