"""One verdict on health: each fault is told in the same words everywhere, and the worst one first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jotsam import Jotsam
from jotsam.core.clock import monotonic_ms
from jotsam.core.job_records import JobSpec
from jotsam.core.settings import Settings
from jotsam.ingest import spool
from jotsam.memory.jobs.jobs import PendingJobs
from jotsam.memory.sessions import session_context
from jotsam.memory.status import health, metrics, overview, queue_state, status
from jotsam.memory.status.health import Counted, Facts, Finding
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.surfaces.mcp.automem_calls import check_database_health
from jotsam.surfaces.mcp.calls import memory_status

MINUTE_MS = 60_000
DEAD = "54 jobs failed too often or for good, and will not be tried again"
CAPPED = "716 jobs wait until 00:00 UTC: the daily cap is reached"
PAUSED = "The queue enrich is paused: paused by hand"
OUTAGE = "The queue enrich is paused: cannot connect to the model; the next attempt is in 30.0 s"
STOPPED = "Jobs have waited 5 min, and no worker runs"
BEHIND = "100 jobs are not done, and the oldest has waited 1 h: the workers do not keep up; new jobs are still accepted"

ONE: Any = dict.fromkeys(("dead", "failed", "live", "capped", "freed", "discarded"), Counted(number=1))
MANY: Any = dict.fromkeys(("awaiting_model", "degraded", "not_embeddable"), Counted(number=10_000, more=True))


def send(jot: Jotsam, count: int) -> None:
    with jot.database.transaction() as tx:
        for _ in range(count):
            queue.send(tx, JobSpec(queue="enrich", kind="enrich", tenant=jot.settings.tenant))


def bury(jot: Jotsam, clock: Any) -> None:
    send(jot, 54)
    with jot.database.transaction() as tx:
        for job in queue.receive(tx, queue="enrich", owner="me", limit=54):
            assert queue.bury(tx, job, error="x")


def park(jot: Jotsam, clock: Any) -> None:
    send(jot, 716)
    error = status.cap_error(ledger.cap_of(jot.settings))
    with jot.database.transaction() as tx:
        for job in queue.receive(tx, queue="enrich", owner="me", limit=716):
            assert queue.release(tx, job, error=error, delay_ms=3_600_000, spend=False) == "waiting"


def pause(jot: Jotsam, clock: Any) -> None:
    with jot.database.transaction() as tx:
        queue.pause(tx, "enrich", reason="paused by hand")


def lose_the_model(jot: Jotsam, clock: Any) -> None:
    """As the circuit breaker of a worker does."""
    with jot.database.transaction() as tx:
        breaker = {"probe_at": tx.now + 30_000, "trips": 1}
        tx.run("queue.pause", queue="enrich", reason="cannot connect to the model", **breaker)


def stop(jot: Jotsam, clock: Any) -> None:
    send(jot, 1)
    clock.tick(5 * MINUTE_MS)


def fall_behind(jot: Jotsam, clock: Any) -> None:
    send(jot, 100)
    clock.tick(60 * MINUTE_MS)


FAULTS: dict[str, tuple[Callable[[Jotsam, Any], None], str, str]] = {
    "dead": (bury, "error", DEAD),
    "cap": (park, "warning", CAPPED),
    "paused": (pause, "warning", PAUSED),
    "outage": (lose_the_model, "warning", OUTAGE),
    "worker": (stop, "warning", STOPPED),
    "backlog": (fall_behind, "error", BEHIND),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_the_verdict_of_every_surface(jot: Jotsam, clock: Any, name: str) -> None:
    jot.remember("We decided to use PostgreSQL for billing.", type="Decision")
    jot.work()
    assert set(verdicts(jot)) == {("ok", "")}
    assert brief(jot).count("jotsam status") == 0
    fault, level, text = FAULTS[name]
    fault(jot, clock)
    assert set(verdicts(jot)) == {(level, text)}
    assert f"{level}: {text}" in memory_status(jot, {}, "x")[0]
    assert memory_status(jot, {}, "x")[1]["level"] == level
    assert check_database_health(jot, {}, "x")[1]["status"] == "degraded"
    assert f"{text}: `jotsam status` says what to do." in brief(jot)
    assert all(one.command for one in jot.status().findings if one.level != "note"), "each says what to do"


def test_the_worst_comes_first_and_all_are_told(jot: Jotsam, clock: Any) -> None:
    for fault in (stop, park, bury, pause):
        fault(jot, clock)
    found = [one.text for one in jot.status().findings if one.level != "note"]
    assert found[0] == DEAD
    assert set(found) == {DEAD, PAUSED, CAPPED}, "no worker is missed while the queue is paused"
    assert [
        one.text for one in overview.read_overview(jot.database, jot.settings).findings if one.level != "note"
    ] == found
    assert [one.text for one in metrics.read_metrics(jot.database).findings] == found
    assert metrics.level(jot.database, soft_cap=100) == "error"


def test_what_is_new_or_only_switched_off_is_no_fault(jot: Jotsam) -> None:
    jot.remember("Ana leads billing.")
    found = overview.read_overview(jot.database, jot.settings)
    assert {one.level for one in found.findings} == {"note"}
    assert (found.level, jot.status().level, metrics.level(jot.database, soft_cap=100)) == ("ok", "ok", "ok")


def test_each_finding_says_which_of_the_levels_it_has() -> None:
    facts = Facts(
        **ONE,
        **MANY,
        failed_runs=(("decay", "0123456789"),),
        spooled=2,
        capture_off=("the folder x",),
    )
    found = health.findings(facts, [Finding(name="llm", level="note", text="Off")])
    levels = [one.level for one in found]
    assert levels == sorted(levels, key=health.LEVELS.index)
    assert "10,000+ texts could not be embedded, so words alone find them" in [one.text for one in found]
    assert [one.name for one in found if one.of_server] == ["capture"]
    assert health.level_of(found[-1:]) == "ok"


def test_the_brief_of_a_session_has_it_too(
    jot: Jotsam, clock: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    jot.remember("We decided to use PostgreSQL for billing.", type="Decision")
    jot.work()
    bury(jot, clock)
    settings: Settings = jot.settings.replace(project="")
    given = session_context.at_start(settings, session="s", reason=None, deadline=monotonic_ms() + 60_000)
    assert DEAD in given


def verdicts(jot: Jotsam) -> list[tuple[str, str]]:
    """Level and sentence of the status, the first page, the metrics and the brief."""
    own, page, numbers = (
        jot.status(),
        overview.read_overview(jot.database, jot.settings),
        metrics.read_metrics(jot.database),
    )
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        said = queue_state.problem(tx, jot.settings, leased=jot.database.is_file, spooled=0)
    found = [(one.level, text(one.findings)) for one in (own, page)]
    found.append((metrics.level(jot.database, soft_cap=jot.settings.soft_cap), text(numbers.findings)))
    return [*found, (own.level, said)]


def text(findings: tuple[Finding, ...]) -> str:
    worst = health.worst(findings)
    return worst.text if worst else ""


def brief(jot: Jotsam) -> str:
    return jot.brief(project="").text


def test_a_turn_that_leaves_the_spool_while_it_is_looked_for_is_waited_for(jot: Jotsam, monkeypatch) -> None:
    def stored_meanwhile(database: str) -> list[str]:
        jot.remember("The cache uses Redis.")
        return []

    monkeypatch.setattr(spool, "waiting", stored_meanwhile)
    assert PendingJobs(jot.database, (), tenant="default").any_left()
