"""The text index, and the queries of recall.

A reference is the id of a memory, or the negative id of a document that is not chunked yet. `expression` translates the
`Terms` of a question into the query language of the index; other functions take the result. A `Scope` restricts the
results; by default it excludes superseded and invalid memories.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from jotsam.core.answers import Terms
    from jotsam.storage.database import Row, Transaction

RANKED = 10_000  # texts ranked in a large file: a tenth was measured to be too few among a million

MERGED_AFTER = 64  # writes, on average

DATES = 1_000  # dates in a time range that are looked at


class Scope(Record):
    """Restricts a recall: the tenant, project, actor, references and point in time."""

    tenant: str
    at: int  # the point in time
    project: str | None = None
    actor: str | None = None
    narrowed: str | None = None  # JSON list of allowed references, or None for all
    past: int = 0  # 1: excludes what became known after `at`
    history: int = 0  # 1: includes superseded and invalid memories
    archived: int = 0  # 1: includes archived memories


def index(tx: Transaction, ref: int, *, body: str, context: str, grams: str) -> None:
    """Index a text. `context` (source, section, speaker) has less weight."""
    tx.run("search.index", ref=ref, body=body, context=context, grams=grams)
    _merge_counts(tx, ref)


def index_later(tx: Transaction, document: int) -> None:
    """Leave it to `accept.index_waiting` to index a document, and to `waiting_texts` to find it until then."""
    tx.run("text_index.add_waiting", id=document)


def count_waiting(tx: Transaction, *, limit: int) -> int:
    """How many documents of the tenant are not indexed yet, counted up to `limit`."""
    row = tx.one("text_index.count_waiting", limit=limit) if tx.indexes_later else None
    return row["number"] if row else 0


def remove_waiting(tx: Transaction, *, last: int) -> None:
    """The documents of the tenant up to this id are indexed."""
    tx.run("text_index.remove_waiting", last=last)


def unindex(tx: Transaction, ref: int) -> None:
    tx.run("search.unindex", ref=ref)
    _merge_counts(tx, ref)


def unindex_many(tx: Transaction, refs: Iterable[int]) -> None:
    tx.run_many("search.unindex", [{"ref": ref} for ref in refs])
    tx.run("search.merge_counts")


def _merge_counts(tx: Transaction, ref: int) -> None:
    """Keep the counts of the tenant's texts few: each write appends one, and some merge them."""
    if ref % MERGED_AFTER == 0:
        tx.run("search.merge_counts")


def forget_tenant(tx: Transaction) -> None:
    """Delete what is left of the tenant's index once its texts were removed."""
    tx.run("search.forget_tenant")


def expression(tx: Transaction, terms: Terms) -> Row:
    """The terms in the query language of this database's index."""
    row = tx.one("search.expression", **{name: _json(value) for name, value in terms.as_dict().items()})
    assert row is not None
    return row


def match_text(tx: Transaction, scope: Scope, *, asked: Row, limit: int, with_archived: bool = False) -> list[Row]:
    """The best matches as `ref` and `score` (above 0, higher is better), each with the `total` number of matches.

    `with_archived` adds archived turns, marked `is_archived` and not counted: the turns around them may be the answer.
    """
    whole = int((scope.project, scope.actor, scope.narrowed, scope.past) == (None, None, None, 0))
    options = {"whole": whole, "budget": RANKED, "limit": limit, "with_archived": int(with_archived)}
    return tx.all("search.match_text", **asked, **scope._values(), **options, **_waiting_matches(tx, asked))


def count_words(tx: Transaction, words: Iterable[str], *, limit: int) -> tuple[list[int], int]:
    """How many texts contain each word, in their order and counted up to `limit`, and how many texts there are.

    In a file these are the texts of all tenants, as for its ranking.
    """
    counted = [
        one.all("search.count_words", words=_json([*words]), limit=limit) for one in (tx, tx.waiting) if one is not None
    ]
    texts = [min(limit, sum(row["texts"] for row in rows)) for rows in zip(*counted, strict=True)]
    return texts, sum(rows[0]["number"] for rows in counted) if texts else 0


def newest(tx: Transaction, scope: Scope, *, limit: int) -> list[Row]:
    """The newest memories as `ref` and `score` (1), each with the `total` number in scope."""
    return tx.all("search.newest", **scope._values(), limit=limit)


