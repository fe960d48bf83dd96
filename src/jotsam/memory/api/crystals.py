"""`Jotsam.crystals`: what sessions agree on, what may become it, and what was refused with the reason.

The step `crystals` of the lifecycle promotes by itself; here a person does, or takes it back.
"""

from __future__ import annotations

import json

from jotsam.core import validate
from jotsam.core.crystal_records import SHOWN_STATES, Crystal
from jotsam.core.errors import InvalidInput
from jotsam.core.operations import Operation
from jotsam.core.validate import MAX_ID
from jotsam.ingest.validation import check_line
from jotsam.memory.reading.show import memory_row
from jotsam.pipeline.lifecycle import triage
from jotsam.pipeline.lifecycle.agreement import problem_with, title_of
from jotsam.pipeline.lifecycle.triage_cues import CONTEXT
from jotsam.storage.lifecycle import crystals, lifecycle
from jotsam.storage.memories import memories, projects
from jotsam.worker.lifecycle.crystal_changes import apply_crystal
from jotsam.worker.lifecycle.crystals import TYPES, decision_of, new_crystal, sayings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Row, Transaction

MAX_LISTED = 10_000
BY_HAND = "confirmed by hand"
DEFAULT_KIND = "fact"  # of a memory that a person confirms and the rules do not know


