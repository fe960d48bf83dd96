"""Sentences of a turn, without code, quotes, logs and tables. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from jotsam.core.patterns import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.core.note_records import Turn

MAX_TURN = 12_000  # characters that are read
MAX_SENTENCE = 1_000  # characters: some patterns take the square of the length
_FENCE = lazy_pattern(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_QUOTED = lazy_pattern(r"[\"“„«][^\"“”„«»\n]{25,}[\"”“»]")
_DATA = lazy_pattern(
    r"^\s*(?://|>|\||at |File \"|\+|\$ |#\s*include|[{}\[\]<]|\d{4}-\d\d-\d\d[T ]\d\d:|\[\w+\]"
    r"|\w+(?:\.\w+)*(?:Error|Exception)\b)"
)
_ENDS = lazy_pattern(
    r"(?<=[.!?…])(?<!\b[a-z]\.[a-z]\.)(?!(?<=\bno\.)\s+\d)(?<!\bvs\.)(?<!\bca\.)(?<!\bz\.B\.)\s+(?=\S)|(?<=[。！？])"
    r"|\n+|;\s+|(?<![^\S\n])[^\S\n]+[—–]\s+"
)
# What an assistant is about to do: it is neither done, nor decided, nor left open.
_ANNOUNCES = lazy_pattern(
    r"(?:ok(?:ay)?|now|so|then|next|first|good|great|right|alright|perfect)?[,.:!]?\s*(?:now |first,? |next,? |also )?"
    r"(?:let me\b|let['’]s (?:see|look|check|start|verify|read)\b|i['’]ll\b|i will\b|i need to\b"
    r"|i(?:['’]m| am) (?:going to|about to|now)\b|time to\b|here(?:['’]s| is| are)\b|ready (?:to|for)\b"
    r"|starting (?:with|by)\b)",
    re.IGNORECASE,
)
_BULLET = lazy_pattern(r"^\s*(?:[-*+•]\s+|#{1,6}\s+|\(?\d{1,2}[.)]\s+|\[[ x]\]\s+)+")
_MARKS = lazy_pattern(r"\*\*|__(?=\W|\b)|(?<!\w)__")


def prose(text: str) -> str:
    """The text without fenced blocks and lines that are data."""
    text = text[:MAX_TURN]
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("\n", text)
    return "\n".join(line for line in text.splitlines() if not _DATA.match(line))


def without_quotes(text: str) -> str:
    """The text without what it quotes of others."""
    return _QUOTED.sub(" ", text)


def cut(text: str, limit: int, mark: str = " ...") -> str:
    """The text, or of a longer one the words within the first `limit` characters, and the mark."""
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0] + mark


def answered(text: str) -> list[str]:
    """The sentences of an answer of an assistant, without those that only announce what it does next."""
    return [one for one in split(prose(text)) if one.endswith("?") or not _ANNOUNCES.match(one)]


def sentences_of(turn: Turn) -> Sequence[str]:
    """The sentences of a turn; of one of the assistant, without announcements."""
    return split(prose(turn.text)) if turn.by_user else answered(turn.text)


@lru_cache(maxsize=64)  # A turn is read for rules, decisions, open ends and more, and its answer with it.
def split(text: str) -> tuple[str, ...]:
    """The sentences of prose, without marks of lists and of emphasis."""
    found = (_MARKS.sub("", _BULLET.sub("", part)).strip()[:MAX_SENTENCE] for part in _ENDS.split(text))
    return tuple(part for part in found if part)
