"""Finds the sentences of a text that say that they replace, end or correct something. Pure; never raises.

A sentence that asks, plans, supposes, quotes, adds, compares or takes back states no change.
"""

from __future__ import annotations

import re

from jotsam.core.records import Record
from jotsam.pipeline.changes.cues import CORRECTION, CUE_CHARACTERS, CUE_WORDS, END, RENAME, REPLACE, STATE
from jotsam.pipeline.changes.sentences import Sentence, is_cjk, is_japanese, plain, read, split
from jotsam.pipeline.changes.vocabulary import GUARD_PHRASES, GUARD_STEMS, GUARD_WORDS, GUARDS, LANGUAGES, PHRASE_STARTS

MAX_CHARACTERS, MAX_CHANGES = 6_000, 8
REPLACES, ENDS, STATES = "replaces", "ends", "states"

_QUOTED = re.compile(r"[\"“”„«»「」『』‘]|(?:^|\s)'")
_YEAR = re.compile(r"(?<![\d.])(?:19|20)\d\d(?![\d.])")
_RELEASES = re.compile(
    r"(?im)^\W*(?:changelog|change log|release notes|unreleased|what's new|versions?|v?\d+\.\d+(?:\.\d+)*)\b[^\n]{0,40}$"
)
_VERSIONS = re.compile(r"\bv?\d+\.\d+\.\d+\b|\b[vV]\d+(?:\.\d+)?\b")
_REASON = re.compile(
    r"[,;]? \b(?:because|due to|so that|in order to|weil|wegen|damit|parce qu|puisque|afin d|porque|ya que|debido a|para que)\b.*$"
    r"|[，,、]?(?:因为|由于|以便)[^，,]*$|(?:ので|ため、?).*$"
)
_LEAD = re.compile(
    r"^(?:(?:update|note|fyi|news|info|heads up|ok|okay|hinweis|neu|nota|mise a jour|actualizacion|更新|お知らせ|注意)\b ?[:,：，、] ?"
    r"|(?:since|from|as of|starting|effective|seit|ab|depuis|a partir de|a compter de|desde) [^,]{1,24}, )"
)
_AFTERTHOUGHT = re.compile(
    r", (?:and|so|but|which|who|where|und|aber|was|wobei|et|mais|ce qui|qui|y|pero|lo que) .*$|（.*?）|\([^)]*\)| - .*$| – .*$"
)
_WORD = re.compile(r"[^\W_]+")
_NO_GUARD = re.compile(
    r"rather than|any more|\b(?:\d{1,2}(?:st|nd|rd|th)?|on|of|in|to|until|from|since|by) may\b|\bmay (?=\d)"
)


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


def find_changes(text: str) -> tuple[Change, ...]:
    """The changes that a text states, in their order."""
    if len(text) > MAX_CHARACTERS or not _has_cue(plain(text)) or _is_changelog(text):
        return ()
    found: list[Change] = []
    is_corrected = False
    for sentence in split(text):
        low = plain(sentence)
        if not is_corrected and not _has_cue(low):
            continue
        is_guarded = is_uncertain(sentence)
        change = None if is_guarded else _change(sentence, low, is_corrected=is_corrected)
        is_corrected = not is_guarded and change is None and CORRECTION.search(low) is not None
        if change is not None:
            found.append(change)
    return tuple(found[:MAX_CHANGES])


def _is_changelog(text: str) -> bool:
    return _RELEASES.search(text) is not None or len({*_VERSIONS.findall(text)}) > 2


def is_uncertain(sentence: str) -> bool:
    """Whether a sentence asks, plans, supposes, quotes, adds, compares or takes back."""
    low = plain(sentence)
    if _QUOTED.search(sentence) is not None or sentence.endswith("?"):
        return True
    if is_cjk(low):
        return GUARDS["japanese" if is_japanese(low) else "chinese"].search(low) is not None
    checked = _NO_GUARD.sub("", low)
    words = {*_WORD.findall(checked)}
    if not words.isdisjoint(GUARD_WORDS) or any(word.startswith(GUARD_STEMS) for word in words):
        return True
    return not words.isdisjoint(PHRASE_STARTS) and GUARD_PHRASES.search(checked) is not None