class Crystals:
    """The crystals of one tenant."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database, self._settings, self._tenant = database, settings, settings.tenant

    @Operation(
        route="GET /v1/crystals",
        scope="read",
        limits={"limit": (1, MAX_LISTED)},
        with_staleness=True,
        summary="What several sessions agree on",
    )
    def list(self, *, state: str | None = None, project: str | None = None, limit: int = 100) -> tuple[Crystal, ...]:
        """Crystals, the latest first; then what may become one, and what was refused. Raises `InvalidInput`.

        `state` is promoted, retracted, candidate or refused; by default all but retracted ones.
        """
        validate.check_int("limit", limit, 1, MAX_LISTED)
        if state is not None and state not in SHOWN_STATES:
            raise InvalidInput(f"invalid state {state!r}: must be one of {', '.join(SHOWN_STATES)}")
        wanted = (state,) if state else tuple(one for one in SHOWN_STATES if one != crystals.RETRACTED)
        label = check_line("project", project)
        found: list[Crystal] = []
        with self._database.snapshot(tenant=self._tenant) as tx:
            label = projects.asked(tx, label)
            if crystals.PROMOTED in wanted or crystals.RETRACTED in wanted:
                found += [one for one in _made(tx, label, limit) if one.state in wanted]
            for name in (crystals.REFUSED, crystals.CANDIDATE):
                if name in wanted and len(found) < limit:
                    rows = crystals.listed(tx, state=name, project=label, limit=limit - len(found))
                    found += map(_candidate, rows)
        return tuple(found[:limit])

    @Operation(
        route="POST /v1/crystals",
        scope="write",
        body="ConfirmBody: The id of a memory. Its kind: decision, preference, procedure, fact or learning.",
        summary="Make a crystal of a memory",
    )
    def confirm(self, id: str, *, kind: str | None = None) -> Crystal:
        """Make a crystal of a memory at once. `retract` takes it back. Raises `NotFound`, `InvalidInput`.

        `kind` is decision, preference, procedure, fact or learning; by default what the rules find, else fact.
        """
        if kind is not None and kind not in TYPES:
            raise InvalidInput(f"invalid kind {kind!r}: must be one of {', '.join(TYPES)}")
        with self._database.transaction(tenant=self._tenant) as tx:
            lifecycle.lock(tx)
            row = crystals.current(tx, memory_row(tx, id=id)["id"])
            if row is None:
                raise InvalidInput(f"memory {id[:40]!r} was superseded: confirm what replaces it")
            text, said = row["body"].strip(), sayings(row)
            best = max(said, key=lambda one: one.confidence, default=None)
            _check(tx, row, text)
            chosen = kind or (best.kind if best else DEFAULT_KIND)
            decided = decision_of(row, best, judged_by=crystals.PERSON) if best else _decided(row, chosen, text)
            made = apply_crystal(
                tx,
                {
                    **new_crystal(text, kind=chosen, why=BY_HAND, confidence=1.0, embeds=self._settings.has_embedder),
                    "project": row["project"],
                    "actor": row["actor"],
                    "said_at": row["at"],
                    "sources": [[row["id"], row["version"], {**decided, "kind": chosen}]],
                },
            )
            assert made is not None  # the memory cannot change in the meantime
            return _one(tx, crystals.uuid_of(tx, made["crystal"]))

    @Operation(route="POST /v1/crystals/{id}/retract", scope="write", summary="Hide a crystal")
    def retract(self, id: str) -> Crystal:
        """Hide a crystal from recall, and promote nothing that says the same. Raises `NotFound`, `InvalidInput`."""
        with self._database.transaction(tenant=self._tenant) as tx:
            lifecycle.lock(tx)
            row = _crystal_row(tx, id)
            if not crystals.hide(tx, row["id"]):
                raise InvalidInput(f"crystal {row['uuid'][:8]} was retracted already")
            crystals.set_state(tx, row["id"], state=crystals.RETRACTED)
            return _one(tx, row["uuid"])

    @Operation(
        route="POST /v1/crystals/{id}/undo-retract", scope="write", summary="Take back that a crystal was retracted"
    )
    def undo_retract(self, id: str) -> Crystal:
        """Take back `retract`. Raises `NotFound`, `InvalidInput`."""
        with self._database.transaction(tenant=self._tenant) as tx:
            lifecycle.lock(tx)
            row = _crystal_row(tx, id)
            if not crystals.show_again(tx, row["id"]):
                raise InvalidInput(f"crystal {row['uuid'][:8]} is not retracted")
            crystals.set_state(tx, row["id"], state=crystals.PROMOTED)
            return _one(tx, row["uuid"])


def _check(tx: Transaction, row: Row, text: str) -> None:
    """Raises `InvalidInput` with the reason for which a memory cannot be a crystal."""
    if crystals.TAG in memories.tags(tx, row["id"]):
        raise InvalidInput(f"{row['uuid'][:8]} is a crystal already")
    problem = problem_with(text, is_quote=True, sources=1)
    title = title_of(text)
    for other in crystals.of_project(tx, row["project"]):
        if other["superseded_at"] is None and title_of(other["body"]).casefold() == title.casefold():
            problem = f"duplicate: crystal {other['uuid'][:8]} has the title {title!r}"
    if problem:
        raise InvalidInput(f"memory {row['uuid'][:8]} cannot be a crystal: {problem}")


def _decided(row: Row, kind: str, text: str) -> dict[str, Any]:
    return {
        "version": triage.VERSION,
        "text_version": row["version"],
        "kind": kind,
        "title": title_of(text),
        "confidence": 1.0,
        "judged_by": crystals.PERSON,
    }


def _crystal_row(tx: Transaction, id: str) -> Row:
    row = memory_row(tx, id=id)
    if crystals.TAG not in memories.tags(tx, row["id"]):
        raise InvalidInput(f"memory {row['uuid'][:8]} is not a crystal: `jotsam themes crystals` lists them")
    return row


def _one(tx: Transaction, uuid: str) -> Crystal:
    row = memory_row(tx, id=uuid)
    return _crystal(row, tuple(one["uuid"] for one in crystals.sources(tx, [row["id"]])))


def _made(tx: Transaction, project: str | None, limit: int) -> list[Crystal]:
    rows = crystals.every(tx, project=project, before=MAX_ID, limit=limit)
    sources: dict[int, list[str]] = {}
    for one in crystals.sources(tx, [row["id"] for row in rows]):
        sources.setdefault(one["crystal_id"], []).append(one["uuid"])
    return [_crystal(row, tuple(sources.get(row["id"], ()))) for row in rows]


def _crystal(row: Row, sources: tuple[str, ...]) -> Crystal:
    about = json.loads(row["metadata"] or "{}")
    return Crystal(
        id=row["uuid"],
        state=crystals.PROMOTED if row["superseded_at"] is None else crystals.RETRACTED,
        kind=str(about.get("kind", CONTEXT)),
        title=str(about.get("title") or title_of(row["body"])),
        text=row["body"],
        confidence=row["confidence"],
        project=row["project"],
        created_at=row["created_at"],
        why=about.get("why"),
        sources=sources,
    )


def _candidate(row: Row) -> Crystal:
    return Crystal(
        id=row["uuid"],
        state=row["state"],
        kind=row["kind"],
        title=title_of(row["title"]),
        text=row["title"],
        confidence=row["confidence"],
        project=row["project"],
        created_at=row["created_at"],
        reason=row["reason"],
        judged_by=_judge(row["judged_by"], row["version"]),
    )


def _judge(by: str, version: int) -> str:
    """Who judged a memory. Without a model, a version of the rules did, as for what no model is asked about."""
    return f"{crystals.RULES} {version}" if by in (crystals.RULES, crystals.GATE) else by
