"""Memory blocks: small named texts of a tenant, each for a project and an actor, or for none."""

from __future__ import annotations

from jotsam.core.records import MemoryBlock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

MAX_PINNED = 100


def get(tx: Transaction, *, name: str, project: str, actor: str) -> MemoryBlock | None:
    """A block; `project` and `actor` are "" for none."""
    row = tx.one("blocks.get", name=name, project=project, actor=actor)
    return None if row is None else _record(row)


def every(
    tx: Transaction, *, project: str | None = None, actor: str | None = None, pinned: bool | None = None, limit: int
) -> tuple[MemoryBlock, ...]:
    """Blocks by name. None: of any project, of any actor, pinned or not."""
    is_pinned = None if pinned is None else int(pinned)
    rows = tx.all("blocks.list", project=project, actor=actor, pinned=is_pinned, limit=limit)
    return tuple(map(_record, rows))


def pinned(tx: Transaction, *, project: str | None, actor: str | None) -> tuple[MemoryBlock, ...]:
    """The pinned blocks that apply to a project and an actor: theirs, and those for all."""
    rows = tx.all("blocks.pinned", project=project or "", actor=actor or "", limit=MAX_PINNED)
    return tuple(map(_record, rows))


def save(tx: Transaction, block: MemoryBlock) -> None:
    tx.run(
        "blocks.save",
        id=block.id,
        name=block.name,
        project=block.project or "",
        actor=block.actor or "",
        body=block.text,
        max_length=block.limit,
        pinned=int(block.pinned),
        version=block.version,
        created_at=block.created_at,
        changed_at=block.changed_at,
    )


def delete(tx: Transaction, *, name: str, project: str, actor: str) -> None:
    tx.run("blocks.delete", name=name, project=project, actor=actor)


def forget(tx: Transaction, ids: Iterable[str]) -> list[str]:
    """Delete blocks by UUID. Returns their texts."""
    import json

    return [row["body"] for row in tx.all("blocks.forget", ids=json.dumps([*ids]))]


def _record(row: Row) -> MemoryBlock:
    return MemoryBlock(
        id=row["id"],
        name=row["name"],
        text=row["body"],
        limit=row["max_length"],
        pinned=bool(row["pinned"]),
        project=row["project"] or None,
        actor=row["actor"] or None,
        version=row["version"],
        created_at=row["created_at"],
        changed_at=row["changed_at"],
    )
