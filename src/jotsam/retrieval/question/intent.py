"""Query intent: the kind of answer a question wants, the times and people it names, whether it wants the latest.

Pure rules, not tuned to any data set. Intent only changes the order of results. The one exception is an explicit
"as of", which selects the state at another time.
"""

from __future__ import annotations

import re

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.dates.periods import AFTER, AS_OF, BEFORE, IN, SINCE, UNTIL, Period, may_name_dates
from jotsam.pipeline.languages import UNSPACED, by_code, may_be
from jotsam.pipeline.languages.en import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.pipeline.languages.language import Language

# Characters. A longer question is pasted text, and what it asks is at its beginning.
MAX_CHARACTERS = 2_000

DAY_MS = 86_400_000
YEAR_MS = 365.2425 * DAY_MS
MIN_NAME = 2

_KINDS = (
    (
        "when",
        lazy_pattern(
            r"\bwhen\b|\b(?:what|which) (?:date|year|month|day|week|time)\b|\bhow long ago\b|什么时候|何时|いつ"
        ),
    ),
    (
        "number",
        lazy_pattern(r"\bhow (?:many|much|long|often|old|far|big|large|fast)\b|\bwhat number\b|多少|几个|いくつ"),
    ),
    (
        "where",
        lazy_pattern(
            r"\bwhere\b|\b(?:which|what) (?:\w+ )?(?:countr(?:y|ies)|cit(?:y|ies)|director(?:y|ies)"
            r"|(?:state|place|town|area|region|location|folder)s?)\b|哪里|哪儿|どこ"
        ),
    ),
    (
        "who",
        lazy_pattern(
            r"\b(?:who(?:m|se)?|names?)\b|\b(?:which|what) (?:\w+ )?(?:people|compan(?:y|ies)|series"
            r"|(?:person|artist|author|band|book|film|movie|game|song|show|team|brand)s?)\b|谁|誰"
        ),
    ),
)
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = "january|february|march|april|june|july|august|september|october|november|december"
# Patterns that few questions need are strings, which `re` compiles when they are first used: a hook starts for each
# prompt. What a text contains that answers a question of a kind:
_ANSWERS = {
    "when": (
        rf"(?i)\b(?:yesterday|today|tomorrow|tonight|ago|recently|since|just|soon|weekend|{_DAYS}|{_MONTHS}"
        r"|(?:last|next|this|past) (?:night|morning|summer|winter|spring|fall|autumn)"
        r"|(?:day|week|month|year)s?|\d{4}|\d{1,2}:\d\d)\b|[年月日号]|昨天|今天|明天"
    ),
    "number": (
        r"(?i)\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|couple|few|several"
        r"|once|twice|first|second|third|half)\b|[一二两三四五六七八九十百千万]"
    ),
    "where": r"\b(?:in|at|to|from|near|visited|around|under|inside)\s+(?:the\s+)?(?:[A-Z]\w+|/\w)|在",
    "who": r"(?<![.!?:]\s)(?<!^)\b[A-Z][a-z]{2,}\b|[一-鿿]{2,}",
}
_THING = r"\s+(?:changes?|developments?|info|information|news|situation|stat(?:e|us)|things?|updates?)"
_END = r"(?=\s*(?:[?!.,;:]|$)|\s+(?:about|at|for|from|in|of|on|regarding|since|to|today|with|within)\b)"
# Words that ask for the latest and are not searched for. "The current in the motor" is content, and so are quotes.
_QUOTED = r"(?i)(?P<quoted>\"[^\"]*\"|“[^”]*”|「[^」]*」|«[^»]*»)"
_RECENCY = (
    rf"\b(?:latest|newest|most recent(?:ly)?)\b(?:{_THING}{_END})?"
    rf"|(?:^|\b(?:the|our|my|its|their|is|are) )current(?:{_THING}{_END}|(?!{_END})(?=\s))"
    r"|\b(?:currently|these days|as of now|right now|up to date)\b"
    rf"|\b(?:what|anything)(?: has| have| is| was|'s|’s)?(?: been)? (?:changed|new){_END}|\bwhat is it now\b"
    r"|\blast(?= (?:decision|version|status|state|change|update|time)\b)"
)
_OPEN_QUESTION = frozenset("what anything everything something".split())  # noqa: SIM905 - words read better
_NO_CONTENT = frozenset(
    "anything changed everything going happen happened happening knew know known new news remember something".split()  # noqa: SIM905 - words read better
)
_YEAR = lazy_pattern(r"\d{4}")
_WORD = lazy_pattern(r"\w+")
_NO_CONTENT_BESIDE_TIME = frozenset(
    "happen happened happens happening going event events anything everything since something new talk talked".split()  # noqa: SIM905 - words read better
)
_BEFORE_EVENT, _EVENT_TEXT = r"\b(before|after|since)\s+", r"(\w[\w \-]{2,40}?)\s*(?=[?.,;!]|$)"
_EVENT = rf"(?i){_BEFORE_EVENT}(?:(?:the|our|my)\s+|(?:we|i|you|he|she|it|they)\s+(?=\w+ed\b)){_EVENT_TEXT}"
_MAYBE_EVENT = f"(?i){_BEFORE_EVENT}{_EVENT_TEXT}"
_EVENT_CUES = ("before", "after", "since")


class NamedEvent(Record):
    """An event that a question names in place of a time: "before the migration"."""

    sense: str  # before, after or since
    text: str  # "migration"
    is_certain: bool = True  # False: may be no event at all, as in "before deploying"


