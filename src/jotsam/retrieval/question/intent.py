"""What a question asks for, beyond its words: a time, a number, a place or a person; by whom; when; the latest.

Pure. Rules that a reader can follow, and none that knows a data set. What a rule reads into a question moves the order
of an answer and never hides anything; only an explicit "as of" does that, for it asks for another state of affairs.
"""

from __future__ import annotations

import re

from jotsam.core.records import Record
from jotsam.pipeline.dates.parse_dates import AFTER, AS_OF, BEFORE, IN, SINCE, UNTIL, Period, find_dates
from jotsam.pipeline.text.words import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 2_000
"""A question longer than this is something pasted, and what it asks stands at its beginning."""

DAY_MS = 86_400_000
YEAR_MS = 365.2425 * DAY_MS
SHORTEST_NAME = 2

_KINDS = (
    (
        "when",
        re.compile(
            r"\bwhen\b|\b(?:what|which) (?:date|year|month|day|week|time)\b|\bhow long ago\b|什么时候|何时|いつ"
        ),
    ),
    (
        "number",
        re.compile(r"\bhow (?:many|much|long|often|old|far|big|large|fast)\b|\bwhat number\b|多少|几个|いくつ"),
    ),
    ("where", re.compile(r"\bwhere\b|\b(?:which|what) (?:country|city|state|place|town|folder)\b|哪里|哪儿|どこ")),
    ("who", re.compile(r"\bwho(?:m|se)?\b|谁|誰")),
)
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = "january|february|march|april|june|july|august|september|october|november|december"
_HOLDS = {
    "when": re.compile(
        rf"\b(?:yesterday|today|tomorrow|tonight|ago|recently|since|just|soon|weekend|{_DAYS}|{_MONTHS}"
        r"|(?:last|next|this|past) (?:night|morning|summer|winter|spring|fall|autumn)"
        r"|(?:day|week|month|year)s?|\d{4}|\d{1,2}:\d\d)\b|[年月日号]|昨天|今天|明天",
        re.IGNORECASE,
    ),
    "number": re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|couple|few|several"
        r"|once|twice|first|second|third|half)\b|[一二两三四五六七八九十百千万]",
        re.IGNORECASE,
    ),
    "where": re.compile(r"\b(?:in|at|to|from|near|visited|around|under|inside)\s+(?:the\s+)?(?:[A-Z]\w+|/\w)|在"),
    "who": re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][a-z]{2,}\b|[一-鿿]{2,}"),
}
_LATEST = re.compile(
    r"\b(?:latest|newest|most recent(?:ly)?|currently|current|these days|as of now|right now|up to date"
    r"|(?:what|anything) (?:has |have |is |was |'s )?(?:changed|new)|what(?:'s|’s) (?:changed|new)|what is it now"
    r"|last (?:decision|version|status|state|change|update|time))\b|最新|目前|当前|現在の",
    re.IGNORECASE,
)
_THING = r"\s+(?:changes?|developments?|info|information|news|situation|stat(?:e|us)|things?|updates?)"
_END = r"(?=\s*(?:[?!.,;:]|$)|\s+(?:about|at|for|from|in|of|on|regarding|since|to|today|with|within)\b)"
_ONLY_LATEST = re.compile(
    r"(?P<quoted>\"[^\"]*\"|“[^”]*”|「[^」]*」|«[^»]*»)"
    rf"|\b(?:latest|newest|most recent(?:ly)?)\b(?:{_THING}{_END})?"
    rf"|(?:^|\b(?:the|our|my|its|their|is|are) )current(?:{_THING}{_END}|(?!{_END})(?=\s))"
    r"|\b(?:currently|these days|as of now|right now|up to date)\b"
    rf"|\b(?:what|anything)(?: has| have| is| was|'s|’s)?(?: been)? (?:changed|new){_END}|\bwhat is it now\b"
    r"|\blast(?= (?:decision|version|status|state|change|update|time)\b)|最新|目前|当前|現在の",
    re.IGNORECASE,
)
"""What of a question only asks for the latest, and is no word that a text must hold; "the current in the motor" is one.
What stands in quotes is meant as it stands.
"""

