"""The projects of a tenant: their list, and how two are joined, split again and given another label."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.records import Record
from jotsam.core.settings import check_setting
from jotsam.core.validate import check_identifier, shown
from jotsam.storage.memories import documents, memories
from jotsam.storage.memories import projects as stored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Database, Row, Transaction


class Project(Record):
    """A project that memories or documents name."""

    key: str  # what distinguishes it from all others
    label: str  # what people see; followed by the key where another project has the same
    memories: int = 0  # chunks of documents included
    documents: int = 0
    first: int | None = None  # when the first of them was said or written
    last: int | None = None
    joined: tuple[str, ...] = ()  # keys of the projects that were joined to it


class ProjectChange(Record):
    """What joining, splitting or renaming a project does, or with a dry run would do."""

    key: str
    label: str  # with the change
    into: str | None = None  # key of the other project: the one that it is joined to, or was split from
    memories: int = 0  # that move
    documents: int = 0
    blocks: int = 0
    themes: int = 0
    renamed_blocks: tuple[str, ...] = ()  # new names of blocks, because the other project has one of their name
    dry_run: bool = False


def list_projects(tx: Transaction) -> tuple[Project, ...]:
    """All projects with something in them, the one with the latest memory or document first."""
    rows = stored.every(tx)
    names = stored.labels(rows)
    joined: dict[str, list[str]] = {}
    for one, row in rows.items():
        if row["joined_to"]:
            joined.setdefault(row["joined_to"], []).append(one)
    found: dict[str, Project] = {}
    for row in (*memories.by_project(tx), *documents.by_project(tx)):
        key: str = row.pop("project")
        known = found.get(key, Project(key=key, label=names.get(key, key), joined=tuple(joined.get(key, ()))))
        first = row["first"] if known.first is None else min(known.first, row["first"])
        last = row["last"] if known.last is None else max(known.last, row["last"])
        found[key] = known.replace(**row | {"first": first, "last": last})
    return tuple(sorted(found.values(), key=lambda one: (-(one.last or 0), one.key)))


def labels(database: Database, *, tenant: str) -> dict[str, str]:
    """By key what people see of each project."""
    with database.snapshot(tenant=tenant) as tx:
        return stored.labels(stored.every(tx))


def keys(database: Database, name: str, *, tenant: str) -> tuple[str, ...]:
    """The key that a name means, and those of the projects that are joined to it. Raises `InvalidInput`."""
    with database.snapshot(tenant=tenant) as tx:
        key = stored.resolve(tx, name)
        return (key, *(one for one in stored.every(tx) if one != key and stored.resolve(tx, one) == key))


def merge(database: Database, name: str, into: str, *, tenant: str, dry_run: bool) -> ProjectChange:
    """Join a project to another. Raises `InvalidInput`."""
    for value in (name, into):
        check_identifier("project", value)
    with database.snapshot(tenant=tenant) as tx:
        change = _merged(tx, name, into)
    if dry_run:
        return change.replace(dry_run=True)
    with database.transaction(tenant=tenant) as tx:
        tx.lock(f"projects {tenant}")
        change = _merged(tx, name, into)
        for key in (change.key, change.into or ""):
            stored.add(tx, key)
        renamed = stored.join(tx, change.key, into=change.into or "")
    with database.transaction(tenant=tenant) as tx:  # What was being stored when the other began.
        stored.join(tx, change.key, into=change.into or "")
    return change.replace(renamed_blocks=tuple(renamed))


def split(database: Database, name: str, *, tenant: str, dry_run: bool) -> ProjectChange:
    """Take back `merge`. Raises `NotFound`, `InvalidInput`."""
    check_identifier("project", name)
    with database.snapshot(tenant=tenant) as tx:
        change = _split(tx, name)
    if dry_run:
        return change.replace(dry_run=True)
    with database.transaction(tenant=tenant) as tx:
        tx.lock(f"projects {tenant}")
        change = _split(tx, name)
        renamed = stored.split(tx, change.key)
    return change.replace(renamed_blocks=tuple(renamed))


def rename(database: Database, name: str, label: str, *, tenant: str, dry_run: bool) -> ProjectChange:
    """Give a project another label. Raises `NotFound`, `InvalidInput`."""
    check_identifier("project", name)
    check_identifier("label", label)
    check_setting("project_label", label, "label")
    with database.snapshot(tenant=tenant) as tx:
        key = _known(tx, name)
    if not dry_run:
        with database.transaction(tenant=tenant) as tx:
            key = _known(tx, name)
            stored.add(tx, key)
            stored.set_label(tx, key, label.strip())
    return ProjectChange(key=key, label=label.strip(), dry_run=dry_run)


def _merged(tx: Transaction, name: str, into: str) -> ProjectChange:
    row = stored.get(tx, name)
    if row and row["joined_to"]:
        raise InvalidInput(
            f"project {shown(name)} is joined to {row['joined_to']} already: `jotsam db projects split` takes that back"
        )
    key, target = _known(tx, name), stored.resolve(tx, into)
    if key == target:
        raise InvalidInput(f"project {shown(name)} and {shown(into)} are one: {key}")
    known = stored.get(tx, key)
    change = ProjectChange(key=key, label=known["label"] if known else key, into=target)
    return change.replace(**stored.sizes(tx, key))


def _split(tx: Transaction, name: str) -> ProjectChange:
    row = stored.get(tx, name) or _joined_with_label(tx, name)
    if row is None or not row["joined_to"]:
        raise NotFound(f"project {shown(name)} is joined to no other: `jotsam db projects` lists them")
    now_at = stored.resolve(tx, row["key"])
    sizes = stored.returning(tx, now_at, into=row["key"])
    return ProjectChange(key=row["key"], label=row["label"], into=now_at).replace(**sizes)


def _joined_with_label(tx: Transaction, label: str) -> Row | None:
    found = [row for row in stored.every(tx).values() if row["joined_to"] and row["label"] == label]
    if len(found) > 1:
        keys = ", ".join(row["key"] for row in found)
        raise InvalidInput(f"project {shown(label)} is the label of several: give one of the keys {keys}")
    return found[0] if found else None


def _known(tx: Transaction, name: str) -> str:
    """The key of a project that is registered or in use. Raises `NotFound`, `InvalidInput`."""
    key = stored.resolve(tx, name)
    if stored.get(tx, key) is None and not any(stored.sizes(tx, key).values()):
        raise NotFound(f"there is no project {shown(name)}: `jotsam db projects` lists them")
    return key
