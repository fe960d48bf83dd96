"""An excerpt: the place of a long text that holds most of what was asked, cut where a reader would cut.

Pure, and linear in the length of the text, which may be a pending document of twenty megabytes. It must not know what
a hit is, or why the text was found.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, deque
from itertools import islice
from math import log

from jotsam.pipeline.text.words import CHARACTERS_PER_TOKEN, estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Place = tuple[int, int, str]  # start, end, word

GAP = "…"
MOST_PLACES = 200
MOST_LOOKS = 2_000
SAMPLE = 20_000
SHORTEST_STEM = 3
# Ends that the index takes off as well, longest first: what it finds must be found here.
ENDINGS = "ations ation ingly ments ings ions ment edly ing ion ies ers ed es er ly s e y".split()  # noqa: SIM905
BORDERS = (("\n",), (". ", "! ", "? ", "。", "！", "？"), (" ", "，", "、"))


def roots(words: Iterable[str]) -> tuple[str, ...]:
    """What `excerpt` looks for, out of the words of a question: without capitals, marks and endings."""
    return tuple(dict.fromkeys(_stem(fold(word)) for word in words))


def excerpt(text: str, *, roots: Sequence[str], tokens: int) -> str:
    """The best part of a text in at most so many tokens, with "…" where something is left out.

    A text that fits comes back whole, without the white space around it. Returns "" when nothing of it fits.
    """
    text = text.strip()
    if len(text) <= tokens * CHARACTERS_PER_TOKEN and estimate_tokens(text) <= tokens:
        return text
    room = tokens - 2 * estimate_tokens(GAP)
    if room < 1:
        return ""
    width = _width(text, room)
    places = _places(fold(text), roots)
    first, last = _densest(places, width)
    while width > 0:
        start, end = _borders(text, first, min(last, first + width), width)
        cut = text[start:end].strip()
        if cut and estimate_tokens(cut) <= room:
            return f"{GAP if start else ''}{cut}{GAP if end < len(text) else ''}"
        width = width * 4 // 5
    return ""


def _width(text: str, room: int) -> int:
    """About how many characters of this text fit; dense scripts hold one to a token."""
    sample = text[:SAMPLE]
    return max(room, room * len(sample) // max(1, estimate_tokens(sample)))


def fold(text: str) -> str:
    """Lower case without marks, and with every character in its place."""
    if text.isascii():
        return text.lower()
    return text.translate({ord(c): _bare(c.lower()) for c in set(text) if not c.isascii() or c.isupper()})


def _bare(character: str) -> str:
    """Without its marks; a Korean syllable comes apart too, but into letters, and so stays as it is."""
    parts = unicodedata.normalize("NFD", character)
    return parts[0] if all(map(unicodedata.combining, parts[1:])) else character[0]


def _places(text: str, roots: Sequence[str]) -> list[Place]:
    """Where the words begin, in order; of a very frequent one only the first places."""
    return sorted(place for root in roots for place in islice(_starts(text, root), MOST_PLACES))


def _starts(text: str, root: str) -> Iterator[Place]:
    at, spaced = text.find(root), root.isascii()
    for _ in range(MOST_LOOKS):
        if at < 0:
            return
        if not spaced or not at or not text[at - 1].isalnum() or not text[at - 1].isascii():
            yield at, at + len(root), root
        at = text.find(root, at + len(root))


def _stem(word: str) -> str:
    if not word.isascii() or not word.isalpha():
        return word
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word.removesuffix(ending)
    return word


def _densest(places: Sequence[Place], width: int) -> tuple[int, int]:
    """Start and end of the words in the window that holds most different ones; rare ones count more."""
    often = Counter(word for _, _, word in places)
    weights = {word: 1 / (1 + log(count)) for word, count in often.items()}
    best, chosen = 0.0, (0, 0)
    inside: Counter[str] = Counter()
    window: deque[Place] = deque()
    score = 0.0
    for place in places:
        window.append(place)
        inside[place[2]] += 1
        score += weights[place[2]] if inside[place[2]] == 1 else 0
        while place[1] - window[0][0] > width and len(window) > 1:
            gone = window.popleft()[2]
            inside[gone] -= 1
            score -= 0 if inside[gone] else weights[gone]
        if score > best + 1e-9:
            best, chosen = score, (window[0][0], place[1])
    return chosen


def _borders(text: str, first: int, last: int, width: int) -> tuple[int, int]:
    """Start and end of the excerpt: a third of the free room before the words, and no word cut in two."""
    start = max(0, first - (width - (last - first)) // 3)
    end = min(len(text), start + width)
    start = max(0, min(start, end - width))
    if start:
        start = _after_border(text, start, first)
    if end < len(text):
        end = _before_border(text, last, end)
    return start, end


def _after_border(text: str, start: int, first: int) -> int:
    """The earliest border of the strongest kind between the two places."""
    for marks in BORDERS:
        found = [(text.find(mark, start - 1, first), mark) for mark in marks]
        borders = [at + len(mark) for at, mark in found if at >= 0]
        if borders:
            return min(borders)
    return start


def _before_border(text: str, last: int, end: int) -> int:
    """The latest border of the strongest kind between the two places, unless that throws most of it away."""
    for marks in BORDERS:
        found = max(text.rfind(mark, last, end + 1) + len(mark.rstrip()) for mark in marks)
        if found > last and found - last > (end - last) // 2:
            return found
    return end