def _has_cue(low: str) -> bool:
    if not CUE_WORDS.isdisjoint(_WORD.findall(low)):
        return True
    return not low.isascii() and is_cjk(low) and CUE_CHARACTERS.search(low) is not None


def _languages(text: str) -> tuple[str, ...]:
    """The languages whose function words a sentence holds most of. Names and numbers alone may be of any."""
    if is_cjk(text):
        return ("japanese",) if is_japanese(text) else ("chinese",)
    words = _WORD.findall(text)
    counts = {name: sum(map(own.__contains__, words)) for name, own in LANGUAGES.items()}
    most = max(counts.values())
    return tuple(name for name, count in counts.items() if count == most)


def _change(sentence: str, low: str, *, is_corrected: bool) -> Change | None:
    """The change of a sentence, in the order from the most to the least explicit pattern."""
    text = _spelled(low)
    body = _AFTERTHOUGHT.sub("", _REASON.sub("", _LEAD.sub("", text))).strip(" ,，、")
    corrected = CORRECTION.search(body)
    if corrected is not None:
        body = _without(body, corrected)
    years = tuple(int(year) for year in _YEAR.findall(body))
    same = {"sentence": sentence, "is_correction": corrected is not None or is_corrected, "years": years}
    languages = _languages(sentence if is_cjk(sentence) else text)
    for pattern in [pattern for language in languages for pattern in REPLACE[language]]:
        match = pattern.match(body)
        if match is not None:
            change = _replacement(match, same, sentence)
            if change is not None:
                return change
    for pattern in [pattern for language in languages for pattern in END[language]]:
        match = pattern.match(body)
        if match is not None:
            parts = [part for part in match.groupdict().values() if part]
            joined = _join(parts)
            return Change(kind=ENDS, frame=read(joined, whole=sentence), **same) if joined else None
    state = STATE.search(body)
    if state is None and not same["is_correction"]:
        return None
    stated = body if state is None else _without(body, state)
    frame = read(stated, whole=sentence)
    if frame.is_negative and same["is_correction"]:
        return Change(kind=ENDS, frame=frame, **same)
    pivot = frame.verb_at
    if pivot < 0 and state is not None and 0 < state.start() < len(body) - len(state[0]) - 1:
        pivot = state.start()
    return Change(kind=STATES, frame=frame, pivot=pivot, **same)


def _replacement(match: re.Match[str], same: dict[str, object], whole: str) -> Change | None:
    parts = {name: part.strip(" ,，、") for name, part in match.groupdict().items() if part}
    subject = _join([parts[name] for name in ("s", "o") if parts.get(name)])
    frame, old, new = read(subject, whole=whole), parts.get("old"), parts.get("new")
    is_rename = RENAME.search(match[0]) is not None
    if not frame.tokens and not frame.person:
        frame = frame.replace(person=read(whole).person)
    if old is not None and not read(old, whole=whole).tokens:
        return None
    if old is None and not frame.tokens and not frame.person:
        return None
    return Change(
        kind=REPLACES,
        frame=frame,
        old=None if old is None else read(STATE.sub("", old), whole=whole),
        new=None if new is None else read(STATE.sub("", new), whole=whole),
        is_rename=is_rename,
        **same,  # type: ignore[arg-type]
    )


def _spelled(low: str) -> str:
    """The sentence with contractions and elisions spelled out."""
    if "'" not in low:
        return low
    low = re.sub(r"\b(l|d|qu|n|j|s|c|m|t|jusqu)'(?=\w)", r"\1 ", low)
    low = re.sub(r"\bcan't\b", "cannot", low)
    low = re.sub(r"n't\b", " not", low)
    low = re.sub(r"'(?:re|m)\b", " is", low)
    low = re.sub(r"\b(it|he|she|that|there)'s\b", r"\1 is", low)
    low = re.sub(r"'ve\b|'d\b", " have", low)
    return re.sub(r"'s?(?=\s|$)", "", low)


def _without(text: str, match: re.Match[str]) -> str:
    """The text without a cue, and without the marks around it."""
    before, after = text[: match.start()].rstrip(" ,:;，、：-–—"), text[match.end() :].lstrip(" ,:;，、：-–—")
    return _join([part for part in (before, after) if part])


def _join(parts: list[str]) -> str:
    return ("" if parts and is_cjk("".join(parts)) else " ").join(parts)