_ASKING = frozenset("what anything everything something".split())  # noqa: SIM905 - words read better
_WHATEVER_IS_KNOWN = frozenset(
    "anything changed everything going happen happened happening knew know known new news remember something".split()  # noqa: SIM905 - words read better
)
_MONTH_NAMED = re.compile(rf"\b(?:{_MONTHS}|may|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|月", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_WORD = re.compile(r"\w+")
_WHATEVER = frozenset(
    "happen happened happens happening going event events anything everything since something new talk talked".split()  # noqa: SIM905 - words read better
)
_SENSE, _WHAT = r"\b(before|after|since)\s+", r"(\w[\w \-]{2,40}?)\s*(?=[?.,;!]|$)"
_EVENT = re.compile(rf"{_SENSE}(?:(?:the|our|my)\s+|(?:we|i|you|he|she|it|they)\s+(?=\w+ed\b)){_WHAT}", re.IGNORECASE)
_MAYBE_EVENT = re.compile(_SENSE + _WHAT, re.IGNORECASE)


class Event(Record):
    """What happened, as a question names it instead of its time: "before the migration"."""

    sense: str  # before, after or since
    text: str  # "migration"
    is_certain: bool = True  # "before deploying" may mean whenever that is done, and no time at all


class Asks(Record):
    """What a question asks for. Nothing of it need be there."""

    kind: str = ""  # when, number, where, who
    names: frozenset[str] = frozenset()  # its words in lower case, of which one may name an actor
    periods: tuple[Period, ...] = ()  # times it names
    as_of: int | None = None  # the end of the time whose state of affairs it asks for
    event: Event | None = None  # "before the migration"
    latest: bool = False
    type: str = ""  # the one word that is left of it where it asks for the latest: perhaps that of a type
    bare: bool = False  # it asks for nothing but a time: "what happened in March?"


def asks(question: str, *, now: int) -> Asks:
    """Read a question against the time at which it is asked. Never raises."""
    start = question[:LONGEST]
    lower = start.lower()
    left = content(start).lower()
    latest = bool(_LATEST.search(start))
    named = find_dates(start, said_at=now)
    ended = [period.until - 1 for period in named if period.sense == AS_OF]
    return Asks(
        kind=next((kind for kind, pattern in _KINDS if pattern.search(lower)), ""),
        names=frozenset(_WORD.findall(lower.replace("’", "'"))) - STOP_WORDS,
        periods=tuple(period for period in named if period.sense != AS_OF),
        as_of=min(ended) if ended else None,
        event=_event(start) if not named else None,
        latest=latest,
        type=_only_word(left) if latest else "",
        bare=bool(named) and _is_bare(left, named),
    )


def content(question: str) -> str:
    """The question without what only asks for the latest; "" if the rest asks for whatever is known.

    "What is the latest decision?" is about decisions, and "what's new?" about nothing in particular.
    """
    left = _ONLY_LATEST.sub(lambda found: found["quoted"] or " ", question)
    words = {*_WORD.findall(left.lower())}
    meant = words - STOP_WORDS
    asks_for_anything = bool(_ASKING.intersection(_WORD.findall(question[:LONGEST].lower())))
    return "" if meant and meant <= _WHATEVER_IS_KNOWN and asks_for_anything else left


def _only_word(text: str) -> str:
    meant = [word for word in _WORD.findall(text) if word not in STOP_WORDS]
    return meant[0] if len(meant) == 1 else ""


def _is_bare(question: str, periods: Iterable[Period]) -> bool:
    """Whether nothing is left of a question without its times but words that ask for whatever there is."""
    for period in periods:
        question = question.replace(period.text.lower(), " ")
    return not {*_WORD.findall(question)} - STOP_WORDS - _WHATEVER


def dated(asked: Asks, *, first: int, until: int) -> Asks:
    """What is asked once it is known when the event was."""
    assert asked.event is not None
    period = Period(first=first, until=until, text=asked.event.text, sense=asked.event.sense)
    return asked.replace(periods=(*asked.periods, period))


def _event(question: str) -> Event | None:
    certain = _EVENT.search(question)
    found = certain or _MAYBE_EVENT.search(question)
    return Event(sense=found[1].lower(), text=found[2], is_certain=certain is not None) if found else None


def holds(kind: str, text: str) -> bool:
    """Whether a text may answer a question of this kind."""
    return bool(_HOLDS[kind].search(text))


def falls_into(date: int, periods: Iterable[Period]) -> bool:
    """Whether a time lies in one of the periods. A month or a day without a year is that of any year."""
    return any(_falls_into(date, period) for period in periods)


def _falls_into(date: int, period: Period) -> bool:
    if period.sense in (SINCE, AFTER):
        return date >= (period.first if period.sense == SINCE else period.until)
    if period.sense in (BEFORE, UNTIL):
        return date < (period.first if period.sense == BEFORE else period.until)
    if period.first <= date < period.until:
        return True
    if not is_of_any_year(period):
        return False
    years = round((period.first - date) / YEAR_MS)
    other = moved(period, -years)
    return other.first - DAY_MS <= date < other.until + DAY_MS


def is_of_any_year(period: Period) -> bool:
    """Whether it names a month or a day in one, and no year."""
    return period.sense == IN and bool(_MONTH_NAMED.search(period.text)) and not _YEAR.search(period.text)


def moved(period: Period, years: int) -> Period:
    """The same days of another year, give or take one."""
    shift = round(years * YEAR_MS / DAY_MS) * DAY_MS
    return period.replace(first=period.first + shift, until=period.until + shift)


def named_actor(names: frozenset[str], actors: Iterable[str]) -> str | None:
    """The one actor whom the question names, by the whole name or the first; None if it names several, or nobody."""
    found = {actor for actor in actors if actor and _is_named(names, actor)}
    return found.pop() if len(found) == 1 else None


def _is_named(names: frozenset[str], actor: str) -> bool:
    words = [word for word in _WORD.findall(actor.lower()) if len(word) >= SHORTEST_NAME]
    return bool(words) and words[0] in names
