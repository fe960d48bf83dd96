"""Compares statements: whether two give one thing different values, and what a change does to an older text.

Pure. Two statements are of one thing if one speaks of nothing that the other does not, but for the values. A text is
replaced only if it speaks of the same subject and attribute and of nothing else; in doubt it is only marked, or left
alone. Whether one of two statements that contradict each other holds is not decided here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from jotsam.core.records import Record
from jotsam.pipeline.languages import either, spaced, united, unspaced
from jotsam.pipeline.languages.language import table
from jotsam.pipeline.statements.compatible import MARK, RETIRE, compatible
from jotsam.pipeline.statements.find_changes import (
    ENDS,
    MAX_KEPT,
    REPLACES,
    STATES,
    Change,
    is_uncertain,
    without_label,
)
from jotsam.pipeline.statements.sentences import FUNCTIONAL, Sentence, Token, code_of, read_sentence, split
from jotsam.pipeline.statements.values import NAME, STATE, WEEKDAY
from jotsam.pipeline.statements.words import is_cjk, name_of, plain, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.pipeline.statements.read import Statement

_NAMES = frozenset(name for one in (*spaced(), *unspaced()) for name in table(one.synonyms).get("name", "").split())

MAX_MARKED = 3  # sentences of a text that a change marks even if it concerns only a part of one


class Said(Record):
    """A text with its speaker and place."""

    text: str
    actor: str | None = None
    session: str | None = None
    year: int = 0
    is_chunk: bool = False  # of a document


_NOBODY = Said(text="")
_HOURS = frozenset(("open", "close"))


def contradict(one: Statement, other: Statement) -> bool:
    """Whether both give one thing a value, and the values differ, or one denies what the other states.

    A hedged statement contradicts too. Readings of one thing differ as a rule, so they contradict nothing.
    """
    return not (one.measured or other.measured) and differ(one, other)


def differ(one: Statement, other: Statement) -> bool:
    """As `contradict`, also for readings: two of one moment cannot both be right."""
    if one.negated or other.negated:
        mine, theirs = one.frame.tokens, other.frame.tokens
        return one.negated != other.negated and not (_outside(mine, theirs) or _outside(theirs, mine))
    if one.changes and other.changes:
        return False  # One followed the other.
    if one.qualifiers != other.qualifiers or not _have_different_values(one, other):
        return False
    if one.about == other.about and one.kind != NAME:
        return True
    pairs = ((one, other), (other, one))
    return any(_on_sentence(newer.change, _NOBODY, _NOBODY, older.frame) == RETIRE for newer, older in pairs)


def _have_different_values(one: Statement, other: Statement) -> bool:
    """Whether a value of one kind differs. Values of different kinds are not comparable: "on Friday", "in Berlin"."""
    mine, theirs = ({value.kind: (value.form, value.unit) for value in each.values} for each in (one, other))
    kinds = {*mine} & {*theirs} - {STATE}
    if one.attribute in _HOURS and WEEKDAY in {*mine, *theirs}:
        # A weekday beside them is not a value: "opens at 9 on Saturdays".
        kinds = kinds - {WEEKDAY} if mine.get(WEEKDAY) == theirs.get(WEEKDAY) else set()
    return any(mine[kind] != theirs[kind] and not _is_part(mine[kind][0], theirs[kind][0], kind) for kind in kinds)


def _is_part(one: str, other: str, kind: str) -> bool:
    mine, theirs = {*one.split()}, {*other.split()}
    return kind == NAME and (mine <= theirs or theirs <= mine)


def effect(change: Change, newer: Said, older: Said) -> str | None:
    """What a change does to an older text: RETIRE, MARK or None."""
    if change.years and any(year != newer.year for year in change.years):
        return None
    if (newer.is_chunk or older.is_chunk) and not _is_specific(change):
        return None
    stated, count = _statements(older.text)
    effects = [_on_sentence(change, newer, older, one) for one in stated]
    if count == 1:
        return effects[0] if effects else None
    is_marked = RETIRE in effects or (MARK in effects and count <= MAX_MARKED)
    return MARK if is_marked else None


@lru_cache(maxsize=MAX_KEPT)
def _statements(text: str) -> tuple[tuple[Sentence, ...], int]:
    """The sentences of a text that are certain, and how many it has with the others."""
    found = split(text)
    codes = [code_of(sentence) for sentence in found]
    certain = [
        read_sentence(without_label(one, code), code)
        for one, code in zip(found, codes, strict=True)
        if not is_uncertain(plain(one), code, written=one)
    ]
    return tuple(certain), len(found)


def _is_specific(change: Change) -> bool:
    """Whether the change names an old value, or what it speaks of by more than one common noun.

    Documents have many sentences like "the default is now 5", each of another default.
    """
    if change.old is not None or change.is_correction or change.frame.person == "i" or is_cjk(change.sentence):
        return True
    about = change.frame.tokens
    if change.kind == STATES:
        about = tuple(token for token in about if change.pivot < 0 or token.at < change.pivot)
    return len(about) > 1 or any(token.is_name or any(map(str.isdigit, token.word)) for token in about)


def _on_sentence(change: Change, newer: Said, older: Said, old: Sentence) -> str | None:
    people = _same_speaker(change.frame, newer, old, older)
    if people is None or not old.tokens or old.person == "it":
        return None
    if change.frame.person == "it" and change.old is None:
        return None  # A pronoun, whose noun is unknown.
    # "The price of X is 4" and "X costs 5" name the attribute in two ways.
    frame = _but(_unnamed(change.frame.tokens, old.classes), people)
    told = _but(_unnamed(old.tokens, change.frame.classes), people)
    if change.kind == ENDS:
        return _ended(change, frame, told, old)
    if change.is_rename:
        return _renamed(change, told, old)
    if change.old is not None:
        return _replaced(change, frame, told, old, newer, older)
    if change.kind == REPLACES and change.new is not None:
        return _differs(change, frame, change.new.tokens, told, old)
    return _stated(change, frame, told, old)


def _same_speaker(new: Sentence, newer: Said, old: Sentence, older: Said) -> tuple[str, ...] | None:
    """None if the two speak of different people; otherwise the words that name the speaker."""
    if new.person == "i" and old.person == "i":
        return () if newer.actor == older.actor else None
    if {new.person, old.person} == {"we", "it"}:
        return None
    if "i" in (new.person, old.person):
        speaker, other = (newer, old) if new.person == "i" else (older, new)
        names = tuple(plain(speaker.actor or "").split())
        if not names or not any(same(token.word, names[0]) for token in other.tokens):
            return None
        return names
    return ()


def _unnamed(tokens: tuple[Token, ...], classes: frozenset[str]) -> tuple[Token, ...]:
    return tuple(token for token in tokens if name_of(token.word) not in classes)


def _but(tokens: tuple[Token, ...], words: tuple[str, ...]) -> tuple[Token, ...]:
    return tuple(token for token in tokens if token.word not in words) if words else tokens


def _holds(tokens: tuple[Token, ...], word: str) -> bool:
    return any(same(token.word, word) for token in tokens)


def _outside(tokens: tuple[Token, ...], others: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens that the others do not hold."""
    return tuple(token for token in tokens if not _holds(others, token.word))


