"""Themes: groups of similar memories, their summaries, and duplicates that were merged into one memory."""

from __future__ import annotations

import json

from jotsam.core.lifecycle_records import MemoryTheme, MergedSource
from jotsam.storage.graph import graph
from jotsam.storage.memories import memories, projects
from jotsam.storage.recall.summaries import CLUSTER, SUMMARY_TAG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.storage.database import Row, Transaction, Value

DUPLICATE_OF = "DUPLICATE_OF"
MAX_SHOWN = 100  # members of a theme, or memories merged into one


def every(tx: Transaction, *, project: str | None = None, limit: int = 100) -> tuple[MemoryTheme, ...]:
    """The themes of a project, or of all, those with most members first."""
    return tuple(_theme(tx, row) for row in tx.all("themes.every", project=project, limit=limit))


def of_memory(tx: Transaction, number: int) -> tuple[MemoryTheme, ...]:
    """The themes of a memory."""
    return tuple(_theme(tx, row) for row in tx.all("themes.of_memory", memory_id=number))


def merged_into(tx: Transaction, number: int) -> tuple[MergedSource, ...]:
    """What was merged into a memory, the first said first."""
    return tuple(MergedSource(**row) for row in tx.all("themes.merged", id=number, limit=MAX_SHOWN))


def _theme(tx: Transaction, row: Row) -> MemoryTheme:
    listed = tx.all("themes.member_uuids", theme_id=row["id"], limit=MAX_SHOWN)
    return MemoryTheme(
        id=row["uuid"],
        project=row["project"],
        name=row["name"],
        terms=tuple(row["terms"].split()),
        summary=row["summary"],
        size=row["members"],
        members=tuple(one["uuid"] for one in listed),
        created_at=row["created_at"],
    )


def all_members(tx: Transaction) -> tuple[dict[str, frozenset[int]], dict[str, str | None]]:
    """The ids of the members of each theme by its UUID, and the UUIDs of the summaries."""
    members: dict[str, set[int]] = {}
    summaries: dict[str, str | None] = {}
    for row in tx.all("themes.all_members"):
        some = members.setdefault(row["uuid"], set())
        if row["memory_id"] is not None:
            some.add(row["memory_id"])
        summaries[row["uuid"]] = row["summary"]
    return {uuid: frozenset(some) for uuid, some in members.items()}, summaries


def state(tx: Transaction, uuid: str) -> Row | None:
    """A theme as plain values: id, uuid, project, name, terms, summary_id, members."""
    row = tx.one("themes.get", uuid=uuid)
    if row is None:
        return None
    return {**row, "members": [one["memory_id"] for one in tx.all("themes.members", theme_id=row["id"])]}


def add(tx: Transaction, *, uuid: str, project: str | None, name: str, terms: str, members: Sequence[int]) -> None:
    """Add a theme to the project that its own is joined to now."""
    place = projects.of_row(tx, project, None)
    row = tx.one("themes.add", uuid=uuid, name=name, terms=terms, **place)
    assert row is not None
    _set_members(tx, row["id"], place["project"], members)


def restore(tx: Transaction, before: Mapping[str, Value | list[int]]) -> None:
    """Add a theme as it was."""
    fields: dict[str, Value] = {name: value for name, value in before.items() if not isinstance(value, list)}
    place = projects.of_row(tx, fields["project"], None)  # type: ignore[arg-type]  # It is a text, or none.
    tx.run("themes.restore", **{**fields, **place})
    _set_members(tx, fields["id"], place["project"], before["members"])


def update(tx: Transaction, number: int, *, project: str | None, name: str, terms: str, members: Sequence[int]) -> None:
    tx.run("themes.update", id=number, name=name, terms=terms)
    _set_members(tx, number, projects.of_row(tx, project, None)["project"], members)


def _set_members(tx: Transaction, number: Value, project: Value, members: object) -> None:
    tx.run("themes.clear_members", theme_id=number)
    tx.run("themes.add_members", theme_id=number, project=project, members=json.dumps(members))


def delete(tx: Transaction, number: int) -> None:
    tx.run("themes.delete", id=number)


def set_summary(tx: Transaction, number: int, summary: int | None) -> None:
    """Set which memory summarises a theme."""
    tx.run("themes.set_summary", id=number, summary_id=summary)


def summary(tx: Transaction, number: int) -> Row | None:
    """A summary as plain values, with its `sources`; None if it was changed since it was made."""
    row = tx.one("themes.summary", id=number)
    if row is None:
        return None
    return {**row, "sources": [one["id"] for one in tx.all("themes.sources_of_summary", id=number)]}


def add_summary(tx: Transaction, fields: Mapping[str, Value | list[int]]) -> int:
    """Save a summary with its tag and the links to its `sources`; with an `id`, as it was before. Returns its id."""
    values: dict[str, Value] = {name: value for name, value in fields.items() if not isinstance(value, list)}
    values |= projects.of_row(tx, values["project"], None)  # type: ignore[arg-type]  # It is a text, or none.
    if "id" in values:
        tx.run("themes.restore_summary", **values)
        number = values["id"]
    else:
        row = tx.one("themes.add_summary", **values)
        assert row is not None
        number = row["id"]
    assert isinstance(number, int)
    memories.tag(tx, number=number, tags=(SUMMARY_TAG,), extractor=CLUSTER)
    tx.run("themes.link_sources", id=number, members=json.dumps(fields["sources"]))
    return number


def link_duplicate(tx: Transaction, number: int, *, into: int) -> list[str]:
    """Link a duplicate to the memory that stays, which gets its callers' tags. Returns those that it had not."""
    tags = [row["tag"] for row in tx.all("themes.given_tags", memory_id=number, other=into)]
    memories.tag(tx, number=into, tags=tags)
    graph.link(tx, source=number, target=into, type=DUPLICATE_OF, extractor=CLUSTER)
    return tags


def unlink_duplicate(tx: Transaction, number: int, *, into: int, tags: Iterable[str]) -> None:
    """Take that back."""
    tx.run_many("themes.untag", [{"memory_id": into, "tag": tag} for tag in tags])
    tx.run("themes.unlink", source_id=number, target_id=into, type=DUPLICATE_OF)


def summaries_without(tx: Transaction, numbers: Iterable[int]) -> list[Row]:
    """The summaries that go with some memories: `id`, and the ids of the `theme` and of the `sources`."""
    gone = {*numbers}
    made = [row for row in tx.all("themes.summaries_of", refs=json.dumps(sorted(gone))) if row["id"] not in gone]
    for row in made:
        row["sources"] = [one["id"] for one in tx.all("themes.sources_of_summary", id=row["id"])]
    return made
