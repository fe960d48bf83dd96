"""Finds the sentences of a text that replace, end or correct something, by their own words. Pure; never raises.

A sentence that asks, plans, supposes, quotes, adds, compares or takes back states no change.
"""

from __future__ import annotations

import re
from functools import lru_cache

from jotsam.core.records import Record
from jotsam.pipeline.languages import UNSPACED, by_code, united
from jotsam.pipeline.statements.cues import cue, cue_words, guard_stems, own_guards, phrase_starts
from jotsam.pipeline.statements.sentences import Sentence, code_of, read_sentence, spell_out, split
from jotsam.pipeline.statements.words import compiled, has, is_cjk, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_CHARACTERS, MAX_CHANGES = 6_000, 8
MAX_KEPT = 64  # texts. Each older text that arrives late is compared with the same later ones.
REPLACES, ENDS, STATES = "replaces", "ends", "states"

_QUOTED = r"[\"“”„«»「」『』‘]|(?:^|\s)'"
_YEAR = r"(?<![\d.])(?:19|20)\d\d(?![\d.])"
_RELEASES = (
    r"(?im)^\W*(?:changelog|change log|release notes|unreleased|what's new|versions?"
    r"|v?\d+\.\d+(?:\.\d+)*)\b[^\n]{0,40}$"
)
_VERSIONS = r"\bv?\d+\.\d+\.\d+\b|\b[vV]\d+(?:\.\d+)?\b"
_LABEL = r"^(?P<label>[^:：，,\d]{2,60})[:：] ?(?P<rest>.{8,})$"
_CLAUSE = r"^[^,:;，、：]{2,60}[,:;，、：] ?"
_WORD = r"[^\W_]+"


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
        code = code_of(sentence)
        is_guarded = is_uncertain(cue("as_said", code).sub("", low), code, written=sentence)
        change = None if is_guarded else _change(sentence, low, code, is_corrected=is_corrected)
        is_corrected = not is_guarded and change is None and cue("correction", code).search(low) is not None
        if change is not None:
            found.append(change)
    return tuple(found[:MAX_CHANGES])


def change_of(sentence: str, code: str) -> Change | None:
    """The change that a sentence in a language states by its words, whether it is certain or not."""
    low = plain(sentence)
    return _change(sentence, low, code, is_corrected=False) if _has_cue(low) else None


def _is_changelog(text: str) -> bool:
    return has(_RELEASES, text) or len({*compiled(_VERSIONS).findall(text)}) > 2


def is_uncertain(low: str, code: str, *, written: str) -> bool:
    """Whether a sentence asks, plans, supposes, quotes, adds, compares or takes back. `low` is its plain form."""
    if has(_QUOTED, written) or written.endswith("?") or cue("open_label", code).search(low):
        return True
    if code in UNSPACED:
        return has(by_code(code).guard_phrases, low)
    checked = cue("no_guards", code).sub("", low)
    words = {*compiled(_WORD).findall(checked)}
    if not words.isdisjoint(united("guards") | own_guards(code)):
        return True
    if any(word.startswith(guard_stems()) for word in words):
        return True
    return not words.isdisjoint(phrase_starts()) and cue("guard_phrases", code).search(checked) is not None


def _has_cue(low: str) -> bool:
    if not cue_words().isdisjoint(compiled(_WORD).findall(low)):
        return True
    return is_cjk(low) and cue("cue_characters", "zh").search(low) is not None


def _change(sentence: str, low: str, code: str, *, is_corrected: bool) -> Change | None:
    """The change of a sentence, in the order from the most to the least explicit pattern."""
    text, is_labelled = _without_label(cue("as_said", code).sub("", spell_out(low)), code)
    text = cue("interjection", code).sub("", text)
    if cue("opens_vaguely", code).search(text):
        return None
    for field in ("lead", "since", "reason", "afterthought"):
        text = cue(field, code).sub("", text)
    body = text.strip(" ,，、")
    corrected = cue("correction", code).search(body)
    if corrected is not None:
        clause = compiled(_CLAUSE).match(body)
        is_apart = clause is not None and corrected.end() <= clause.end() and len(body) - clause.end() > 5
        body = body[clause.end() :] if is_apart and clause is not None else _without(body, corrected)
    years = tuple(int(year) for year in compiled(_YEAR).findall(body))
    is_correction = corrected is not None or is_corrected or is_labelled
    same: dict[str, Any] = {"sentence": sentence, "is_correction": is_correction, "years": years}
    return _explicit(body, code, same) or _stated(body, code, same)


