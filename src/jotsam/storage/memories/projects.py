"""The projects of a tenant: their keys and labels, and which of them are joined.

`resolve` is the only function that turns a given name into a key. Rows always refer to the project that
their own is joined to; `joined_from` is where they belong when the two are split.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.project_identity import is_key, label_of
from jotsam.core.records import Record
from jotsam.core.validate import replace_unstorable, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

MAX_JOINS = 100  # that are followed from one project to another
MOVING = "projects.move_memories", "projects.move_documents", "projects.move_themes"
RETURNING = "projects.return_memories", "projects.return_documents", "projects.return_themes"


class Place(Record):
    """The project of a new row, and where it belongs when that is split."""

    project: str | None = None
    joined_from: str | None = None
    is_new: bool = False  # the project is to be added with the row


def resolve(tx: Transaction, name: str) -> str:
    """The key of the project that a name means: its key, or a label that no other has, or else a new project.

    "" is none. Raises `InvalidInput` for the label of several.
    """
    if not name:
        return name
    known = tx.one("projects.get", key=name)
    if known is not None:
        return _joined(tx, known)
    if is_key(name) or tx.one("projects.is_used", key=name):
        return name
    found = [row["key"] for row in tx.all("projects.labelled", label=name)]
    if len(found) > 1:
        raise InvalidInput(f"project {shown(name)} is the label of several: give one of the keys {', '.join(found)}")
    return found[0] if found else name


def place(tx: Transaction, name: str | None) -> Place:
    """Where something new is stored. Only reads."""
    if not name:
        return Place()
    known = tx.one("projects.get", key=name)
    if known is not None:
        key = _joined(tx, known)
        return Place(project=key, joined_from=name if key != name else None)
    key = resolve(tx, name)
    return Place(project=key, is_new=key == name)


def of_row(tx: Transaction, project: str | None, joined_from: str | None) -> dict[str, str | None]:
    """The same for a row that comes back: from an export, or the trash. Its projects are keys, and are not added."""
    home = joined_from or project
    known = tx.one("projects.get", key=home) if home else None
    if known is None:
        return {"project": project, "joined_from": joined_from}
    key = _joined(tx, known)
    return {"project": key, "joined_from": home if key != home else None}


def asked(tx: Transaction, name: str | None) -> str | None:
    """`resolve` for a filter; None and "" filter nothing."""
    return resolve(tx, replace_unstorable(name)) if name else name


def get(tx: Transaction, key: str) -> Row | None:
    return tx.one("projects.get", key=key)


def every(tx: Transaction) -> dict[str, Row]:
    """By key: label, joined_to, mark, looked_at, created_at."""
    return {row["key"]: row for row in tx.all("projects.every")}


def add(tx: Transaction, key: str, *, label: str = "") -> None:
    """Add a project, unless it is known."""
    tx.run("projects.add", key=key, label=label or label_of(key))


def labels(rows: dict[str, Row]) -> dict[str, str]:
    """By key, from the rows of `every`, what people see: the label, with the key if another project has it too."""
    own = [row for row in rows.values() if not row["joined_to"]]
    seen: dict[str, int] = {}
    for row in own:
        seen[row["label"]] = seen.get(row["label"], 0) + 1
    return {row["key"]: _shown(row["label"], row["key"], is_only=seen[row["label"]] == 1) for row in own}


def label(tx: Transaction, key: str) -> str:
    """The same of one project."""
    row = tx.one("projects.get", key=key)
    if row is None:
        return label_of(key)
    return _shown(row["label"], key, is_only=len(tx.all("projects.labelled", label=row["label"])) < 2)


def restore(
    tx: Transaction, *, key: str, label: str, joined_to: str | None, looked_at: int | None, created_at: int
) -> None:
    """Add a project of an export, unless it is known."""
    tx.run("projects.restore", key=key, label=label, joined_to=joined_to, looked_at=looked_at, created_at=created_at)


def looked(tx: Transaction, key: str, *, mark: str) -> None:
    """Note that a session has looked for what earlier versions stored, and the mark of the git directory."""
    tx.run("projects.look", key=key, mark=mark or None)


def marked(tx: Transaction, key: str, *, mark: str) -> Row | None:
    """Another project with the git directory of this mark: key, label."""
    return tx.one("projects.marked", key=key, mark=mark) if mark else None


def set_label(tx: Transaction, key: str, label: str) -> None:
    tx.run("projects.set_label", key=key, label=label)


def latest(tx: Transaction, key: str) -> Row:
    """When something was last stored under a name, and its `memories` and `documents`, counted up to 1,001."""
    row = tx.one("projects.latest", key=key)
    assert row is not None
    return row


def sizes(tx: Transaction, key: str) -> dict[str, int]:
    """How many memories, documents, blocks and themes a project has."""
    row = tx.one("projects.sizes", key=key, joined_from=None)
    return dict(row or {})


def returning(tx: Transaction, key: str, *, into: str) -> dict[str, int]:
    """How many of them would return when a project is split from another."""
    found: dict[str, int] = {}
    for origin in _origins(tx, into):
        row = tx.one("projects.sizes", key=key, joined_from=origin)
        for name, number in (row or {}).items():
            found[name] = found.get(name, 0) + number
    return found


def join(tx: Transaction, key: str, *, into: str) -> list[str]:
    """Move all rows of a project to another. Returns the blocks that were renamed, because it has one of their name."""
    tx.run("projects.set_joined", key=key, joined_to=into)
    for query in MOVING:
        tx.run(query, key=key, into=into)
    tx.run("notes.move", key=key)
    return _move_blocks(tx, key, into, origins=None)


def split(tx: Transaction, key: str) -> list[str]:
    """Return to a project what came from it, and from those that were joined to it before.

    Returns the blocks that keep another name, because it has one of theirs.
    """
    origins, now_at = _origins(tx, key), resolve(tx, key)
    for origin in origins:
        for query in RETURNING:
            tx.run(query, key=now_at, into=key, origin=origin)
    tx.run("notes.move", key=now_at)
    tx.run("projects.set_joined", key=key, joined_to=None)
    return _move_blocks(tx, now_at, key, origins=origins)


def forget_empty(tx: Transaction) -> None:
    """Delete the keys and labels of projects of which nothing is left."""
    tx.run("projects.forget_empty")


def _shown(label: str, key: str, *, is_only: bool) -> str:
    return label if is_only or label == key else f"{label} ({key})"


def _joined(tx: Transaction, row: Row) -> str:
    """The key of the project that a project is joined to, or its own."""
    for _ in range(MAX_JOINS):
        target = row["joined_to"] and tx.one("projects.get", key=row["joined_to"])
        if not target:
            break
        row = target
    return str(row["key"])


def _origins(tx: Transaction, key: str) -> list[str]:
    """A project and those that are joined to it, directly or not."""
    found = [key]
    for one in found:
        found += [row["key"] for row in tx.all("projects.joined", key=one) if row["key"] not in found]
    return found


def _move_blocks(tx: Transaction, key: str, into: str, *, origins: list[str] | None) -> list[str]:
    """Move the blocks of a project, or those with these origins. A name that is taken gets a number."""
    renamed = []
    for block in tx.all("projects.blocks", key=key):
        if origins is not None and block["joined_from"] not in origins:
            continue
        origin = block["joined_from"] or key
        wanted = block["joined_name"] or block["name"]
        name, number = wanted, 1
        while tx.one("projects.has_block", project=into, actor=block["actor"], name=name):
            number += 1
            name = f"{wanted} {number}"
        renamed += [name] if name != wanted else []
        tx.run(
            "projects.move_block",
            **{part: block[part] for part in ("actor", "name")},
            project=key,
            into=into,
            new_name=name,
            joined_from=None if origin == into else origin,
            joined_name=None if name == wanted else wanted,
        )
    return renamed
