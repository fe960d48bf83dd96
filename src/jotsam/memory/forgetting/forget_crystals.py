"""Which crystals are forgotten with memories, so that a text that was forgotten is nowhere left."""

from __future__ import annotations

from jotsam.pipeline.lifecycle.triage import is_quoted
from jotsam.storage.lifecycle import crystals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from jotsam.storage.database import Transaction

PAGE = 500


def crystals_without(tx: Transaction, numbers: Collection[int]) -> list[int]:
    """Of the crystals that are made of these memories: those that quote one, and those that have no other source.

    The next run of the step makes a crystal again of what is left, if enough sessions still say it.
    """
    gone, texts = {*numbers}, dict[int, str]()
    sources: dict[int, dict[int, str]] = {}
    ordered = sorted(gone)
    for begin in range(0, len(ordered), PAGE):
        for row in crystals.made_of(tx, ordered[begin : begin + PAGE]):
            texts[row["crystal_id"]] = row["crystal"]
            sources.setdefault(row["crystal_id"], {})[row["id"]] = row["body"]
    found = []
    for crystal, text in texts.items():
        forgotten = sources[crystal].keys() & gone
        quotes = any(is_quoted(text, sources[crystal][number]) for number in forgotten)
        if crystal not in gone and (quotes or forgotten == sources[crystal].keys()):
            found.append(crystal)
    return sorted(found)