def _explicit(body: str, code: str, same: dict[str, Any]) -> Change | None:
    """The change of a sentence that names what it replaces or ends."""
    for pattern in by_code(code).replaces:
        match = compiled(pattern).match(body)
        change = _replacement(match, code, same) if match else None
        if change is not None:
            return change
    for pattern in by_code(code).ends:
        match = compiled(pattern).match(body)
        joined = _join([part for part in match.groupdict().values() if part]) if match else ""
        if joined:
            return Change(kind=ENDS, frame=read_sentence(joined, code), **same)
    return None


def _stated(body: str, code: str, same: dict[str, Any]) -> Change | None:
    """The change of a statement that is new, by a word such as "now", or corrects another one."""
    state = cue("state", code).search(body)
    if state is None and not same["is_correction"]:
        return None
    frame = read_sentence(_first_clause(body if state is None else _without(body, state), code), code)
    if frame.is_negative and same["is_correction"]:
        return Change(kind=ENDS, frame=frame, **same)
    pivot = frame.verb_at
    if pivot < 0 and state is not None and 0 < state.start() < len(body) - len(state[0]) - 1:
        pivot = state.start()
    return Change(kind=STATES, frame=frame, pivot=pivot, **same)


def _without_label(text: str, code: str) -> tuple[str, bool]:
    """A sentence without the part before a colon, if a statement follows; whether that announced a correction."""
    match = compiled(_LABEL).match(text)
    is_correction = match is not None and cue("correction", code).search(match["label"]) is not None
    if match is None or (not is_correction and read_sentence(match["rest"], code).verb_at < 0):
        return text, False
    return match["rest"], is_correction


def _first_clause(text: str, code: str) -> str:
    """A statement up to the first comma behind its verb."""
    verb = read_sentence(text, code).verb_at
    end = min((at for at in (text.find(mark, max(verb, 0)) for mark in (", ", "，", "、")) if at >= 0), default=-1)
    return text[:end] if verb >= 0 and end > 0 else text


def without_label(sentence: str, code: str) -> str:
    """A sentence without the part before a colon, if a statement follows: "Mail: the port is 80"."""
    match = compiled(_LABEL).match(sentence)
    return match["rest"] if match is not None and read_sentence(match["rest"], code).verb_at >= 0 else sentence


def _replacement(match: re.Match[str], code: str, same: dict[str, Any]) -> Change | None:
    parts = {name: part.strip(" ,，、") for name, part in match.groupdict().items() if part}
    frame = read_sentence(_join([parts[name] for name in ("s", "o") if parts.get(name)]), code)
    if not frame.tokens and not frame.person:
        frame = frame.replace(person=read_sentence(same["sentence"], code).person)
    old, new = (
        (read_sentence(cue("state", code).sub("", parts[name]), code) if name in parts else None)
        for name in ("old", "new")
    )
    if old is not None and not read_sentence(parts["old"], code).tokens:
        return None
    if old is None and not frame.tokens and not frame.person:
        return None
    is_rename = cue("renames", code).search(match[0]) is not None
    return Change(kind=REPLACES, frame=frame, old=old, new=new, is_rename=is_rename, **same)


def _without(text: str, match: re.Match[str]) -> str:
    """The text without a cue, and without the marks around it."""
    before, after = text[: match.start()].rstrip(" ,:;，、：-–—"), text[match.end() :].lstrip(" ,:;，、：-–—")
    return _join([part for part in (before, after) if part])


def _join(parts: list[str]) -> str:
    return ("" if parts and is_cjk("".join(parts)) else " ").join(parts)