def newest_of_types(tx: Transaction, scope: Scope, *, types: tuple[str, str], limit: int) -> list[Row]:
    """The newest memories of two types in lower case, with the fields of `newest`."""
    return tx.all("search.newest_of_types", **scope._values(), type=types[0], other=types[1], limit=limit)


def typed(tx: Transaction, scope: Scope, *, project: str | None, limit: int, stored_alone: bool = False) -> list[Row]:
    """The newest memories of a project, or of none, that have another type than Context: the fields of a brief.

    Without a project, `stored_alone` leaves out turns and chunks. `body` has at most 1,000 characters.
    """
    if project is None:
        return tx.all("search.typed_without_project", **scope._values(), stored_alone=int(stored_alone), limit=limit)
    return tx.all("search.typed", **scope._values(), label=project, limit=limit)


def latest_said(tx: Transaction, scope: Scope, *, project: str | None, limit: int) -> list[Row]:
    """The newest memories of a project, or of none, without chunks of documents; fields as of `typed`."""
    if project is None:
        return tx.all("search.latest_said_without_project", **scope._values(), limit=limit)
    return tx.all("search.latest_said", **scope._values(), label=project, limit=limit)


def mentioning_dates(tx: Transaction, scope: Scope, *, since: int, until: int, longest: int, limit: int) -> list[Row]:
    """Memories that mention dates overlapping a time range: `ref`, and the `part` of the mentioned range inside it."""
    times = {"since": since, "until": until, "longest": longest, "budget": DATES}
    return tx.all("search.mentioning_dates", **scope._values(), **times, limit=limit)


def said_between(tx: Transaction, scope: Scope, *, since: int, until: int, limit: int) -> list[int]:
    """The memories said in a time range, latest first."""
    return [
        row["ref"] for row in tx.all("search.said_between", **scope._values(), since=since, until=until, limit=limit)
    ]


def mentioned_dates(tx: Transaction, *, refs: Iterable[int]) -> list[Row]:
    """The dates that memories mention: `ref`, `first` and `until`, several rows per reference."""
    return tx.all("search.mentioned_dates", refs=_json([*refs]))


def unmatched(tx: Transaction, *, asked: Row, refs: Iterable[int]) -> set[int]:
    """The references that the terms do not match."""
    found = _unmatched_in(tx, asked, refs)
    return _unmatched_in(tx.waiting, asked, found) if tx.waiting is not None else found


def _unmatched_in(tx: Transaction, asked: Row, refs: Iterable[int]) -> set[int]:
    return {row["ref"] for row in tx.all("search.unmatched", **asked, refs=_json([*refs]))}


def _waiting_matches(tx: Transaction, asked: Row) -> dict[str, Any]:
    """The parameters of `match_text` for the texts that are not indexed yet."""
    if tx.waiting is None:
        return {"waiting": None, "with_term": None}
    from jotsam.storage.recall import waiting_texts  # rarely needed

    scores, with_term = waiting_texts.matches(tx, tx.waiting, terms=asked["terms"])
    for ref in _unmatched_in(tx.waiting, asked, scores) if asked["shares"] else ():
        del scores[ref]  # It has too small a share of the words.
    counts = [with_term[place] for place in range(max(with_term, default=-1) + 1)]
    return {"waiting": _json([*scores.items()]), "with_term": _json(counts)}


def matching_filters(
    tx: Transaction,
    *,
    types: Iterable[str],
    session: str | None,
    source: str | None,
    since: int | None,
    until: int | None,
    tags: Iterable[Iterable[str]],
    without: Iterable[str],
) -> list[int]:
    """The references with one tag of each group, one of the types, and so on, in any case.

    `source` is a pattern for `like`, with "!" before a character that is no wildcard.
    SQLite folds ASCII letters only, so callers pass other spellings of a name too.
    """
    groups = [[*group] for group in tags]
    rows = tx.all(
        "search.matching_filters",
        types=_json([*types]) if types else None,
        session=session,
        source=source,
        since=since,
        until=until,
        tags=_json([(str(place), tag) for place, group in enumerate(groups) for tag in group]) if groups else None,
        groups=len(groups),
        without=_json([*without]) if without else None,
    )
    return [row["ref"] for row in rows]


