"""Tombstones: keyed hashes of what was forgotten for good, so that it is not accepted again. No text is stored.

The key is random and stored in the database, so hashes of two databases or tenants cannot be compared. Anyone who can
read the database can test whether a guessed text was forgotten.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Transaction

    Name = tuple[str, str | None]  # what it is, and its value; None is not looked up

TEXT, KEY, EXTERNAL_ID = "text", "key", "external id"


def save(tx: Transaction, names: Iterable[Name]) -> int:
    """Refuse these texts and identifiers from now on. Returns how many were not refused before."""
    tx.run("tombstones.create_key", key=os.urandom(32).hex())
    hashes = _hashes(_key(tx), names)
    return len(tx.all("tombstones.save", hashes=_json(hashes)))


def is_forgotten(tx: Transaction, names: Iterable[Name]) -> bool:
    """Whether one of them was forgotten for good."""
    key = _key(tx)
    return bool(key) and tx.one("tombstones.find", hashes=_json(_hashes(key, names))) is not None


def forgotten_among(tx: Transaction, names: Iterable[Name]) -> set[Name]:
    """Those that were forgotten for good."""
    key = _key(tx)
    if not key:
        return set()
    hashes = {name: one for name in names for one in _hashes(key, [name])}
    found = {row["hash"] for row in tx.all("tombstones.find", hashes=_json({*hashes.values()}))}
    return {name for name, one in hashes.items() if one in found}


def remove(tx: Transaction, names: Iterable[Name]) -> int:
    """Accept these again. Returns how many were refused."""
    key = _key(tx)
    return len(tx.all("tombstones.remove", hashes=_json(_hashes(key, names)))) if key else 0


def _key(tx: Transaction) -> str:
    """The key of the tenant; empty if nothing was forgotten for good."""
    row = tx.one("tombstones.key")
    return row["key"] if row else ""


def _hashes(key: str, names: Iterable[Name]) -> set[str]:
    from hashlib import blake2s  # slow to import, and most tenants have no tombstone

    secret = bytes.fromhex(key)
    values = (f"{what}\0{value.strip()}" for what, value in names if value is not None)
    return {blake2s(value.encode("utf-8", "surrogatepass"), key=secret).hexdigest() for value in values}


def _json(hashes: Iterable[str]) -> str:
    import json  # slow to import

    return json.dumps(sorted(hashes))
