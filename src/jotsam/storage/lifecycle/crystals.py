"""What the search for lasting knowledge decided about memories, and the crystals that were made of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.storage.database import Row, Transaction

NONE, CANDIDATE, PROMOTED, REFUSED, RETRACTED = STATES = ("none", "candidate", "promoted", "refused", "retracted")
TAG = "crystal"
DERIVED_FROM = "DERIVED_FROM"
EXTRACTOR = "crystals/1"  # of the links to the sources
RULES, GATE, PERSON = "rules", "gate", "person"  # who judged, if no model did
COLUMNS = ("version", "text_version", "kind", "title", "confidence", "state", "reason", "crystal_id", "judged_by")


def untriaged(tx: Transaction, *, version: int, asks: bool, after: int, limit: int) -> list[Row]:
    """The next memories that these rules have not judged as their text is now, in order.

    `asks`: there is a model, so those are among them that only the rules have judged.
    """
    return tx.all("crystals.untriaged", version=version, asks=int(asks), after=after, limit=limit)


def judged(tx: Transaction, *, project: str | None, after: int, limit: int) -> list[Row]:
    """The next memories of a project, or of none, that say something lasting, in order."""
    return tx.all("crystals.judged", project=project, after=after, limit=limit)


def next_project(tx: Transaction, after: str) -> str | None:
    """The first project after one, in order."""
    row = tx.one("crystals.next_project", after=after)
    return row["project"] if row else None


def triage_of(tx: Transaction, number: int) -> dict[str, Any] | None:
    """What was decided about a memory."""
    row = tx.one("crystals.triage_of", memory_id=number)
    return None if row is None else {name: row[name] for name in COLUMNS}


def set_triage(tx: Transaction, number: int, row: Mapping[str, Any] | None) -> None:
    """Save what was decided about a memory; None: nothing was. A memory that was forgotten since is left out."""
    if row is None:
        tx.run("crystals.delete_triage", memory_id=number)
    else:
        tx.run("crystals.set_triage", memory_id=number, **{name: row[name] for name in COLUMNS})


def of_project(tx: Transaction, project: str | None) -> list[Row]:
    """The crystals of a project, or of none, with retracted ones: id, uuid, body, metadata, superseded_at."""
    return tx.all("crystals.of_project", project=project)


def sources(tx: Transaction, numbers: Iterable[int]) -> list[Row]:
    """Of what crystals are made: crystal_id, id, uuid, session."""
    import json

    return tx.all("crystals.sources", crystals=json.dumps([*numbers]))


def made_of(tx: Transaction, numbers: Iterable[int]) -> list[Row]:
    """The crystals that are made of some memories: crystal_id, crystal (its text), id and body of a source of it."""
    import json

    return tx.all("crystals.made_of", memories=json.dumps([*numbers]))


def every(tx: Transaction, *, project: str | None, before: int, limit: int) -> list[Row]:
    """Crystals, the latest first, retracted ones included; of all projects, or of one."""
    return tx.all("crystals.every", project=project, before=before, limit=limit)


def listed(tx: Transaction, *, state: str, project: str | None, limit: int) -> list[Row]:
    """Memories that were triaged with a result, the surest first."""
    return tx.all("crystals.listed", state=state, project=project, limit=limit)


def current(tx: Transaction, number: int) -> Row | None:
    """A memory, if nothing has replaced it: id, uuid, version, body, project, actor, session, ..."""
    return tx.one("crystals.current", id=number)


def uuid_of(tx: Transaction, number: int) -> str:
    row = current(tx, number)
    assert row is not None
    return str(row["uuid"])


def hide(tx: Transaction, number: int) -> bool:
    """Retract a crystal: it is no longer valid. False if it is not valid already."""
    return tx.one("crystals.hide", id=number) is not None


def show_again(tx: Transaction, number: int) -> bool:
    """Take back `hide`."""
    return tx.one("crystals.show_again", id=number) is not None


def set_state(tx: Transaction, crystal: int, *, state: str) -> None:
    """Set the state of the memories that a crystal is made of."""
    tx.run("crystals.set_state", crystal_id=crystal, state=state)


def unlink(tx: Transaction, crystal: int, source: int) -> bool:
    """Remove the link from a crystal to a source."""
    return tx.one("crystals.unlink", crystal_id=crystal, source_id=source) is not None