def with_metadata(tx: Transaction, fields: Iterable[tuple[str, Any]]) -> set[int]:
    """The memories whose metadata has all of these values, compared as text."""
    from jotsam.core.comparisons import text_of
    from jotsam.storage.metadata_index import pair_hash

    found: set[int] | None = None
    for key, value in fields:
        rows = tx.all("search.with_metadata", hash=pair_hash(key, text_of(value)))
        have = {row["ref"] for row in rows}
        found = have if found is None else found & have
        if not found:
            break
    return found or set()


def json_list(refs: Iterable[int]) -> str:
    """References in the form that `Scope.narrowed` takes."""
    return _json(sorted(refs))


def tags_with_prefix(tx: Transaction, *, prefix: str) -> list[str]:
    """The tags that start with a prefix. Slashes and colons are equal."""
    return [row["tag"] for row in tx.all("search.tags_with_prefix", prefix=prefix)]


def ranking_fields(tx: Transaction, scope: Scope, *, refs: Iterable[int], with_archived: bool = False) -> list[Row]:
    """The fields that ranking needs of references in scope. The `body` of a document is None.

    `importance` and `confidence` are None unless a caller gave them, `relevance` before the step `decay` computes
    it. `with_archived` includes archived turns, marked `is_archived`.
    """
    every = [*refs]
    memories, documents = [ref for ref in every if ref > 0], [-ref for ref in every if ref < 0]
    numbers = {"memories": _json(memories), "documents": _json(documents)}
    return tx.all("search.ranking_fields", **scope._values(), **numbers, with_archived=int(with_archived))


def sequence_neighbours(tx: Transaction, *, refs: Iterable[int]) -> list[Row]:
    """The neighbours of each `ref` in its conversation or document: `second_before`, `before`, `after`, `second_after`.

    References without neighbours have no row; those with several successors have several.
    """
    return tx.all("search.sequence_neighbours", refs=_json([*refs]))


def sharing_entity(tx: Transaction, *, refs: Iterable[int], most: int) -> list[Row]:
    """Memories that share an `entity` of 2 to `most` mentions with a `seed`: `ref` and the number of `mentions`."""
    return tx.all("search.sharing_entity", refs=_json([*refs]), most=most)


def titled_as_entity(tx: Transaction, *, refs: Iterable[int], most: int) -> list[Row]:
    """Memories titled like an `entity` that a `seed` mentions: `ref` and the number of `bearers`, at most `most`."""
    return tx.all("search.titled_as_entity", refs=_json([*refs]), most=most)


def by_title(tx: Transaction, *, slugs: Iterable[str], most: int) -> list[Row]:
    """Memories with one of these titles: `slug` and `ref`, at most `most` + 1 per title."""
    return tx.all("search.by_title", slugs=_json([*slugs]), most=most)


def linked(tx: Transaction, *, refs: Iterable[int], least: float) -> list[Row]:
    """Memories linked to a `seed` with at least this weight: `ref`, `type`, `weight` and `outgoing`.

    `outgoing` is 1 for a link to the seed, 0 for a link from it.
    """
    return tx.all("search.linked", refs=_json([*refs]), least=least)


def contradicting(tx: Transaction, *, refs: Iterable[int]) -> list[Row]:
    """Pairs of references that contradict each other: `ref` and `other`, each pair in both orders."""
    return tx.all("search.contradicting", refs=_json([*refs]))


def details(tx: Transaction, *, refs: Iterable[int]) -> list[Row]:
    """The fields of hits, in any order. The `body` of a document is None, `tags` is a JSON list."""
    return tx.all("search.details", refs=_json([*refs]))


def predecessors(tx: Transaction, *, refs: Iterable[int]) -> dict[int, list[str]]:
    """The UUIDs of the memories that each reference supersedes, directly and indirectly, nearest first."""
    found: dict[int, list[str]] = {}
    for row in tx.all("search.predecessors", refs=_json([*refs])):
        found.setdefault(row["ref"], []).append(row["uuid"])
    return found


def _json(value: object) -> str:
    import json  # Imported late: accepting uses this module and needs no JSON here.

    return json.dumps(value)
