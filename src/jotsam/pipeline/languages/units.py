"""Units of all languages, by their name and by what they measure."""

from __future__ import annotations

from functools import cache

from jotsam.pipeline.languages import spaced, unspaced
from jotsam.pipeline.languages.language import table

# What units of known size measure, and how large they are.
_TIMES = {"millisecond": 0.001, "second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_TIMES |= {"month": 2629746, "year": 31556952}
_SIZES = {"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1024, "mib": 2**20, "gib": 2**30}
SCALES = {name: ("seconds", scale) for name, scale in _TIMES.items()}
SCALES |= {name: ("bytes", scale) for name, scale in _SIZES.items()}
SCALES |= {"dollar": ("dollars", 1), "euro": ("euros", 1), "pound": ("pounds", 1), "franc": ("francs", 1)}
SCALES |= {"yuan": ("yuan", 1), "yen": ("yen", 1), "percent": ("percent", 1)}
# Units that all languages write alike.
_SYMBOLS = {
    "millisecond": "ms",
    "second": "s sec",
    "minute": "min mins",
    "hour": "h hr hrs am pm",
    "day": "d",
    "dollar": "$ usd",
    "euro": "€ eur",
    "pound": "£ gbp",
    "yen": "¥",
    "franc": "chf",
    "percent": "%",
    "bytes": "b",
    "length": "mm cm m km",
    "weight": "g kg",
    **{unit: unit for unit in _SIZES},
}
_MONEY = frozenset(("dollar", "euro", "pound", "yuan", "yen", "franc", "peso", "cent"))


@cache
def unit_names() -> dict[str, str]:
    """The name of each unit, by the words and symbols for it."""
    found = {symbol: name for name, symbols in _SYMBOLS.items() for symbol in symbols.split()}
    for one in (*spaced(), *unspaced()):
        found |= {word: name for name, units in table(one.units).items() for word in units.split()}
    return found


def measure(unit: str) -> str:
    """What a unit measures: time, data, money, length; "" for a word that is no unit."""
    name = unit_names().get(unit, "")
    return "money" if name in _MONEY else SCALES[name][0] if name in SCALES else name