def _ended(change: Change, frame: tuple[Token, ...], told: tuple[Token, ...], old: Sentence) -> str | None:
    if not frame or old.is_negative or _outside(frame, told):
        return None
    classes = change.frame.classes - {"be", "have"}
    if classes and not classes & old.classes:
        return None
    rest = _outside(told, frame)
    if not rest:
        return RETIRE
    return MARK if len(frame) > 1 and len(rest) <= len(frame) and old.verb_at >= 0 else None


def _replaced(
    change: Change, frame: tuple[Token, ...], told: tuple[Token, ...], old: Sentence, newer: Said, older: Said
) -> str | None:
    """The change names the old value."""
    assert change.old is not None
    value, new = change.old.tokens, () if change.new is None else change.new.tokens
    if _outside(value, told) or (new and not _outside(new, told)) or old.is_negative:
        return None
    about = _outside(frame, value)
    if change.new is None:
        about = tuple(token for token in about if not _is_new_value(token, change.frame, told))
    rest = _outside(told, value)
    shared = tuple(token for token in about if _holds(rest, token.word))
    is_state = bool(old.classes & FUNCTIONAL)
    if about and not shared:
        return None
    if _outside(about, rest):
        return None
    extra = _outside(_outside(rest, about), new)
    if not about:
        is_used = _is_used(value, told, old)
        return _without_subject(change, old, newer, older, is_plain=is_state and not extra, is_used=is_used)
    if not extra:
        return RETIRE if is_state or len(about) > 1 or old.verb_at < 0 else MARK
    return MARK if len(extra) <= 3 and not _outside(old.before_verb(), about) else None


