"""Read what plain sentences state: "The staging port is 5432." gives the thing, its attribute and its value.

Pure, in all languages. It reads words, not meaning: a sentence that it does not understand gives nothing, nor does one
that asks, plans, supposes or quotes. It must not decide which of two statements holds.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from jotsam.core.records import Record
from jotsam.pipeline.languages import UNSPACED, by_code, either, united
from jotsam.pipeline.languages.language import words
from jotsam.pipeline.statements.compatible import is_attribute
from jotsam.pipeline.statements.cues import cue
from jotsam.pipeline.statements.find_changes import (
    ENDS,
    REPLACES,
    STATES,
    Change,
    change_of,
    is_uncertain,
    without_label,
)
from jotsam.pipeline.statements.sentences import code_of, read_sentence, split
from jotsam.pipeline.statements.values import NAME, NUMBER, STATE, Value, may_hold_values, typed_values
from jotsam.pipeline.statements.words import compiled, name_of, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.pipeline.languages.language import Language
    from jotsam.pipeline.statements.sentences import Sentence, Token

MAX_CHARACTERS = 400  # a longer text is about more than one thing
MAX_STATEMENTS = 8
REMEMBERED = 1024  # texts: an answer often shows what the one before it showed
UNKNOWN_VERB = "does"  # attribute of a statement whose verb is in no list
MIN_ABOUT = 2  # words that a sentence with an unknown verb must be about

_REPORTED = rf"(?i)^(?:{either('reported')})"
_THAT = rf"(?i)^[\s,.:]*(?:{either('that')})?\s*"
_COLON = r"^([^:=]{2,60}?)\s?(?::|=|：)\s+(?=\S)"
# Clauses that begin with their own article are statements of their own.
_AND = rf",?\s(?:{either('conjunction')})\s(?=(?:{either('definite')})\s)"
_POSSESSIVE = r"(?<=\w)'s?\s"
_SINCE = rf"(?i)^(?:{either('since')})\s\w+\s(?=\w)"
_CLAUSE_END = r",\s|;|\s?\(|\s[–—-]+\s|，"


class Statement(Record):
    """One thing, and the value that a sentence gives it."""

    text: str  # the sentence
    change: Change  # the same as a change: what it replaces, or what it states
    frame: Sentence  # all of its words
    about: frozenset[str]  # names of all that it is about: thing, attribute, part, environment
    attribute: str = ""  # class of the verb, as "price" or "use"; "" for "is"
    value: str = ""  # as written
    kind: str = ""  # of the value: time, weekday, date, number, name, state
    values: tuple[Value, ...] = ()  # all typed values: a weekday and a time
    qualifiers: frozenset[str] = frozenset()  # names that limit it to a part: "guest", "staging"
    speaker: str = ""  # "i" or "we", if it is about its speaker
    old_value: str = ""  # the previous value, if the sentence names it: "from 10 to 12"
    hedged: bool = False  # a guess or hearsay
    measured: bool = False  # a reading or the state of one day
    negated: bool = False

    @property
    def changes(self) -> bool:
        """Whether it states that the value is new."""
        return self.change.kind == REPLACES


@lru_cache(REMEMBERED)
def read_statements(text: str) -> tuple[Statement, ...]:
    """What the sentences of a text state, in their order; () for a long text. Never raises."""
    if len(text) > MAX_CHARACTERS or "```" in text:
        return ()
    # A label of one line among many belongs to what is above it.
    has_labels = "\n" not in text.strip()
    clauses = (clause for sentence in split(text) for clause in compiled(_AND).split(sentence))
    found = (_statement(clause, has_labels=has_labels) for clause in clauses)
    return tuple([one for one in found if one])[:MAX_STATEMENTS]


def _statement(sentence: str, *, has_labels: bool) -> Statement | None:
    code = code_of(sentence)
    one = by_code(code)
    text = compiled(_REPORTED).sub("", sentence[_announced(plain(sentence), code) :].replace("’", "'"))
    text = compiled(_SINCE).sub("", compiled(_POSSESSIVE).sub(" ", text))
    hedged = _search(one.hedges, sentence)
    if hedged:
        text = _certain(text, one)
    told = without_label(text, code)
    label, text = text[: len(text) - len(told)], told
    every = read_sentence(text, code)
    change = change_of(text, code)
    if not (change or every.classes or ":" in text or "=" in text or code in UNSPACED or may_hold_values(text)):
        return None
    clause = _clause(text, max(every.verb_at, 0), code)
    if is_uncertain(plain(label + clause), code, written=clause):
        return None
    if _is_past_or_vague(sentence, clause, one, is_past_allowed=change is not None):
        return None
    colon = None if "(" in text else compiled(_COLON).match(text)
    if (colon and not has_labels) or every.person == "it":
        return None
    frame = every if clause == text else read_sentence(clause, code)
    change = change or Change(kind=STATES, sentence=text, frame=frame, pivot=frame.verb_at)
    return _stated(sentence, frame, change, one, label=colon.end() if colon else 0, hedged=hedged)


def _announced(low: str, code: str) -> int:
    """The length of a label such as "Update:" or "Correction!"."""
    lead, correction = cue("lead", code).match(low), cue("correction", code).match(low)
    mark = compiled(r"\s*[:!-]\s*").match(low, correction.end()) if correction else None
    return lead.end() if lead else mark.end() if mark else 0


def _search(pattern: str, text: str) -> bool:
    return bool(pattern) and compiled(pattern, re.IGNORECASE).search(text) is not None


def _is_past_or_vague(sentence: str, main: str, one: Language, *, is_past_allowed: bool) -> bool:
    """Whether a sentence asks, tells of the past, or of no certain thing."""
    if sentence.endswith(("?", "？", *one.question_ends.split())) or (_search(one.past, main) and not is_past_allowed):
        return True
    if one.code in UNSPACED:
        return _search(one.vague, main[:12])
    return not words(one.vague).isdisjoint(re.findall(r"[^\W\d_]+", main.lower())[:2])


def _certain(text: str, one: Language) -> str:
    """The sentence without its words of doubt."""
    if one.hearsay:
        plain_text = re.sub(one.hearsay, "", text)
        return re.sub(one.doubts, "です", plain_text) if one.doubts else plain_text
    return compiled(_THAT).sub("", re.sub(one.hedges, " ", text, flags=re.IGNORECASE)).strip()


def _clause(text: str, verb: int, code: str) -> str:
    """The text up to a comma, a reason or a contrast behind its verb."""
    low = plain(text)
    found = (compiled(_CLAUSE_END).search(low, verb), cue("reason", code).search(low, verb))
    return text[: min((one.start() for one in found if one), default=len(text))]


def _stated(
    sentence: str, frame: Sentence, change: Change, one: Language, *, label: int, hedged: bool
) -> Statement | None:
    text = frame.text
    pivot = max(label, frame.verb_at)
    if change.new is not None:
        pivot = max(plain(text).rfind(change.new.text[:6].strip()), 0) or pivot
    attribute = min(frame.classes - {"be", "have"}, default="")
    if not (frame.classes or label or change.new):
        attribute = UNKNOWN_VERB
    values = _typed([value for value in typed_values(text, is_han=one.code in UNSPACED) if value.start >= pivot])
    inside = range(values[0].start, values[-1].end) if values else range(0)
    about = [token for token in frame.tokens if token.at not in inside]
    if not values and frame.classes != {"have"}:
        about, told = [token for token in about if token.at < pivot], [token for token in about if token.at >= pivot]
        values = _untyped(text, pivot, about, told, attribute, one)
    if not values or _is_listed(text, values, one):
        return None
    names = frozenset(name_of(token.word) for token in about)
    if frame.classes == {"have"} and not (values[0].kind == NUMBER and values[0].unit):
        return None
    if attribute == UNKNOWN_VERB:
        if len(names) < MIN_ABOUT or _search(one.events, text) or not _is_counted(values[0], about):
            return None
    elif not names and not (frame.person and attribute):
        return None
    is_entry = bool(label) and names.isdisjoint(_things("settings"))  # one of many: "Loaves baked: 64"
    is_reading = values[0].kind == NUMBER and (is_entry or not names.isdisjoint(_things("measured")))
    parts, environments = words(one.parts), united("environments")
    return Statement(
        text=sentence,
        change=change,
        frame=frame,
        about=names | ({attribute} if attribute else set()),
        attribute=attribute,
        value=text[values[0].start : values[-1].end],
        kind=values[0].kind,
        values=values,
        qualifiers=frozenset(
            name for token in about if (name := name_of(token.word)) in environments or token.before in parts
        ),
        speaker=frame.person if frame.person in ("i", "we") else "",
        old_value=change.old.text if change.old else "",
        hedged=hedged,
        measured=is_reading or _search(one.today, sentence),
        negated=frame.is_negative or change.kind == ENDS,
    )


def _untyped(
    text: str, pivot: int, about: list[Token], told: list[Token], attribute: str, one: Language
) -> tuple[Value, ...]:
    """A name, or a plain word: of a thing of a kind that has such values, as a colour, it is a value too."""
    if attribute == UNKNOWN_VERB or not told:
        return ()
    is_described = not words(one.indefinite).isdisjoint(text[pivot : told[0].at].lower().split())
    if is_described and not attribute:
        return ()
    is_word = any(is_attribute(token.word) for token in about)
    is_name = is_word or one.code in UNSPACED or any(token.is_name for token in told)
    form = " ".join(token.word for token in told)
    return (Value(kind=NAME if is_name else STATE, form=form, start=told[0].at, end=len(text)),)


def _is_listed(text: str, values: tuple[Value, ...], one: Language) -> bool:
    """Whether another value follows the first: "PostgreSQL and Redis", "5 or 6"."""
    if values[0].kind == NAME and one.joins:
        return re.search(rf"(?:,\s|\s(?:{one.joins}|&|\+)\s)(?=\w)", text[values[0].start :]) is not None
    return re.match(rf"\s*(?:,|/|{one.joins or ','}|&)\s*\d", text[values[-1].end :]) is not None


def _is_counted(value: Value, about: list[Token]) -> bool:
    """Whether a value of a sentence with an unknown verb is one: "Deploys happen every Friday"."""
    before = [token for token in about if token.at < value.start]
    is_set = bool(before) and name_of(before[-1].word) in _things("settings")
    return value.kind != NAME and (value.kind != NUMBER or bool(value.unit) or is_set) and bool(before)


def _typed(found: list[Value]) -> tuple[Value, ...]:
    """The first value, and those of other kinds that follow it closely: "on Monday at 10"."""
    values = found[:1]
    for value in found[1:]:
        is_close = value.start - values[-1].end <= len(" um wöchentlich ")
        if value.kind != NUMBER and is_close and value.kind not in {one.kind for one in values}:
            values.append(value)
    return tuple(values)


@cache
def _things(field: str) -> frozenset[str]:
    return frozenset(map(name_of, united(field)))
