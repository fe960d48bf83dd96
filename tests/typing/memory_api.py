"""Type-checked, never run: correct calls of `Jotsam`, and wrong ones that mypy must refuse.

`warn_unused_ignores` of strict mode turns each `type: ignore` below into a test: it fails as soon as mypy accepts the
line.
"""
# ruff: noqa: F841

from __future__ import annotations

from datetime import date, datetime

import jotsam


def correct_calls(jot: jotsam.Jotsam, queue: jotsam.Queue) -> None:
    receipt: jotsam.Receipt = jot.add("x", source="notes.md", date="2026-01-01", key="k", actor="ana", session="s")
    jot.add("x", date=datetime.now())
    jot.add("x", date=date.today())
    jot.add("x", date=1_750_000_000_000)
    jot.remember(
        "x", type="Decision", tags=["a"], importance=0.9, confidence=1, metadata={"a": [1]}, said_at="2026-01-01"
    )
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


def wrong_calls(jot: jotsam.Jotsam, queue: jotsam.Queue) -> None:
    jot.add("x", sorce="notes.md")  # type: ignore[call-arg]
    jot.add(b"x")  # type: ignore[arg-type]
    jot.add("x", date=1.5)  # type: ignore[arg-type]
    jot.remember("x", tpye="Decision")  # type: ignore[call-arg]
    jot.remember("x", importance="high")  # type: ignore[arg-type]
    jot.remember("x", tags=3)  # type: ignore[arg-type]
    jot.add_many([{"source": "a.md"}])  # type: ignore[list-item]
    jot.remember_many([{"text": "x", "tagz": []}])  # type: ignore[list-item]
    jot.knowledge.link_many([{"source": "a", "target": "b"}])  # type: ignore[typeddict-item]
    jot.remember("x", own_id="1")  # type: ignore[call-arg]
    jot.recall("q", taggs=["a"])  # type: ignore[call-arg]
    jot.recall("q", sinse="2026-01-01")  # type: ignore[call-arg]
    jot.recall("q", tokens="2000")  # type: ignore[arg-type]
    jot.recall("q", expand=["everything"])  # type: ignore[list-item]
    print(jot.recall("q").hit)  # type: ignore[attr-defined]
    print(jot.recall("q").hits[0].scor)  # type: ignore[attr-defined]
    jot.supersede("a", "b", undo=True)  # type: ignore[call-arg]
    print(jot.show("a").story)  # type: ignore[attr-defined]
    print(jot.status().spooled_turns)  # type: ignore[attr-defined]
    jot.wait("abc", timeout="1 s")  # type: ignore[call-arg]
    jot.work(reserved="token")  # type: ignore[call-arg]
    jot.plan_reprocess(sourse="notes.md")  # type: ignore[call-arg]
    jot.plan_reprocess(degraded="yes")  # type: ignore[arg-type]
    jot.reprocess(["a"])  # type: ignore[arg-type]
    jot.import_sessions(["a.jsonl"], format="chatgpt")  # type: ignore[arg-type]
    jot.import_sessions(["a.jsonl"], dryrun=True)  # type: ignore[call-arg]
    jot.scoped(tennant="ana")  # type: ignore[call-arg]
    jot.jobs()  # type: ignore[attr-defined]
    jot.admin.jobs(state="sleeping")  # type: ignore[arg-type]
    jot.admin.jobs(older="1 h")  # type: ignore[call-arg]
    jot.admin.retry("12")  # type: ignore[arg-type]
    jot.admin.retry_many([1], dryrun=True)  # type: ignore[call-arg]
    jot.admin.pause("enrich", why="lunch")  # type: ignore[call-arg]
    jot.admin.costs(day=3)  # type: ignore[call-arg]
    jot.knowledge.entities(category="person")  # type: ignore[arg-type]
    jot.knowledge.facts(subjekt="Ana")  # type: ignore[call-arg]
    jot.knowledge.link("a", "LEADS_TO", "b", wieght=0.5)  # type: ignore[call-arg]
    queue.send("x", priorty=1)  # type: ignore[call-arg]
    queue.send("x", delay_ms="soon")  # type: ignore[arg-type]
    jotsam.Processor(queue, {}, concurency=2)  # type: ignore[call-arg]
    jotsam.Jotsam("a.db", tennant="ana")  # type: ignore[call-arg]
    jotsam.Receipt(id="a")  # type: ignore[call-arg]
    jotsam.Settings(recal_tokens=1)  # type: ignore[call-arg]
