"""Excerpts: the part of a long text that contains most of the question, cut at a paragraph, sentence or word.

Pure, and linear in the length of the text, which may be a pending document of twenty megabytes. It must not know what
a hit is, or why it was found.
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import islice
from math import log

from jotsam.pipeline.text.words import CHARACTERS_PER_TOKEN, estimate_tokens
from jotsam.retrieval.question.stems import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Match = tuple[int, int, str]  # start, end, stem

GAP = "…"
MAX_MATCHES = 200  # per stem
MAX_FINDS = 2_000  # per stem, including those inside other words
SAMPLE = 20_000
BORDERS = (("\n",), (". ", "! ", "? ", "。", "！", "？"), (" ", "，", "、"))  # strongest first


def excerpt(text: str, *, stems: Sequence[str], tokens: int) -> str:
    """The part of a text that contains most of the stems, in at most `tokens`, with "…" where it was cut.

    A text that fits is returned whole, without surrounding white space. Returns "" if nothing fits.
    """
    text = text.strip()
    if fits(text, tokens):
        return text
    available = tokens - 2 * estimate_tokens(GAP)
    if available < 1:
        return ""
    width = _width(text, available)
    matches = _matches(fold(text), stems)
    first, last = _densest(matches, width)
    while width > 0:
        start, end = _borders(text, first, min(last, first + width), width)
        cut = text[start:end].strip()
        if cut and estimate_tokens(cut) <= available:
            return f"{GAP if start else ''}{cut}{GAP if end < len(text) else ''}"
        width = width * 4 // 5
    return ""


def fits(text: str, tokens: int) -> bool:
    """Whether a text is at most `tokens` long. It counts the tokens only if the length allows it."""
    return len(text) <= tokens * CHARACTERS_PER_TOKEN and estimate_tokens(text) <= tokens


def _width(text: str, tokens: int) -> int:
    """About how many characters of this text are that many tokens; dense scripts have one character per token."""
    sample = text[:SAMPLE]
    return max(tokens, tokens * len(sample) // max(1, estimate_tokens(sample)))


def _matches(text: str, stems: Sequence[str]) -> list[Match]:
    """Where the stems occur, in order. Of a very frequent stem only the first matches are returned."""
    return sorted(match for stem in stems for match in islice(_finds(text, stem), MAX_MATCHES))


def _finds(text: str, stem: str) -> Iterator[Match]:
    at, spaced = text.find(stem), stem.isascii()
    for _ in range(MAX_FINDS):
        if at < 0:
            return
        if not spaced or not at or not text[at - 1].isalnum() or not text[at - 1].isascii():
            yield at, at + len(stem), stem
        at = text.find(stem, at + len(stem))


def _densest(matches: Sequence[Match], width: int) -> tuple[int, int]:
    """Start and end of the matches in the window with the most distinct stems; rare stems count more."""
    counts = Counter(stem for _, _, stem in matches)
    weights = {stem: 1 / (1 + log(count)) for stem, count in counts.items()}
    best, densest = 0.0, (0, 0)
    inside: Counter[str] = Counter()
    window: deque[Match] = deque()
    score = 0.0
    for match in matches:
        window.append(match)
        inside[match[2]] += 1
        score += weights[match[2]] if inside[match[2]] == 1 else 0
        while match[1] - window[0][0] > width and len(window) > 1:
            dropped = window.popleft()[2]
            inside[dropped] -= 1
            score -= 0 if inside[dropped] else weights[dropped]
        if score > best + 1e-9:
            best, densest = score, (window[0][0], match[1])
    return densest


def _borders(text: str, first: int, last: int, width: int) -> tuple[int, int]:
    """Start and end of the excerpt: a third of the spare width before the matches, moved to borders in the text."""
    start = max(0, first - (width - (last - first)) // 3)
    end = min(len(text), start + width)
    start = max(0, min(start, end - width))
    if start:
        start = _border_after(text, start, first)
    if end < len(text):
        end = _border_before(text, last, end)
    return start, end


def _border_after(text: str, start: int, first: int) -> int:
    """The first border of the strongest kind between two places."""
    for marks in BORDERS:
        found = [(text.find(mark, start - 1, first), mark) for mark in marks]
        borders = [at + len(mark) for at, mark in found if at >= 0]
        if borders:
            return min(borders)
    return start


def _border_before(text: str, last: int, end: int) -> int:
    """The last border of the strongest kind between two places, unless it would drop more than half."""
    for marks in BORDERS:
        found = max(text.rfind(mark, last, end + 1) + len(mark.rstrip()) for mark in marks)
        if found > last and found - last > (end - last) // 2:
            return found
    return end
