"""Finds the sentences of a text that replace, end or correct something, by their own words. Pure; never raises.

A sentence that asks, plans, supposes, quotes, adds, compares or takes back states no change.
"""

from __future__ import annotations

import re
from functools import lru_cache

from jotsam.core.records import Record
from jotsam.pipeline.statements import cues
from jotsam.pipeline.statements.grammar import code_of
from jotsam.pipeline.statements.sentences import Sentence, read, spell_out, split
from jotsam.pipeline.statements.words import is_cjk, is_japanese, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_CHARACTERS, MAX_CHANGES = 6_000, 8
MAX_KEPT = 64  # texts. Each older text that arrives late is compared with the same later ones.
REPLACES, ENDS, STATES = "replaces", "ends", "states"

_QUOTED = re.compile(r"[\"“”„«»「」『』‘]|(?:^|\s)'")
_YEAR = re.compile(r"(?<![\d.])(?:19|20)\d\d(?![\d.])")
_RELEASES = re.compile(
    r"(?im)^\W*(?:changelog|change log|release notes|unreleased|what's new|versions?"
    r"|v?\d+\.\d+(?:\.\d+)*)\b[^\n]{0,40}$"
)
_VERSIONS = re.compile(r"\bv?\d+\.\d+\.\d+\b|\b[vV]\d+(?:\.\d+)?\b")
_LABEL = re.compile(
    r"^\W*(?:ideas?|options?|thoughts?|motions?|agenda|topics?|questions?|wish(?:es)?|variante?s?|alternative[ns]?|idee[ns]?"
    r"|antrage?|fragen?|thema|themen|wunsche?|sujets?|souhaits?|opcion(?:es)?|preguntas?|temas?|deseos?)(?: \d+)? ?:"
    r"|^\W*(?:想法|点子|选项|方案|问题|议题|アイデア|案|質問|議題|要望)\d*[:：]"
)
_LABEL = re.compile(r"^(?P<label>[^:：，,\d]{2,60})[:：] ?(?P<rest>.{8,})$")
_CLAUSE = re.compile(r"^[^,:;，、：]{2,60}[,:;，、：] ?")
_WORD = re.compile(r"[^\W_]+")


class Change(Record):
    """What one sentence changes. `frame` holds what it speaks of; for `states`, the whole statement."""

    kind: str
    sentence: str
    frame: Sentence
    pivot: int = -1  # of `states`: what comes before this place is the subject
    old: Sentence | None = None
    new: Sentence | None = None
    is_rename: bool = False
    is_correction: bool = False
    years: tuple[int, ...] = ()


@lru_cache(maxsize=MAX_KEPT)
def _recent_changes(text: str) -> tuple[Change, ...]:
    return _find_changes(text)


def find_changes(text: str) -> tuple[Change, ...]:
    """The changes that a text states, in their order."""
    return () if len(text) > MAX_CHARACTERS else _recent_changes(text)


def _find_changes(text: str) -> tuple[Change, ...]:
    if not _has_cue(plain(text)) or _is_changelog(text):
        return ()
    found: list[Change] = []
    is_corrected = False
    for sentence in split(text):
        low = plain(sentence)
        if not is_corrected and not _has_cue(low):
            continue
        is_guarded = is_uncertain(cues.AS_SAID.sub("", low), written=sentence)
        change = None if is_guarded else _change(sentence, low, is_corrected=is_corrected)
        is_corrected = not is_guarded and change is None and cues.CORRECTION.search(low) is not None
        if change is not None:
            found.append(change)
    return tuple(found[:MAX_CHANGES])


def change_of(sentence: str, low: str) -> Change | None:
    """The change that a sentence states by its words, whether it is certain or not."""
    return _change(sentence, low, is_corrected=False) if _has_cue(low) else None


def _is_changelog(text: str) -> bool:
    return _RELEASES.search(text) is not None or len({*_VERSIONS.findall(text)}) > 2


def is_uncertain(low: str, *, written: str) -> bool:
    """Whether a sentence asks, plans, supposes, quotes, adds, compares or takes back. `low` is its plain form."""
    if _QUOTED.search(written) is not None or written.endswith("?") or cues.OPEN_LABEL.match(low) is not None:
        return True
    if is_cjk(low):
        return cues.guards("ja" if is_japanese(low) else "zh").search(low) is not None
    checked = cues.NO_GUARD.sub("", low)
    found = _WORD.findall(checked)
    words = {*found}
    if not words.isdisjoint(cues.own_guards(code_of(found))):
        return True
    if not words.isdisjoint(cues.GUARD_WORDS) or any(word.startswith(cues.GUARD_STEMS) for word in words):
        return True
    return not words.isdisjoint(cues.PHRASE_STARTS) and cues.GUARD_PHRASES.search(checked) is not None


