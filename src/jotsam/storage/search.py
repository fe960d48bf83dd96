"""The index of words. A reference is the number of a memory, or minus the number of a document not cut yet.

A question is handed in as `Terms`. `expression` turns it into what the index of this database understands, once; the
other functions pass that on and never look inside. Every question is asked within a tenant, and if given within a
`project` and `tags`: a JSON list, of which one must be there. What is superseded, or not valid now, is not found.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.records import Terms
    from jotsam.storage.database import Row, Transaction


def index(tx: Transaction, ref: int, *, body: str, context: str, grams: str) -> None:
    """Make a text findable. `context` is what stands around it (source, section, who said it), and counts less."""
    tx.run("search.index", ref=ref, body=body, context=context, grams=grams)


def unindex(tx: Transaction, ref: int) -> None:
    tx.run("search.unindex", ref=ref)


def expression(tx: Transaction, terms: Terms) -> Row:
    """The terms in the language of this database's index."""
    import json  # Only who asks pays for it; accepting passes through this room too.

    row = tx.one("search.expression", **{name: json.dumps(value) for name, value in terms.as_dict().items()})
    assert row is not None
    return row


def words(tx: Transaction, *, asked: Row, tenant: str, project: str | None, tags: str | None, limit: int) -> list[Row]:
    """The best matches as `ref` and `score` (above 0, higher is better)."""
    return tx.all("search.words", **asked, tenant=tenant, project=project, tags=tags, limit=limit)


def total(tx: Transaction, *, asked: Row, tenant: str, project: str | None, tags: str | None) -> int:
    """How many match in all."""
    row = tx.one("search.total", **asked, tenant=tenant, project=project, tags=tags)
    return int(row["total"]) if row else 0


def newest(tx: Transaction, *, tenant: str, project: str | None, tags: str | None, limit: int) -> list[Row]:
    """The newest memories as `ref` and `score` (1)."""
    return tx.all("search.newest", tenant=tenant, project=project, tags=tags, limit=limit)


def current(tx: Transaction, *, tenant: str, project: str | None, tags: str | None) -> int:
    """How many memories there are."""
    row = tx.one("search.current", tenant=tenant, project=project, tags=tags)
    return int(row["total"]) if row else 0


def unmatched(tx: Transaction, *, asked: Row, refs: str) -> set[int]:
    """Those of the references, a JSON list, that `total` does not count."""
    return {row["ref"] for row in tx.all("search.unmatched", **asked, refs=refs)}


def rows(tx: Transaction, *, refs: str, tenant: str, project: str | None, tags: str | None) -> list[Row]:
    """What is to be shown of the references, a JSON list, in any order; those that may not be shown are left out.

    The `body` of a document is None. `tags` is a JSON list.
    """
    return tx.all("search.rows", refs=refs, tenant=tenant, project=project, tags=tags)