def _without_subject(
    change: Change, old: Sentence, newer: Said, older: Said, *, is_plain: bool, is_used: bool
) -> str | None:
    """Of a change that names the old value and no subject: "we switched from A to B", "it is B, not A"."""
    if change.frame.person in ("i", "we"):
        if change.frame.person != old.person:
            is_ours = change.frame.person == "we" and not old.person and _begins_with_article(old)
            return MARK if is_ours and is_used else None
        return RETIRE if is_plain else MARK if change.frame.person == "we" and is_used else None
    is_near = newer.session is not None and newer.session == older.session
    return MARK if is_near and is_plain else None


def _is_used(value: tuple[Token, ...], told: tuple[Token, ...], old: Sentence) -> bool:
    """Whether the older text states that the old value is used: "deploys with A", "runs on A", "we use A".

    With a preposition it must be a name: much else happens "on" something.
    """
    named = [token for token in told if token.is_name and same(token.word, value[0].word)]
    if old.classes & {"use", "run"}:
        return bool(named) or old.person == "we"
    return any(token.before in united("means") for token in named)


def _begins_with_article(sentence: Sentence) -> bool:
    """Whether its subject is a thing, "the cache", and not a person with a name."""
    return re.match(either("definite"), plain(sentence.text).lstrip().partition(" ")[0]) is not None


def _renamed(change: Change, told: tuple[Token, ...], old: Sentence) -> str | None:
    """Only a statement of the name itself is replaced: other statements under the old name still hold."""
    if "name" not in old.classes and not any(same(token.word, "name") or token.word in _NAMES for token in told):
        return None
    known = change.frame.tokens if change.old is None else change.old.tokens
    is_new = change.new is not None and bool(_outside(change.new.tokens, told))
    return RETIRE if known and is_new and not _outside(known, told) and len(_outside(told, known)) <= 2 else None


def _is_new_value(token: Token, frame: Sentence, told: tuple[Token, ...]) -> bool:
    """Whether a word of "the port is 81 instead of 80" belongs to the new value: it follows the verb, and is new."""
    return (frame.verb_at < 0 or token.at > frame.verb_at) and not _holds(told, token.word)


def _stated(change: Change, frame: tuple[Token, ...], told: tuple[Token, ...], old: Sentence) -> str | None:
    """The change is a plain statement: what is new in it is its value."""
    assert change.kind == STATES
    new = _outside(frame, told)
    shared = [token.at for token in frame if token not in new]
    pivot = change.pivot if change.pivot >= 0 else shared[min(1, len(shared) - 1)] if shared else -1
    if pivot < 0 or any(token.at < pivot for token in new):
        return None
    return _differs(change, tuple(token for token in frame if token not in new), new, told, old)


def _differs(
    change: Change, about: tuple[Token, ...], new: tuple[Token, ...], told: tuple[Token, ...], old: Sentence
) -> str | None:
    """Whether an older statement gives the same attribute of the same subject another value."""
    if not new or old.is_negative or _outside(about, told) or change.frame.is_negative:
        return None
    value = _outside(told, about)
    if not value or not _outside(new, told):
        return None
    before = tuple(token for token in old.before_verb() if token in told)
    if not about and change.frame.person not in ("i", "we"):
        return None
    if _outside(before, about) or (
        old.verb_at < 0 and value[0].at < max((t.at for t in told if t not in value), default=0)
    ):
        return None
    return compatible(change, about, new, value, old)
