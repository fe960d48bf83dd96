"""Validate a question's fields and resolve its filters into a `Scope`: where, and at what time, to search.

It must not know how good a match is.
"""

from __future__ import annotations

import re

from jotsam.core import clock, validate
from jotsam.core.errors import InvalidInput
from jotsam.pipeline.dates.periods import AFTER, BEFORE, SINCE, UNTIL
from jotsam.storage.recall import search, summaries
from jotsam.storage.recall.search import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.core.answers import Question
    from jotsam.storage.database import Transaction

TOKENS = (20, 200_000)
LIMIT = (1, 1_000)
MAX_TAGS = 100
MAX_EXPAND = 1_000
EXPAND = ("entities", "relations")


def validated(question: Question) -> Question:
    """The question with valid fields, and texts that a database can be queried with. Raises `InvalidInput`."""
    tenant = _storable("tenant", question.tenant)
    for name in ("every_tag", "tag_prefix", "history", "archived"):
        validate.check_bool(name, getattr(question, name))
    validate.check_optional_text("prefer", question.prefer)
    validate.check_optional_text("after", question.after)
    if not tenant:
        raise InvalidInput("tenant is empty: give the name of a tenant")
    for name in ("expand", "pinned"):
        validate.check_list(name, getattr(question, name))
    validate.check_int("expand_limit", question.expand_limit, 0, MAX_EXPAND)
    unknown = [one for one in question.expand if one not in EXPAND]
    if unknown:
        raise InvalidInput(f"expand is {unknown[0]!r}: give some of {', '.join(EXPAND)}")
    for name in ("min_score", "min_weight", "min_importance"):
        if name != "min_score" or question.min_score is not None:
            validate.check_share(name, getattr(question, name))
    validate.check_int("tokens", question.tokens, *TOKENS)
    if question.hit_tokens is not None:
        validate.check_int("hit_tokens", question.hit_tokens, *TOKENS)
    validate.check_int("limit", question.limit, *LIMIT)
    prefer = _name_or_none("prefer", question.prefer)
    return question.replace(tenant=tenant, text=_storable("question", question.text), prefer=prefer)


def resolve_scope(tx: Transaction, question: Question, *, as_of: int | None) -> Scope:
    """The scope of a question. `as_of` is what its text asks for; its own field takes precedence.

    Raises `InvalidInput`.
    """
    at = as_of if question.as_of is None else clock.parse_time(question.as_of, name="as_of")
    return Scope(
        tenant=question.tenant,
        at=tx.now if at is None else at,
        project=_name_or_none("project", question.project),
        actor=_actor(question.actor),
        narrowed=_filtered(tx, question),
        past=int(at is not None),
        history=int(bool(question.history)),
        archived=int(bool(question.archived) or summaries.asks_for(question.tags)),
    )


