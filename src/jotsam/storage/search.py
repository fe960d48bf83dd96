"""The index of words, and what is read of everything that may be an answer.

A reference is the number of a memory, or minus the number of a document not cut yet. A question is handed in as
`Terms`. `expression` turns it into what the index of this database understands, once; the other functions pass that on
and never look inside.

Where is looked is a `Scope`. What is superseded, or does not hold at the time it asks for, is not found.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.core.answers import Terms
    from jotsam.storage.database import Row, Transaction


class Scope(Record):
    """Where is looked: in one tenant, and if given in one project, among so many, at a time."""

    tenant: str
    at: int  # what holds at this time
    project: str | None = None
    narrowed: str | None = None  # JSON list of the references there are, or None for all
    past: int = 0  # 1: nothing that became known after `at`
    history: int = 0  # 1: also what is superseded, or does not hold at the time


def index(tx: Transaction, ref: int, *, body: str, context: str, grams: str) -> None:
    """Make a text findable. `context` is what stands around it (source, section, who said it), and counts less."""
    tx.run("search.index", ref=ref, body=body, context=context, grams=grams)


def unindex(tx: Transaction, ref: int) -> None:
    tx.run("search.unindex", ref=ref)


def expression(tx: Transaction, terms: Terms) -> Row:
    """The terms in the language of this database's index."""
    row = tx.one("search.expression", **{name: _json(value) for name, value in terms.as_dict().items()})
    assert row is not None
    return row


def match_text(tx: Transaction, scope: Scope, *, asked: Row, limit: int) -> list[Row]:
    """The best matches as `ref` and `score` (above 0, higher is better), each with the `total` of all there are."""
    return tx.all("search.match_text", **asked, **scope._values(), limit=limit)


def newest(tx: Transaction, scope: Scope, *, limit: int) -> list[Row]:
    """The newest memories as `ref` and `score` (1), each with the `total` of all there are."""
    return tx.all("search.newest", **scope._values(), limit=limit)


def newest_of_types(tx: Transaction, scope: Scope, *, types: tuple[str, str], limit: int) -> list[Row]:
    """The newest memories of one of two types, in lower case, as `newest` gives them."""
    return tx.all("search.newest_of_types", **scope._values(), type=types[0], other=types[1], limit=limit)


def mentioning_dates(tx: Transaction, scope: Scope, *, since: int, until: int, longest: int, limit: int) -> list[Row]:
    """What names a time of at most `longest` that overlaps with this one: `ref`, and the `part` of it within."""
    times = {"since": since, "until": until, "longest": longest}
    return tx.all("search.mentioning_dates", **scope._values(), **times, limit=limit)


def said_between(tx: Transaction, scope: Scope, *, since: int, until: int, limit: int) -> list[int]:
    """The memories said within a time, the latest first."""
    return [
        row["ref"] for row in tx.all("search.said_between", **scope._values(), since=since, until=until, limit=limit)
    ]


def mentioned_dates(tx: Transaction, *, refs: Iterable[int]) -> list[Row]:
    """The times that references name themselves: `ref`, `first` and `until`, several of one."""
    return tx.all("search.mentioned_dates", refs=_json([*refs]))


def unmatched(tx: Transaction, *, asked: Row, refs: Iterable[int]) -> set[int]:
    """Those of the references that the words do not find."""
    return {row["ref"] for row in tx.all("search.unmatched", **asked, refs=_json([*refs]))}


def matching_filters(
    tx: Transaction,
    *,
    types: Iterable[str],
    session: str | None,
    since: int | None,
    until: int | None,
    tags: Iterable[Iterable[str]],
    without: Iterable[str],
) -> list[int]:
    """All references that have one tag of each group, one of the types, and so on. Case is no matter; but a file knows
    capitals of English letters alone, so a caller hands in what else a name may be written as.
    """
    groups = [[*group] for group in tags]
    rows = tx.all(
        "search.matching_filters",
        types=_json([*types]) if types else None,
        session=session,
        since=since,
        until=until,
        tags=_json([(str(place), tag) for place, group in enumerate(groups) for tag in group]) if groups else None,
        groups=len(groups),
        without=_json([*without]) if without else None,
    )
    return [row["ref"] for row in rows]


