"""The engines that are registered with a database. All its tenants and processes share them."""

from __future__ import annotations

import os

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


class RegisteredEngine(Record):
    """An engine: its name, which is its kind, and its address, which contains no password."""

    name: str
    address: str
    place: str  # the database that it was added to
    version: str  # of its server
    xact: int
    created_at: int
    error: str | None  # the last error about a single memory
    error_at: int | None


def every(tx: Transaction) -> list[RegisteredEngine]:
    return [RegisteredEngine(**row) for row in tx.all("engines.every")]


def find(tx: Transaction, name: str) -> RegisteredEngine | None:
    return next((one for one in every(tx) if one.name == name), None)


def save(tx: Transaction, *, name: str, address: str, version: str) -> None:
    tx.run("engines.save", name=name, address=address, place=place(tx), version=version)


def remove(tx: Transaction, name: str) -> bool:
    """False if it was not registered."""
    return tx.one("engines.remove", name=name) is not None


def set_version(tx: Transaction, name: str, *, version: str) -> None:
    tx.run("engines.set_version", name=name, version=version)


def set_error(tx: Transaction, name: str, *, error: str | None) -> None:
    tx.run("engines.set_error", name=name, error=error)


def place(tx: Transaction) -> str:
    """What tells this database from a copy of it: a copied or restored file has another inode."""
    row = tx.one("engines.place")
    if row is not None and row["place"]:
        return str(row["place"])
    return f"{os.stat(tx.url).st_ino} {tx.url}"


def is_settled(tx: Transaction, engine: RegisteredEngine) -> bool:
    """Whether every transaction has ended that could have written without logging it for the engine."""
    row = tx.one("engines.is_settled", xact=engine.xact)
    return bool(row and row["settled"])
