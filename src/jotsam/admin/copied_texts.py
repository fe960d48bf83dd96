"""The full-text index of a copy, which is made again from the texts."""

from __future__ import annotations

from jotsam.ingest import accept
from jotsam.storage.memories import documents, memories
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jotsam.core.records import Document, Memory
    from jotsam.storage.database import Transaction

    Texts = Mapping[int, Memory | Document]  # by the reference in the index

MEMORIES, DOCUMENTS = "words of memories", "words of documents"
BATCH_TEXTS = 50


def batches(tx: Transaction, name: str, after: int) -> Iterator[tuple[Texts, int]]:
    """The tenant's texts of `MEMORIES` or `DOCUMENTS` with an id above `after`, each time with the last id."""
    read = memories.indexed_texts if name == MEMORIES else documents.unchunked
    sign = 1 if name == MEMORIES else -1
    while texts := read(tx, after=after, limit=BATCH_TEXTS):
        after = max(texts)
        yield {sign * number: item for number, item in texts.items()}, after


def size(texts: Texts) -> int:
    """The number of characters."""
    return sum(len(item.text) for item in texts.values())


def write(tx: Transaction, texts: Texts) -> None:
    for ref, item in texts.items():
        search.index(tx, ref, **accept.index_fields(item))