def with_metadata(tx: Transaction, *, metadata: Mapping[str, str]) -> set[int]:
    """The memories whose metadata have each of these values under its key; what is no text is compared as its JSON."""
    from jotsam.storage.metadata_index import pair_hash

    found: set[int] | None = None
    for key, value in metadata.items():
        rows = tx.all("search.with_metadata", hash=pair_hash(key, value))
        have = {row["ref"] for row in rows}
        found = have if found is None else found & have
        if not found:
            break
    return found or set()


def json_list(refs: Iterable[int]) -> str:
    """References as a `Scope` holds them."""
    return _json(sorted(refs))


def tags_with_prefix(tx: Transaction, *, prefix: str) -> list[str]:
    """The tags of a tenant that begin like this, whether they are written with a colon or with a slash."""
    return [row["tag"] for row in tx.all("search.tags_with_prefix", prefix=prefix)]


def ranking_fields(tx: Transaction, scope: Scope, *, refs: Iterable[int]) -> list[Row]:
    """What the references are judged by; those outside the scope are left out. The `body` of a document is None."""
    every = [*refs]
    memories, documents = [ref for ref in every if ref > 0], [-ref for ref in every if ref < 0]
    return tx.all("search.ranking_fields", **scope._values(), memories=_json(memories), documents=_json(documents))


def sequence_neighbours(tx: Transaction, *, refs: Iterable[int]) -> list[Row]:
    """What was said around a `ref`, as far as there is anything: the references `second_before`, `before`, `after` and
    `second_after`. Several rows of one that several follow.
    """
    return tx.all("search.sequence_neighbours", refs=_json([*refs]))


def sharing_entity(tx: Transaction, *, refs: Iterable[int], most: int) -> list[Row]:
    """What shares an `entity` with a `seed`, when 2 to `most` memories mention it: `ref` and `mentions`."""
    return tx.all("search.sharing_entity", refs=_json([*refs]), most=most)


def titled_as_entity(tx: Transaction, *, refs: Iterable[int], most: int) -> list[Row]:
    """What is called as an `entity` that a `seed` mentions, when at most `most` are: `ref` and how many `bearers`."""
    return tx.all("search.titled_as_entity", refs=_json([*refs]), most=most)


def by_title(tx: Transaction, *, slugs: Iterable[str], most: int) -> list[Row]:
    """What is called by one of these names: `slug` and `ref`, at most `most` of a name and one more."""
    return tx.all("search.by_title", slugs=_json([*slugs]), most=most)


def linked(tx: Transaction, *, refs: Iterable[int], least: float) -> list[Row]:
    """What a link of at least this weight joins to a `seed`, in either direction: `ref`, `type`, `weight`, and whether
    the link is `outgoing` (1 or 0), from it to the seed."""
    return tx.all("search.linked", refs=_json([*refs]), least=least)


def contradicting(tx: Transaction, *, refs: Iterable[int]) -> list[Row]:
    """Which of the references contradict each other: `ref` and the `other`; each pair twice."""
    return tx.all("search.contradicting", refs=_json([*refs]))


def details(tx: Transaction, *, refs: Iterable[int]) -> list[Row]:
    """What is to be shown of the references, in any order. The `body` of a document is None, `tags` is a JSON list."""
    return tx.all("search.details", refs=_json([*refs]))


def predecessors(tx: Transaction, *, refs: Iterable[int]) -> dict[int, list[str]]:
    """The UUIDs of what the references have taken the place of, and of what that had, nearest first."""
    found: dict[int, list[str]] = {}
    for row in tx.all("search.predecessors", refs=_json([*refs])):
        found.setdefault(row["ref"], []).append(row["uuid"])
    return found


def _json(value: object) -> str:
    import json  # Only who asks pays for it; accepting passes through this room too.

    return json.dumps(value)
