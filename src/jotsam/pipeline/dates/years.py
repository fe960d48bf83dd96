"""Years that stand alone, for `dates`: "in 2024 the shop moved", "by the end of 2022", "in early 2025", "the 1990s".

A number of four digits is mostly no year. It is one where a word that time follows stands before it, and nothing that
could be counted behind it: not "in 2024 rows", "port 2024" or "after 2048 tokens". It must not know months and days.
"""

from __future__ import annotations

import re
from datetime import date

from jotsam.pipeline.dates import calendar
from jotsam.pipeline.dates.calendar import Days

_FAR_BACK = 40
"""So many characters before a year are looked at."""

_SIZES = frozenset((1024, 2048))
"""What is more often a size than a year."""

_USUAL = frozenset(range(1901, 2100)) - {2000}
"""Years that people mostly speak of, and no round numbers. Another number must look even more like a year."""

_THIRDS = {"early": (1, 4), "mid": (5, 8), "middle of": (5, 8), "late": (9, 12)}
_THIRDS |= {"beginning of": (1, 3), "start of": (1, 3), "end of": (10, 12)}
_THIRDS |= {"first half of": (1, 6), "second half of": (7, 12)}
_OF_DECADE = {"early": (0, 3), "mid": (4, 6), "late": (7, 9), "beginning of": (0, 3), "start of": (0, 3)}
_OF_DECADE |= {"middle of": (4, 6), "end of": (7, 9)}

_PART = (
    r"(?:(?P<part>early|mid|late|(?:beginning|start|middle|end|(?:first|second)\s+half)\s+of)"
    r"[\s-]+(?:the\s+)?(?:year\s+)?)"
)
_BEFORE = re.compile(
    r"\b(?:in|since|during|throughout|until|till|before|after|around|circa|through|between|from|by|as\s+of|the\s+year)"
    r"\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_SURELY_BEFORE = re.compile(r"\b(?:in|since|until|around|circa|the\s+year)\s+(?:the\s+)?$", re.IGNORECASE)
_NO_TIME_BEFORE = re.compile(
    r"\b(?:(?:grow|grew|grows|grown|increased?|increases|raised?|rose|risen|fell|dropped|reduced|cut|went|up|down|off"
    r"|multiplied|divided|limited|capped|scaled|out|most|each|result(?:s|ed|ing)?|one|all|any|some|none|sum|total|number|maximum|limit|size"
    r"|length|count|batch(?:es)?|average|rate|cost|price|budget|more|less|fewer)\s+(?:\w+\s+)?)(?:by|of|in|from|after)"
    r"\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\b(?:in|from|between|during|since|of)\s+(?:the\s+)?(?:(?:early|mid|late)[\s-]+)?[12]\d{3}(?:,\s*[12]\d{3}){0,3},?\s*"
    r"(?:to|until|till|through|and|or|-|–|,)\s*$",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?!\s*\n\s*\n)\s+(?!(?:the|a|an|our|my|his|her|their|its|this|that|these|those|i|we|he|she|it|they|you|there|who|what|which|when"
    r"|where|how|why|is|was|were|are|had|has|have|did|do|does|will|would|could|can|should|and|but|or|as|because|for"
    r"|with|without|on|in|at|by|to|from|after|before|while|until|till|since|so|too|then|already|alone|about|through"
    r"|during|if|though|although|via|under|over|onwards?|only|also|again|not|both|everyone|everybody|nobody|all|thanks"
    r"|due|under|around|between|i'm|we've|i've|it's|he's|she's)(?![\w-]))(?P<word>\w)",
    re.IGNORECASE,
)


def _year(match: re.Match[str], today: date) -> Days | None:
    """ "in 2022", "since early 2025", "from 2019 to 2021"; not "2048 tokens"."""
    number, before = int(match["year"]), match.string[max(0, match.start() - _FAR_BACK) : match.start()]
    if number in _SIZES and not before.lower().rstrip().endswith("the year"):
        return None
    part = " ".join((match["part"] or "").lower().split())
    is_usual = number in _USUAL
    is_introduced = bool(part) or (_BEFORE if is_usual else _SURELY_BEFORE).search(before) is not None
    if not (is_introduced or (is_usual and _GOES_ON.search(before))) or _counts(match, before):
        return None
    return calendar.months(number, *_THIRDS[part]) if part else calendar.year(number)


def _counts(match: re.Match[str], before: str) -> bool:
    """Whether something is counted: "in 2024 rows", "grew by 2000". A name may follow where a sentence begins so."""
    behind = _COUNTED.match(match.string, match.end())
    is_opening = any(word[:1].isupper() for word in (*before.split()[-1:], match["part"] or ""))
    is_named = behind is not None and behind["word"].isupper() and is_opening
    return (behind is not None and not is_named) or (not match["part"] and _NO_TIME_BEFORE.search(before) is not None)


def _decade(match: re.Match[str], today: date) -> Days | None:
    """ "the 1990s", "the late '80s"."""
    part = " ".join((match["part"] or "").lower().split())
    if _COUNTED.match(match.string, match.end()) is not None or not (part or match[0].lower().startswith("the")):
        return None
    first = int(match["decade"]) * 10 if len(match["decade"]) == 3 else 1900 + int(match["decade"]) * 10
    begin, end = _OF_DECADE.get(part, (0, 9))
    earliest, latest = calendar.year(first + begin), calendar.year(first + end)
    return (earliest[0], latest[1]) if earliest and latest else None


_APART, _ALONE = r"(?<![\w.:/$€£#+-])", r"(?![\w%°+]|[.:/,–-]\d|-\w|\s*(?:%|°|€|\$))"

RULES = tuple(
    (re.compile(pattern, re.IGNORECASE), reader)
    for pattern, reader in (
        (rf"{_APART}(?:the\s+)?{_PART}?(?P<decade>[12]\d\d)0[’']?s{_ALONE}", _decade),
        (rf"{_APART}the\s+{_PART}?[’'](?P<decade>[2-9])0s{_ALONE}", _decade),
        (rf"{_APART}{_PART}?(?P<year>[12]\d{{3}}){_ALONE}", _year),
    )
)
