"""From a question's fields to where is looked. It checks every one of them, and asks for what narrows the answer.

It must not know how good a match is. What it refuses it names, with what would be allowed.
"""

from __future__ import annotations

import json

from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.pipeline.dates.parse_dates import AFTER, BEFORE, SINCE, UNTIL, find_dates
from jotsam.storage import search
from jotsam.storage.search import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.core.answers import Question
    from jotsam.storage.database import Transaction

MOST_TAGS = 100
MOST_EXPANDED = 1_000
EXPANDED = ("entities", "relations")


def scope(tx: Transaction, question: Question, *, as_of: int | None) -> Scope:
    """Where is looked. `as_of` is what the words of the question ask for; its own field comes first.

    Raises `InvalidInput`.
    """
    at = as_of if question.as_of is None else moment("as_of", question.as_of)
    return Scope(
        tenant=question.tenant,
        at=tx.now if at is None else at,
        project=_named("project", question.project),
        narrowed=_narrowed(tx, question),
        past=int(at is not None),
        history=int(bool(question.history)),
    )


def checked(question: Question) -> Question:
    """The question with its tenant as a database can be asked for it, and known words where only those may stand."""
    tenant = text("tenant", question.tenant)
    for name in ("every_tag", "tag_prefix", "history"):
        validate.check_bool(name, getattr(question, name))
    validate.check_optional_text("prefer", question.prefer)
    if not tenant:
        raise InvalidInput("tenant is empty: give the name of a tenant")
    for name in ("expand", "pinned"):
        validate.check_list(name, getattr(question, name))
    validate.check_int("expand_limit", question.expand_limit, 0, MOST_EXPANDED)
    strange = [one for one in question.expand if one not in EXPANDED]
    if strange:
        raise InvalidInput(f"expand is {strange[0]!r}: give some of {', '.join(EXPANDED)}")
    for name in ("min_score", "min_weight", "min_importance"):
        value = getattr(question, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value or value < 0:
            raise InvalidInput(f"{name} is {value!r}: give a number, 0 or more")
    return question.replace(tenant=tenant)


def text(name: str, value: object) -> str:
    """A text that a database can be asked for. What none can store is found nowhere, and so replaced."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is {value!r}: give a str")
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "\ufffd").strip()


def _named(name: str, value: object) -> str | None:
    """A project or session that an answer is narrowed to. As where it is accepted, an empty name is none."""
    return None if value is None else text(name, value) or None


def moment(name: str, value: object) -> int:
    from jotsam.core.clock import parse_time as read

    return read(value, name=name)


def _narrowed(tx: Transaction, question: Question) -> str | None:
    since, until = _window(tx, question)
    tags = _names("tags", question.tags)
    without, types = _names("without", question.without), _names("types", question.types)
    session = _named("session", question.session)
    metadata = _metadata(question.metadata)
    having = search.having(tx, metadata=metadata) if metadata else None
    if not tags and not without and not types and session is None and since is None and until is None:
        return None if having is None else search.listed(having)
    each = [_meant(tx, question, tag) for tag in tags]
    groups = each if question.every_tag or not each else [[tag for meant in each for tag in meant]]
    found = search.narrow(
        tx,
        types=[written for name in types for written in _written(name)],
        session=session,
        since=since,
        until=until,
        tags=groups,
        without=[tag for name in without for tag in _meant(tx, question, name)],
    )
    return search.listed(found if having is None else having.intersection(found))


def _metadata(asked: Mapping[str, object] | None) -> dict[str, str]:
    """What is asked of the metadata, as text: `true`, `5`, `0.5`."""
    if asked is None:
        return {}
    if not isinstance(asked, dict) or len(asked) > MOST_TAGS:
        raise InvalidInput(f"metadata is {str(asked)[:60]!r}: give a dict of at most {MOST_TAGS} keys")
    strange = [key for key, value in asked.items() if not isinstance(key, str) or not isinstance(value, _PLAIN)]
    if strange:
        key = strange[0]
        raise InvalidInput(f"metadata {key!r} is {str(asked[key])[:60]!r}: a key is a str, a value a str or a number")
    return {key: value if isinstance(value, str) else json.dumps(value) for key, value in asked.items()}


def _meant(tx: Transaction, question: Question, tag: str) -> list[str]:
    """The tags that a tag stands for, whatever their case."""
    if question.tag_prefix:
        return [tag for written in _written(tag) for tag in search.tags_like(tx, prefix=written)]
    return _written(tag)


def _written(name: str) -> list[str]:
    """A name as it may have been written: a database may know the capitals of English letters alone."""
    return [*dict.fromkeys((name, name.lower(), name.upper(), name.capitalize(), name.title()))]


def _window(tx: Transaction, question: Question) -> tuple[int | None, int | None]:
    since = None if question.since is None else moment("since", question.since)
    until = None if question.until is None else moment("until", question.until)
    if question.when is None:
        return since, until
    named = find_dates(text("when", question.when), said_at=tx.now, limit=1)
    if not named:
        raise InvalidInput(f"when is {question.when!r}: give a time such as 'last week', 'in March' or '2026-03-01'")
    (period,) = named
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
    if not isinstance(listed, tuple | list) or len(listed) > MOST_TAGS:
        raise InvalidInput(f"{field} is {str(listed)[:60]!r}: give a list of at most {MOST_TAGS} {_PLURAL[field]}")
    asked = [text(_SINGULAR[field], name) for name in listed]
    if not all(asked):
        raise InvalidInput(f"{field} is {listed!r}: a {_SINGULAR[field]} has at least one visible character")
    return asked


_PLAIN = (str, int, float)
_SINGULAR = {"tags": "tag", "without": "tag", "types": "type"}
_PLURAL = {"tags": "tags", "without": "tags", "types": "types"}
