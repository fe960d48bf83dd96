"""The index of words. A reference is the number of a memory, or minus the number of a document not cut yet.

Every question is asked within a tenant, and if given within a `project` and `tags`: a JSON list, of which one must be
there. What is superseded, or not valid now, is not found.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def index(tx: Transaction, ref: int, *, body: str, context: str, grams: str) -> None:
    """Make a text findable. `context` is what stands around it (source, section, who said it), and counts less."""
    tx.run("search.index", ref=ref, body=body, context=context, grams=grams)


def unindex(tx: Transaction, ref: int) -> None:
    tx.run("search.unindex", ref=ref)


def words(
    tx: Transaction, *, match: str, shares: str | None, tenant: str, project: str | None, tags: str | None, limit: int
) -> list[Row]:
    """The best matches as `ref` and `score` (above 0, higher is better).

    `shares` is a JSON list of [expression, percent]: what a reference matches of them must come to 100.
    """
    return tx.all("search.words", match=match, shares=shares, tenant=tenant, project=project, tags=tags, limit=limit)


def total(
    tx: Transaction, *, match: str, shares: str | None, tenant: str, project: str | None, tags: str | None
) -> int:
    """How many match in all."""
    row = tx.one("search.total", match=match, shares=shares, tenant=tenant, project=project, tags=tags)
    return int(row["total"]) if row else 0


def newest(tx: Transaction, *, tenant: str, project: str | None, tags: str | None, limit: int) -> list[Row]:
    """The newest memories as `ref` and `score` (1)."""
    return tx.all("search.newest", tenant=tenant, project=project, tags=tags, limit=limit)


def current(tx: Transaction, *, tenant: str, project: str | None, tags: str | None) -> int:
    """How many memories there are."""
    row = tx.one("search.current", tenant=tenant, project=project, tags=tags)
    return int(row["total"]) if row else 0


def unmatched(tx: Transaction, *, match: str, shares: str | None, refs: str) -> set[int]:
    """Those of the references, a JSON list, that `total` does not count."""
    return {row["ref"] for row in tx.all("search.unmatched", match=match, shares=shares, refs=refs)}


def rows(tx: Transaction, *, refs: str, tenant: str, project: str | None, tags: str | None) -> list[Row]:
    """What is to be shown of the references, a JSON list, in any order; those that may not be shown are left out.

    The `body` of a document is None. `tags` is a JSON list.
    """
    return tx.all("search.rows", refs=refs, tenant=tenant, project=project, tags=tags)
