"""Full-text index of a SQLite file: check it, and rebuild it from the stored texts.

The index can be computed from the tables, so damage to it loses nothing. On PostgreSQL `reindex` does this.
"""

from __future__ import annotations

from jotsam.core.answers import Terms
from jotsam.ingest import accept
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.storage import migrations
from jotsam.storage.memories import documents, memories
from jotsam.storage.recall import search
from jotsam.storage.transfer import table_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.records import Document, Memory
    from jotsam.storage.database import Transaction

SAMPLE = 50
BATCH = 500
CREATE_INDEX = "create virtual table text_index using"


def damage(tx: Transaction) -> str | None:
    """A description of the damage, or None. Also searches for each of the latest memories.

    The integrity check of the index only follows its own entries, so it does not notice entries that are missing.
    """
    try:
        checked = [str(row["integrity_check"]) for row in tx.execute("pragma integrity_check(text_index)")]
        sizes = tx.one("text_index.sizes")
        lost = sum(not _is_found(tx, row["id"], row["body"]) for row in tx.all("text_index.sample", limit=SAMPLE))
    except Exception as error:
        reason = tx.recover(error)
        if reason is None:
            raise
        return reason
    assert sizes is not None
    if checked != ["ok"]:
        return checked[0]
    if sizes["expected"] != sizes["indexed"]:
        return f"it contains {sizes['indexed']:,} of {sizes['expected']:,} texts"
    return f"{lost:,} of the latest memories are not found" if lost else None


def rebuild(tx: Transaction) -> int:
    """Rebuild the index of all tenants. Returns the number of texts."""
    if tx.execute("select 1 from sqlite_schema where name = 'text_index'"):
        tx.run("text_index.drop")
    tx.run("text_index.drop_leftovers")
    for sql in _create_statements():
        tx.execute(sql)
    total = 0
    for tenant in table_copy.tenants(tx):
        tx.set_tenant(tenant)
        total += _memories(tx) + _documents(tx)
    return total


def _is_found(tx: Transaction, ref: int, body: str) -> bool:
    words = [word for word in body.lower().split() if word.isascii() and word.isalnum() and word not in STOP_WORDS]
    if not words:
        return True
    asked = search.expression(tx, Terms(words=(max(words, key=len),)))
    return not search.unmatched(tx, asked=asked, refs=[ref])


def _create_statements() -> tuple[str, ...]:
    """The statements with which the migration creates the index, and sets its ranking."""
    (script,) = (
        one.script
        for one in migrations.outstanding("sqlite", found={}, wanted={"memory": 1})
        if CREATE_INDEX in one.script
    )
    create, rank, *_ = script[script.index(CREATE_INDEX) :].split(";")
    return create, rank


def _memories(tx: Transaction) -> int:
    done, last = 0, 0
    while texts := memories.indexed_texts(tx, after=last, limit=BATCH):
        last = max(texts)
        done += sum(_index(tx, number, item) for number, item in texts.items())
    return done


def _documents(tx: Transaction) -> int:
    done, last = 0, 0
    while texts := documents.unchunked(tx, after=last, limit=BATCH):
        last = max(texts)
        done += sum(_index(tx, -number, item) for number, item in texts.items())
    search.remove_waiting(tx, last=last)
    return done


def _index(tx: Transaction, ref: int, item: Memory | Document) -> int:
    search.index(tx, ref, **accept.index_fields(item))
    return 1
