"""Rules for years without a month: "in 2024 the shop moved", "by the end of 2022", "in early 2025", "the 1990s".

Most four-digit numbers are not years. One is a year if a preposition of time precedes it and no countable noun follows:
not "in 2024 rows", "port 2024" or "after 2048 tokens".
"""

from __future__ import annotations

import re
from datetime import date

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.dates import calendar
from jotsam.pipeline.dates.calendar import Days
from jotsam.pipeline.dates.rule import YEAR, Rule

_CONTEXT = 40  # characters examined before a year
_SIZES = frozenset((1024, 2048))  # more often a size than a year
# Likely years, without the round number 2000. Other numbers need stronger evidence.
_USUAL = frozenset(range(1901, 2100)) - {2000}

_PARTS_OF_YEAR = {"early": (1, 4), "mid": (5, 8), "middle of": (5, 8), "late": (9, 12)}
_PARTS_OF_YEAR |= {"beginning of": (1, 3), "start of": (1, 3), "end of": (10, 12)}
_PARTS_OF_YEAR |= {"first half of": (1, 6), "second half of": (7, 12)}
_PARTS_OF_DECADE = {"early": (0, 3), "mid": (4, 6), "late": (7, 9), "beginning of": (0, 3), "start of": (0, 3)}
_PARTS_OF_DECADE |= {"middle of": (4, 6), "end of": (7, 9)}

_PART = (
    r"(?:(?P<part>early|mid|late|(?:beginning|start|middle|end|(?:first|second)\s+half)\s+of)"
    r"[\s-]+(?:the\s+)?(?:year\s+)?)"
)
_BEFORE = lazy_pattern(
    r"\b(?:in|since|during|throughout|until|till|before|after|around|circa|through|between|from|by|as\s+of|the\s+year)"
    r"\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_STRONG_BEFORE = lazy_pattern(r"\b(?:in|since|until|around|circa|the\s+year)\s+(?:the\s+)?$", re.IGNORECASE)
_QUANTITY_BEFORE = lazy_pattern(
    r"\b(?:(?:grow|grew|grows|grown|increased?|increases|raised?|rose|risen|fell|dropped|reduced|cut|went|up|down|off"
    r"|multiplied|divided|limited|capped|scaled|out|most|each|result(?:s|ed|ing)?|one|all|any|some|none|sum|total|number|maximum|limit|size"
    r"|length|count|batch(?:es)?|average|rate|cost|price|budget|more|less|fewer)\s+(?:\w+\s+)?)(?:by|of|in|from|after)"
    r"\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_RANGE_BEFORE = lazy_pattern(
    r"\b(?:in|from|between|during|since|of)\s+(?:the\s+)?(?:(?:early|mid|late)[\s-]+)?[12]\d{3}(?:,\s*[12]\d{3}){0,3},?\s*"
    r"(?:to|until|till|through|and|or|-|–|,)\s*$",
    re.IGNORECASE,
)
_COUNTED = lazy_pattern(
    r"(?!\s*\n\s*\n)\s+(?!(?:the|a|an|our|my|his|her|their|its|this|that|these|those|i|we|he|she|it|they|you|there|who|what|which|when"
    r"|where|how|why|is|was|were|are|had|has|have|did|do|does|will|would|could|can|should|and|but|or|as|because|for"
    r"|with|without|on|in|at|by|to|from|after|before|while|until|till|since|so|too|then|already|alone|about|through"
    r"|during|if|though|although|via|under|over|onwards?|only|also|again|not|both|everyone|everybody|nobody|all|thanks"
    r"|due|under|around|between|i'm|we've|i've|it's|he's|she's)(?![\w-]))(?P<word>\w)",
    re.IGNORECASE,
)


def _year(match: re.Match[str], today: date) -> Days | None:
    """Reads "in 2022", "since early 2025", "from 2019 to 2021", but not "2048 tokens"."""
    number, before = int(match["year"]), match.string[max(0, match.start() - _CONTEXT) : match.start()]
    if number in _SIZES and not before.lower().rstrip().endswith("the year"):
        return None
    part = " ".join((match["part"] or "").lower().split())
    is_usual = number in _USUAL
    is_introduced = bool(part) or (_BEFORE if is_usual else _STRONG_BEFORE).search(before) is not None
    if not (is_introduced or (is_usual and _RANGE_BEFORE.search(before))) or _is_count(match, before):
        return None
    return calendar.months(number, *_PARTS_OF_YEAR[part]) if part else calendar.year(number)


def _is_count(match: re.Match[str], before: str) -> bool:
    """Whether the number counts something: "in 2024 rows", "grew by 2000".

    A capitalised word may follow at the beginning of a sentence: "In 2024 Ana moved".
    """
    following = _COUNTED.match(match.string, match.end())
    is_opening = any(word[:1].isupper() for word in (*before.split()[-1:], match["part"] or ""))
    is_name = following is not None and following["word"].isupper() and is_opening
    return (following is not None and not is_name) or (
        not match["part"] and _QUANTITY_BEFORE.search(before) is not None
    )


def _decade(match: re.Match[str], today: date) -> Days | None:
    """Reads "the 1990s", "the late '80s"."""
    part = " ".join((match["part"] or "").lower().split())
    if _COUNTED.match(match.string, match.end()) is not None or not (part or match[0].lower().startswith("the")):
        return None
    first = int(match["decade"]) * 10 if len(match["decade"]) == 3 else 1900 + int(match["decade"]) * 10
    begin, end = _PARTS_OF_DECADE.get(part, (0, 9))
    earliest, latest = calendar.year(first + begin), calendar.year(first + end)
    return (earliest[0], latest[1]) if earliest and latest else None


_NOT_AFTER, _NOT_BEFORE = r"(?<![\w.:/$€£#+-])", r"(?![\w%°+]|[.:/,–-]\d|-\w|\s*(?:%|°|€|\$))"

RULES = tuple(
    (Rule(pattern, frozenset((YEAR,))), reader)
    for pattern, reader in (
        (rf"{_NOT_AFTER}(?:the\s+)?{_PART}?(?P<decade>[12]\d\d)0[’']?s{_NOT_BEFORE}", _decade),
        (rf"{_NOT_AFTER}the\s+{_PART}?[’'](?P<decade>[2-9])0s{_NOT_BEFORE}", _decade),
        (rf"{_NOT_AFTER}{_PART}?(?P<year>[12]\d{{3}}){_NOT_BEFORE}", _year),
    )
)