def _has_cue(low: str) -> bool:
    if not cues.CUE_WORDS.isdisjoint(_WORD.findall(low)):
        return True
    return not low.isascii() and is_cjk(low) and cues.CUE_CHARACTERS.search(low) is not None


def _code(sentence: str, low: str) -> str:
    if is_cjk(sentence):
        return "ja" if is_japanese(sentence) else "zh"
    return code_of(_WORD.findall(low))


def _change(sentence: str, low: str, *, is_corrected: bool) -> Change | None:
    """The change of a sentence, in the order from the most to the least explicit pattern."""
    text = cues.AS_SAID.sub("", spell_out(low))
    text, is_labelled = _without_label(text)
    text = cues.INTERJECTION.sub("", text)
    if cues.INDEFINITE.match(text):
        return None
    body = cues.AFTERTHOUGHT.sub("", cues.REASON.sub("", cues.LEAD.sub("", text))).strip(" ,，、")
    corrected = cues.CORRECTION.search(body)
    if corrected is not None:
        clause = _CLAUSE.match(body)
        is_apart = clause is not None and corrected.end() <= clause.end() and len(body) - clause.end() > 5
        body = body[clause.end() :] if is_apart and clause is not None else _without(body, corrected)
    years = tuple(int(year) for year in _YEAR.findall(body))
    is_correction = corrected is not None or is_corrected or is_labelled
    same: dict[str, Any] = {"sentence": sentence, "is_correction": is_correction, "years": years}
    code = _code(sentence, text)
    for pattern in cues.replaces(code):
        match = pattern.match(body)
        if match is not None:
            change = _replacement(match, same, sentence)
            if change is not None:
                return change
    for pattern in cues.ends(code):
        match = pattern.match(body)
        if match is not None:
            parts = [part for part in match.groupdict().values() if part]
            joined = _join(parts)
            return Change(kind=ENDS, frame=read(joined, whole=sentence), **same) if joined else None
    state = cues.STATE.search(body)
    if state is None and not same["is_correction"]:
        return None
    stated = _first_clause(body if state is None else _without(body, state))
    frame = read(stated, whole=sentence)
    if frame.is_negative and same["is_correction"]:
        return Change(kind=ENDS, frame=frame, **same)
    pivot = frame.verb_at
    if pivot < 0 and state is not None and 0 < state.start() < len(body) - len(state[0]) - 1:
        pivot = state.start()
    return Change(kind=STATES, frame=frame, pivot=pivot, **same)


def _without_label(text: str) -> tuple[str, bool]:
    """A sentence without the part before a colon, if a statement follows; whether that announced a correction."""
    match = _LABEL.match(text)
    if match is None or (
        read(match["rest"], whole=text).verb_at < 0 and cues.CORRECTION.search(match["label"]) is None
    ):
        return text, False
    return match["rest"], cues.CORRECTION.search(match["label"]) is not None


def _first_clause(text: str) -> str:
    """A statement up to the first comma behind its verb."""
    verb = read(text).verb_at
    end = min((at for at in (text.find(mark, max(verb, 0)) for mark in (", ", "，", "、")) if at >= 0), default=-1)
    return text[:end] if verb >= 0 and end > 0 else text


def without_label(sentence: str) -> str:
    """A sentence without the part before a colon, if a statement follows: "Mail: the port is 80"."""
    match = _LABEL.match(sentence)
    return match["rest"] if match is not None and read(match["rest"], whole=sentence).verb_at >= 0 else sentence


def _replacement(match: re.Match[str], same: dict[str, Any], whole: str) -> Change | None:
    parts = {name: part.strip(" ,，、") for name, part in match.groupdict().items() if part}
    subject = _join([parts[name] for name in ("s", "o") if parts.get(name)])
    frame, old, new = read(subject, whole=whole), parts.get("old"), parts.get("new")
    is_rename = cues.RENAME.search(match[0]) is not None
    if not frame.tokens and not frame.person:
        frame = frame.replace(person=read(whole).person)
    if old is not None and not read(old, whole=whole).tokens:
        return None
    if old is None and not frame.tokens and not frame.person:
        return None
    return Change(
        kind=REPLACES,
        frame=frame,
        old=None if old is None else read(cues.STATE.sub("", old), whole=whole),
        new=None if new is None else read(cues.STATE.sub("", new), whole=whole),
        is_rename=is_rename,
        **same,
    )


def _without(text: str, match: re.Match[str]) -> str:
    """The text without a cue, and without the marks around it."""
    before, after = text[: match.start()].rstrip(" ,:;，、：-–—"), text[match.end() :].lstrip(" ,:;，、：-–—")
    return _join([part for part in (before, after) if part])


def _join(parts: list[str]) -> str:
    return ("" if parts and is_cjk("".join(parts)) else " ").join(parts)
