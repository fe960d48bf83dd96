"""The index of words of a file: whether it holds what it should, and making it anew out of the texts.

It stands on the door floor. All that the index holds can be worked out from the tables, so its damage loses nothing. A
server mends its indexes itself (`reindex`), and is never asked here.
"""

from __future__ import annotations

from jotsam.core.answers import Terms
from jotsam.ingest import accept
from jotsam.pipeline.text.words import STOP_WORDS, index_terms
from jotsam.storage import documents, memories, migrations, search, table_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.records import Document, Memory
    from jotsam.storage.database import Transaction

SAMPLE = 50
BATCH = 500
MADE = "create virtual table text_index using"


def damage(tx: Transaction) -> str | None:
    """What is wrong with it, in a few words; None where nothing is. Of the latest memories each must be found.

    The index's own check follows what it leads to, and sees nothing where it leads nowhere: then it finds nothing, and
    says nothing.
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
        return f"it holds {sizes['indexed']:,} texts of {sizes['expected']:,}"
    return f"{lost:,} of the latest memories are not found by their words" if lost else None


def rebuild(tx: Transaction) -> int:
    """Make it anew, in one transaction, of all tenants. Returns of how many texts."""
    tx.run("text_index.drop")
    for sql in _made():
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


def _made() -> tuple[str, ...]:
    """How a new database makes its index: the statement and the one after it."""
    (script,) = (
        one.script for one in migrations.outstanding("sqlite", found={}, wanted={"memory": 1}) if MADE in one.script
    )
    create, rank, *_ = script[script.index(MADE) :].split(";")
    return create, rank


def _memories(tx: Transaction) -> int:
    done, last = 0, 0
    while texts := memories.texts(tx, after=last, limit=BATCH):
        last = max(texts)
        done += sum(_index(tx, number, item) for number, item in texts.items())
    return done


def _documents(tx: Transaction) -> int:
    done, last = 0, 0
    while texts := documents.uncut(tx, after=last, limit=BATCH):
        last = max(texts)
        done += sum(_index(tx, -number, item) for number, item in texts.items())
    return done


def _index(tx: Transaction, ref: int, item: Memory | Document) -> int:
    words, grams = index_terms(item.text)
    search.index(tx, ref, body=words, context=accept.index_context(item), grams=grams)
    return 1
