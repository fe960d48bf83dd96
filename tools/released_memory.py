"""A memory in which no table is empty, for the dumps of a released state: `released.py` writes it to each database.

Two tenants: `default`, and one with what the tests of moving store. Few memories have vectors, because they are long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sources import fill, fill_queue, pay

from jotsam import Jotsam
from jotsam.core.clock import DAY, HOUR
from jotsam.core.settings import Settings
from tools.example_jobs import fail
from tools.example_memory import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Sequence

TENANTS = ("default", "bo's")
BEGUN = 1_780_000_000_000
RULE = "Always run the migration tests before a release."
CHOICE = (
    "Where do we keep the readings of the sensors?",
    "Two ways:\n\n- InfluxDB: made for it, one more service to run\n- PostgreSQL: we have it, slower beyond 100 million"
    " rows\n\nI recommend the second.",
    "ok the second",
    "The table `reading` is in PostgreSQL, with one partition a month. Open: nobody has tested the restore of it.",
)
OTHER_CHOICE = (
    "PostgreSQL is too slow for the readings, let's go with InfluxDB",
    "Switched: the readings are in InfluxDB now, the table `reading` is removed from PostgreSQL.",
    "the import fails with 'timeout after 30 s'",
    "Fixed: the batch size was too large, it is 500 rows now.",
)
FARM, GARDEN = "github.com/acme/farm", "github.com/acme/garden"


class MovedClock:
    """Stands still until it is told to tick."""

    def __init__(self, now: int = BEGUN) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def tick(self, milliseconds: int) -> None:
        self.now += milliseconds


def settings(url: str, tenant: str = TENANTS[0], *, model: str = "") -> Settings:
    """One job at a time, so that ids are the same each time."""
    return Settings(db=url, tenant=tenant, worker="off", worker_idle_ms=0, concurrency=1, embed_model=model)


def write(url: str, clock: MovedClock) -> None:
    """Store everything in a new database."""
    with Jotsam(settings=settings(url, model="hashing"), clock=clock) as jot:
        for text in ("The well is 12 metres deep.", "The well is twelve metres deep."):
            jot.remember(text, project=FARM)
        jot.work()
    with Jotsam(settings=settings(url), clock=clock) as jot:
        _crystallise(jot, clock)
        jot.add(DOCUMENT, source="docs/billing-decisions.md", project=FARM, date="2026-03-02")
        _say(jot, clock, CHOICE, session="sensors-1")
        _say(jot, clock, OTHER_CHOICE, session="sensors-2")
        _judge(jot)
        _end(jot, clock)
        _run_each_step(jot, clock)
        jot.forget(jot.plan_forget(ids=[jot.remember("Forgotten for good.").id]), never_again=True)
        jot.forget(jot.plan_forget(query="pump", limit=1), trash=True)
        pay(jot)
        jot.admin.revoke_token(jot.admin.create_token(name="old phone", scope="read").token.id)
        jot.admin.create_token(name="laptop", scope="write", rate=0.5, max_bytes=1_000)
        fail(jot)
    fill(settings(url, TENANTS[1]), clock)
    fill_queue(url, clock)


def _say(jot: Jotsam, clock: MovedClock, texts: Sequence[str], *, session: str) -> None:
    """Turns of a session, beginning with the user, an hour after the last one."""
    clock.tick(HOUR)
    for number, text in enumerate(texts):
        clock.tick(1_000)
        jot.add_turn(text, actor=("user", "assistant")[number % 2], session=session, position=number, project=FARM)
    jot.work()


def _judge(jot: Jotsam) -> None:
    """Notes that a person added, changed and struck."""
    jot.notes.add("Answer in short sentences.", everywhere=True)
    jot.notes.edit(jot.notes.add("Ask before a deploy.", project=FARM).id, "Ask before each deploy.")
    jot.notes.judge(jot.notes.add("Use tabs.", kind="decision", project=FARM).id, verdict="wrong")
    jot.blocks.set("rules", "Metric units only.", project=FARM, actor="ana")


def _crystallise(jot: Jotsam, clock: MovedClock) -> None:
    """The same rule in three sessions, and what a person made a crystal and retracted. Projects that were changed."""
    for session in ("a", "b", "c"):
        jot.remember(RULE, session=session, actor="user", project=FARM)
    heron = jot.remember("The heron stands in the northern lake.", project=GARDEN)
    jot.work()
    clock.tick(DAY)
    jot.lifecycle.run("crystals")
    jot.work()
    jot.crystals.retract(jot.crystals.confirm(heron.id, kind="fact").id)
    jot.rename_project(GARDEN, "Rose garden")
    jot.remember("The shed is green.", project="shed")
    jot.merge_projects("shed", into=GARDEN)


def _end(jot: Jotsam, clock: MovedClock) -> None:
    """Memories that are linked, expired, archived, changed, redacted, replaced and merged."""
    first = jot.remember("The pump has 40 litres a minute.", type="Fact", metadata={"ticket": "T-1"}, project=FARM)
    second = jot.remember("The pump has 60 litres a minute since May.", valid_from="2026-05-01", project=FARM)
    jot.knowledge.link(first.id, "CONTRADICTS", second.id, weight=0.7, properties={"reason": "another pump"})
    jot.remember("Zoe works at Globex.", project=FARM, valid_until="2026-05-02")
    jot.archive(jot.remember("Bye.", project=FARM).id)
    old, new = jot.remember("Ana Lima lives in Lisbon.").id, jot.remember("Ana Lima lives in Porto now.").id
    jot.work()
    jot.supersede(old, new)
    for text in ("Door code: blue.", "Door code: green."):
        jot.upsert("door", text, metadata={"floor": 2})
    jot.remember("Connected with AKIAQ3EGRIZ7XT5NVLWB.")
    jot.remember("Met with John Smith of Globex about Redis.")
    jot.work()
    jot.knowledge.merge("people:john-smith", into="tools:redis")
    clock.tick(HOUR)


def _run_each_step(jot: Jotsam, clock: MovedClock) -> None:
    clock.tick(90 * DAY)
    runs = []
    for step in jot.lifecycle.steps():
        runs.append(jot.lifecycle.run(step.step))
        jot.work()
    jot.lifecycle.undo(runs[0].id)
    jot.work()