def _storable(name: str, value: object) -> str:
    """A text without surrounding white space. Characters that no database can store are replaced."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is {value!r}: give a str")
    return validate.replace_unstorable(value).strip()


def _name_or_none(name: str, value: object) -> str | None:
    """A project or session. An empty name filters nothing, as an empty name is stored as none."""
    return None if value is None else _storable(name, value) or None


def _actor(value: object) -> str | None:
    """An actor is never ignored: that would show the memories of others."""
    name = _name_or_none("actor", value)
    if name is None and value is not None:
        raise InvalidInput(f"actor is {value!r}: give a name with a visible character, or leave it out for all actors")
    return name


def _filtered(tx: Transaction, question: Question) -> str | None:
    """The references that pass all filters, as JSON; None without filters."""
    since, until = time_range(tx, question)
    tags = _names("tags", question.tags)
    without, types = _names("without", question.without), _names("types", question.types)
    session = _name_or_none("session", question.session)
    source = _name_or_none("source", question.source)
    having = _with_metadata(tx, question.metadata)
    given = (session, source, since, until)
    if not tags and not without and not types and given == (None, None, None, None):
        return None if having is None else search.json_list(having)
    each = [_matching_tags(tx, question, tag) for tag in tags]
    groups = each if question.every_tag or not each else [[tag for tags in each for tag in tags]]
    found = search.matching_filters(
        tx,
        types=[spelling for name in types for spelling in _spellings(name)],
        session=session,
        source=None if source is None else _source_pattern(source),
        since=since,
        until=until,
        tags=groups,
        without=[tag for name in without for tag in _matching_tags(tx, question, name)],
    )
    return search.json_list(found if having is None else having.intersection(found))


def _source_pattern(source: str) -> str:
    """A pattern for `like` that matches the path of a source, or some of its parts; both are within slashes."""
    path = source.replace("\\", "/").strip("/")
    escaped = re.sub(r"[!%_]", r"!\g<0>", path)
    return f"%/{escaped.replace('*', '%')}/%"


def _with_metadata(tx: Transaction, wanted: Mapping[str, object] | None) -> set[int] | None:
    """The memories whose metadata meets all conditions; None without conditions. Equal values have an index."""
    if wanted is None:
        return None
    from jotsam.core.comparisons import comparisons
    from jotsam.storage.memories import selection

    found = comparisons("metadata", wanted)
    indexed = [one for one in found if one.operator == "$eq" and one.value is not None]
    having = search.with_metadata(tx, [(one.field, one.value) for one in indexed]) if indexed else None
    if len(indexed) < len(found):
        chosen = selection.Chosen(metadata=found, narrowed=None if having is None else search.json_list(having))
        having, after = set[int](), 0
        while page := selection.memories(tx, chosen, after=after, limit=selection.MOST_AT_ONCE):
            having.update(page)
            after = page[-1]
    return having


def _matching_tags(tx: Transaction, question: Question, tag: str) -> list[str]:
    """The tags that match a tag, or that start with it, in any case."""
    spellings = _spellings(tag)
    if not question.tag_prefix:
        return spellings
    return [tag for prefix in spellings for tag in search.tags_with_prefix(tx, prefix=prefix)]


def _spellings(name: str) -> list[str]:
    """A name in common capitalisations. Needed because SQLite compares only ASCII letters without regard to case."""
    return [*dict.fromkeys((name, name.lower(), name.upper(), name.capitalize(), name.title()))]


def time_range(tx: Transaction, question: Question) -> tuple[int | None, int | None]:
    """Start and end in milliseconds from `since`, `until` and `when`."""
    since = None if question.since is None else clock.parse_time(question.since, name="since")
    until = None if question.until is None else clock.parse_time(question.until, name="until")
    if question.when is None:
        return since, until
    from jotsam.pipeline.dates.parse_dates import find_dates  # slow to import

    periods = find_dates(_storable("when", question.when), said_at=tx.now, limit=1)
    if not periods:
        raise InvalidInput(f"when is {question.when!r}: give a time such as 'last week', 'in March' or '2026-03-01'")
    (period,) = periods
    first, last = {
        SINCE: (period.first, None),
        AFTER: (period.until, None),
        BEFORE: (None, period.first),
        UNTIL: (None, period.until),
    }.get(period.sense, (period.first, period.until))
    starts = [time for time in (since, first) if time is not None]
    ends = [time for time in (until, last) if time is not None]
    return max(starts, default=None), min(ends, default=None)


def _names(field: str, listed: object) -> list[str]:
    if not isinstance(listed, tuple | list) or len(listed) > MAX_TAGS:
        raise InvalidInput(f"{field} is {str(listed)[:60]!r}: give a list of at most {MAX_TAGS} {_PLURAL[field]}")
    names = [_storable(_SINGULAR[field], name) for name in listed]
    if not all(names):
        raise InvalidInput(f"{field} is {listed!r}: a {_SINGULAR[field]} has at least one visible character")
    return names


_SINGULAR = {"tags": "tag", "without": "tag", "types": "type"}
_PLURAL = {"tags": "tags", "without": "tags", "types": "types"}
