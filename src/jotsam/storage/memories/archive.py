"""Archived memories: hidden from recall until they are unarchived."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def archive(tx: Transaction, number: int, *, into: int | None) -> bool:
    """Hide a memory, because of its age or because it was merged `into` another. False: it is not current now."""
    return tx.one("archive.archive", id=number, into_id=into) is not None


def archive_by_hand(tx: Transaction, number: int) -> None:
    """Hide a memory that is not archived yet."""
    tx.run("archive.archive_by_hand", id=number)


def unarchive(tx: Transaction, number: int) -> None:
    """Show a memory again, whatever it was archived for."""
    tx.run("archive.unarchive", id=number)


def unarchive_merged(tx: Transaction, memories: str) -> list[str]:
    """Show the memories again that were merged into some (a JSON list of ids) which are current. Returns their UUIDs.

    Those that were merged into a memory which is superseded or archived itself stay archived.
    """
    return [row["uuid"] for row in tx.all("archive.unarchive_merged", memories=memories)]


def merged_into(tx: Transaction, number: int) -> tuple[str, ...]:
    """The UUIDs of the memories that were archived because they were merged into one."""
    return tuple(row["uuid"] for row in tx.all("archive.merged_into", id=number))


def restore(tx: Transaction, number: int, *, into: int | None, at: int) -> bool:
    """Show a memory again that was archived at a time for a reason. False: it is not archived so."""
    return tx.one("archive.restore", id=number, into_id=into, at=at) is not None


def is_archived_alone(tx: Transaction, number: int) -> bool:
    """Whether a memory is archived, enriched and no chunk of a document."""
    return tx.one("archive.archived_alone", id=number) is not None
