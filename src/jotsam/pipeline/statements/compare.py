"""Compare two statements: whether they are about one thing, and whether they give it different values.

Pure. It must not decide which of the two holds.
"""

from __future__ import annotations

import re

from jotsam.pipeline.statements.statement import UNKNOWN_VERB
from jotsam.pipeline.statements.values import NAME, NUMBER, STATE, WEEKDAY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.pipeline.statements.statement import Statement
    from jotsam.pipeline.statements.values import Value

MIN_SHARED = 2  # words that two statements share, if one of them has more
HOURS = frozenset(("open", "close"))  # a weekday beside them is not a value: "opens at 9 on Saturdays"


def contradict(one: Statement, other: Statement) -> bool:
    """Whether both give one thing a value, and the values differ, or one denies what the other states.

    A hedged statement contradicts too. Readings of one thing differ as a rule, so they contradict nothing.
    """
    return not (one.measured or other.measured) and differ(one, other)


def differ(one: Statement, other: Statement) -> bool:
    """As `contradict`, also for readings: two of one moment cannot both be right."""
    if not (one.holds and other.holds) or (one.negated and other.negated) or not is_same_thing(one, other):
        return False
    return have_equal_values(one, other) if one.negated or other.negated else have_different_values(one, other)


def have_equal_values(one: Statement, other: Statement) -> bool:
    """Whether both have the same values."""
    mine, theirs = ({(value.kind, value.form, value.unit) for value in each.values} for each in (one, other))
    return mine == theirs


def is_same_thing(one: Statement, other: Statement) -> bool:
    """Whether two statements are about the same thing. What one of them adds must not name another part of it."""
    if one.speaker != other.speaker and "i" in (one.speaker, other.speaker):
        return False
    if one.about == other.about:
        return True
    if one.qualifiers != other.qualifiers or (one.attribute and other.attribute and one.attribute != other.attribute):
        return False
    if UNKNOWN_VERB in (one.attribute, other.attribute):
        return False
    smaller, larger = sorted((one.about, other.about), key=len)
    return len(smaller) >= MIN_SHARED and smaller < larger and not any(map(_is_identifying, larger - smaller))


def have_different_values(one: Statement, other: Statement) -> bool:
    """Whether a value of one kind differs. Values of different kinds are not comparable: "on Friday", "in Berlin"."""
    is_name = one.kind == other.kind == NAME
    if is_name and one.prepositions and other.prepositions and {*one.prepositions}.isdisjoint(other.prepositions):
        return False
    mine, theirs = {value.kind: value for value in one.values}, {value.kind: value for value in other.values}
    kinds = {*mine} & {*theirs}
    if one.attribute in HOURS and WEEKDAY in {*mine, *theirs}:
        is_same_day = WEEKDAY in kinds and mine[WEEKDAY].form == theirs[WEEKDAY].form
        kinds = kinds - {WEEKDAY} if is_same_day else set()
    return any(_differ(mine[kind], theirs[kind]) for kind in kinds)


def _differ(one: Value, other: Value) -> bool:
    if one.kind == STATE or (one.form == other.form and one.unit == other.unit):
        return False
    if one.kind == NUMBER:
        is_comparable = one.unit == other.unit or not one.unit or not other.unit
        return is_comparable and one.form != other.form
    if one.kind == NAME:
        mine, theirs = _words(one.form), _words(other.form)
        return not (mine <= theirs or theirs <= mine)
    return True


def _words(form: str) -> set[str]:
    return {*re.findall(r"\w+", form)} or {form}


def _is_identifying(word: str) -> bool:
    """Whether a word distinguishes one thing from another of its kind: a number, a code."""
    return any(sign.isdigit() for sign in word)