class Intent(Record):
    """What a question asks for. Every field may be empty."""

    kind: str = ""  # of answer: when, number, where or who (who: any name, of a person, a company or a work)
    names: frozenset[str] = frozenset()  # its words, lower case: any may be the name of an actor
    periods: tuple[Period, ...] = ()  # times it names
    as_of: int | None = None  # milliseconds: it asks for the state at this time
    event: NamedEvent | None = None  # named in place of a time
    latest: bool = False  # it asks for the latest
    type: str = ""  # its only content word, if it asks for the latest: perhaps a memory type
    only_time: bool = False  # it asks for nothing but a time: "what happened in March?"


def read_intent(question: str, *, content: str, now: int) -> Intent:
    """The intent of a question asked at `now` (milliseconds). `content` is its `strip_recency`. Never raises."""
    start = question[:MAX_CHARACTERS]
    lower, content = start.lower(), content[:MAX_CHARACTERS].lower()
    latest = any(re.search(_latest(one), start, re.IGNORECASE) for one in may_be(start) if _has_cue(one, lower))
    periods = _dates(start, now)
    as_of = [period.until - 1 for period in periods if period.sense == AS_OF]
    return Intent(
        kind=next((kind for kind, pattern in _KINDS if pattern.search(lower)), ""),
        names=frozenset(_WORD.findall(lower.replace("’", "'"))) - STOP_WORDS,
        periods=tuple(period for period in periods if period.sense != AS_OF),
        as_of=min(as_of, default=None),
        event=None if periods else _event(start),
        latest=latest,
        type=_only_word(content) if latest else "",
        only_time=bool(periods) and _is_only_time(content, periods),
    )


def strip_recency(question: str) -> str:
    """The question without words that ask for the latest; "" if the rest is an open question such as "what's new?"."""
    content = question
    for one in may_be(question):
        if _has_cue(one, question.lower()):
            dropped = _RECENCY if one.code == "en" else _latest(one)
            content = re.sub(f"{_QUOTED}|{dropped}", lambda found: found["quoted"] or " ", content)
    words = {*_WORD.findall(content.lower())} - STOP_WORDS
    is_open = bool(_OPEN_QUESTION.intersection(_WORD.findall(question[:MAX_CHARACTERS].lower())))
    return "" if is_open and words and words <= _NO_CONTENT else content


def _latest(one: Language) -> str:
    """The pattern of words that ask for the latest."""
    return one.latest if one.code in UNSPACED else rf"\b(?:{one.latest})\b"


def _has_cue(one: Language, lower: str) -> bool:
    return any(cue.replace("_", " ") in lower for cue in one.latest_cues.split())


def with_event_time(intent: Intent, *, first: int, until: int) -> Intent:
    """The intent once the time of its event is known, in milliseconds."""
    assert intent.event is not None
    period = Period(first=first, until=until, text=intent.event.text, sense=intent.event.sense)
    return intent.replace(periods=(*intent.periods, period))


def may_answer(kind: str, text: str) -> bool:
    """Whether a text contains a time, number, place or name, as a question of this kind asks for."""
    return bool(re.search(_ANSWERS[kind], text))


def falls_into(date: int, periods: Iterable[Period]) -> bool:
    """Whether a time (milliseconds) is in one of the periods. A month or day without a year matches any year."""
    return any(_falls_into(date, period) for period in periods)


def is_of_any_year(period: Period) -> bool:
    """Whether a period names a month, or a day of one, but no year."""
    if period.sense != IN or _YEAR.search(period.text):
        return False
    months = by_code(period.language).months.replace("|", " ").split()
    return "月" in period.text or not {*_WORD.findall(period.text.lower())}.isdisjoint(months)


def shift_years(period: Period, years: int) -> Period:
    """The same period in another year, within a day."""
    shift = round(years * YEAR_MS / DAY_MS) * DAY_MS
    return period.replace(first=period.first + shift, until=period.until + shift)


def named_actor(names: frozenset[str], actors: Iterable[str]) -> str | None:
    """The actor whose first name is among the names; None if zero or several match."""
    found = {actor for actor in actors if actor and _is_named(names, actor)}
    return found.pop() if len(found) == 1 else None


def _has(lower: str, cues: Iterable[str]) -> bool:
    return any(cue in lower for cue in cues)


def _dates(text: str, now: int) -> tuple[Period, ...]:
    if not may_name_dates(text):
        return ()
    from jotsam.pipeline.dates.parse_dates import find_dates  # slow to import

    return find_dates(text, said_at=now)


def _only_word(text: str) -> str:
    words = [word for word in _WORD.findall(text) if word not in STOP_WORDS]
    return words[0] if len(words) == 1 else ""


def _is_only_time(question: str, periods: Iterable[Period]) -> bool:
    for period in periods:
        question = question.replace(period.text.lower(), " ")
    return not {*_WORD.findall(question)} - STOP_WORDS - _NO_CONTENT_BESIDE_TIME


def _event(question: str) -> NamedEvent | None:
    if not _has(question.lower(), _EVENT_CUES):
        return None
    certain = re.search(_EVENT, question)
    found = certain or re.search(_MAYBE_EVENT, question)
    return NamedEvent(sense=found[1].lower(), text=found[2], is_certain=certain is not None) if found else None


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
    other = shift_years(period, -years)
    return other.first - DAY_MS <= date < other.until + DAY_MS


def _is_named(names: frozenset[str], actor: str) -> bool:
    words = [word for word in _WORD.findall(actor.lower()) if len(word) >= MIN_NAME]
    return bool(words) and words[0] in names
