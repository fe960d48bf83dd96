"""What a database of a released state answers: a fixed list of calls, and how two lists of answers differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jotsam import Jotsam
from jotsam.core.clock import DAY, new_id
from jotsam.core.records import Record
from tools.released_memory import BEGUN, FARM, GARDEN, TENANTS, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

QUESTIONS = (
    "Where are the readings of the sensors?",
    "How many litres a minute has the pump?",
    "Where does Ana Lima live?",
    "Who proposed PostgreSQL for the billing service?",
    "migration tests before a release",
    "Which port is it?",
    "数据库",
    "",
)
ASKED_AT = BEGUN + 120 * DAY
"""When the questions are asked: months after the last memory."""

VOLATILE = frozenset({"worker", "worker_pid", "spooled", "capture_off"})
"""Fields of the status that describe this machine."""


def answers(url: str) -> dict[str, Any]:
    """By tenant and call, as JSON values. Opening the database migrates it. Recall is counted, so ask a copy once."""
    found = {}
    for tenant in TENANTS:
        with Jotsam(settings=settings(url, tenant, model="hashing"), clock=lambda: ASKED_AT) as jot:
            found[tenant] = {name: plain(call(jot)) for name, call in CALLS.items()}
            found[tenant] |= {f"show {id}": plain(jot.show(id)) for id in _one_of_each(found[tenant])}
            runs = [run["id"] for run in found[tenant]["runs"] if len(run["id"]) == len(new_id())]  # not a made-up one
            found[tenant] |= {f"run {id}": plain(jot.lifecycle.show(id)) for id in runs}
    return found


CALLS: dict[str, Callable[[Jotsam], object]] = {
    "memories": lambda jot: jot.list(history=True, archived=True, limit=200),
    "that hold": lambda jot: [one.id for one in jot.list(limit=200).memories],
    **{f"recall {text}": lambda jot, text=text: _recalled(jot, text) for text in QUESTIONS},  # type: ignore[misc]
    "recall history": lambda jot: _recalled(jot, "pump readings port", history=True, archived=True),
    "brief": lambda jot: jot.brief().text,
    "brief of a project": lambda jot: jot.brief(project=FARM, prompt="Where are the readings?").text,
    "facts": lambda jot: jot.knowledge.facts(history=True, limit=200),
    "entities": lambda jot: jot.knowledge.entities(limit=200),
    "patterns": lambda jot: jot.knowledge.patterns(),
    "redactions": lambda jot: jot.knowledge.redactions(),
    "allowed": lambda jot: jot.knowledge.allowed(),
    "statistics": lambda jot: jot.knowledge.statistics(),
    "blocks": lambda jot: [jot.blocks.list(project=one) for one in (None, FARM, "apollo")],
    "notes": lambda jot: [jot.notes.list(project=one, state="all") for one in (FARM, GARDEN)],
    "crystals": lambda jot: jot.crystals.list(),
    "themes": lambda jot: jot.lifecycle.themes(),
    "found links": lambda jot: jot.lifecycle.links(),
    "steps": lambda jot: jot.lifecycle.steps(),
    "runs": lambda jot: jot.lifecycle.runs(limit=50),
    "projects": lambda jot: jot.projects(),
    "trash": lambda jot: jot.admin.trash(),
    "jobs": lambda jot: [jot.admin.jobs(state=one) for one in ("ready", "waiting", "dead", "blocked")],
    "failures": lambda jot: jot.admin.failure_groups(),
    "status": lambda jot: jot.status(),
    "costs": lambda jot: jot.admin.costs(),
    "tokens": lambda jot: jot.admin.tokens(),
    "audit": lambda jot: jot.admin.audit(),
}


def plain(value: object) -> Any:
    """As JSON has it, without volatile fields."""
    if isinstance(value, Record):
        value = value.as_dict()
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items() if name not in VOLATILE}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return round(value, 6) if isinstance(value, float) else value


def differences(kept: Any, now: Any, where: str = "") -> Iterator[str]:
    """A line for each value that is another one now. Fields that a later version adds are none."""
    if isinstance(kept, dict) and isinstance(now, dict):
        for name, value in kept.items():
            if name in now:
                yield from differences(value, now[name], f"{where}/{name}")
            else:
                yield f"{where}/{name}: is not there"
    elif isinstance(kept, list) and isinstance(now, list) and len(kept) == len(now):
        for number, pair in enumerate(zip(kept, now, strict=True)):
            yield from differences(*pair, f"{where}/{number}")
    elif kept != now:
        yield f"{where}: was {kept!r}, is {now!r}"


def _recalled(jot: Jotsam, text: str, **options: Any) -> dict[str, Any]:
    found = jot.recall(text, limit=8, **options)
    return {"text": str(found), "coverage": found.coverage, "hits": [hit.id for hit in found.hits]}


def _one_of_each(found: dict[str, Any]) -> list[str]:
    """The first memory of each sort, and the documents."""
    sorts: dict[str, str] = {}
    for one in found["memories"]["memories"]:
        for name in ("type", "document", "session", "superseded_at", "archived_at", "valid_until", "metadata"):
            if one.get(name):
                sorts.setdefault(f"{name} {one[name] if name == 'type' else ''}", one["id"])
        if one.get("document"):
            sorts.setdefault(one["document"], one["document"])
    return sorted(set(sorts.values()))
