"""Excerpts: the passages of a long text that answer best, in their order, with "…" where something was left out.

A passage scores by the question's words in it, weighted by their rarity, and less by those in the passages around it
and in its heading, because an answer is often beside the words of the question. A row of a table comes with the first
row of that table.

Pure, and linear in the length of the text, which may be a pending document of twenty megabytes: of such a text only the
part with the most words is divided into passages. It must not know what a hit is, or why it was found.
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import islice
from math import log

from jotsam.pipeline.text.words import CHARACTERS_PER_TOKEN, estimate_tokens
from jotsam.retrieval.question.stems import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from jotsam.retrieval.present.passages import Passage

    Match = tuple[int, int, str]  # start, end, stem

GAP = "…"
MAX_MATCHES = 200  # per stem
MAX_FINDS = 2_000  # per stem, including those inside other words
SAMPLE = 20_000  # characters
BORDERS = (("\n",), (". ", "! ", "? ", "。", "！", "？"), (" ", "，", "、"))  # strongest first

PREVIOUS, SECOND_PREVIOUS, NEXT, ABOVE = 0.5, 0.25, 0.3, 0.5  # parts of the scores around a passage that it gets
ANY = 0.3  # score of any passage, so that what is left of the budget is filled
SHORT = 30  # characters added to a length, so that a passage is not chosen for being short
LENGTH_POWER = 0.4  # of the length by which a score is divided
LONGEST = 20_000  # characters of a text that is divided into passages as a whole
AREA = 8  # times the length of the excerpt: the part of a very long text that is


def excerpt(text: str, *, words: Mapping[str, float], tokens: int) -> str:
    """The best passages of a text in at most `tokens`; a text that fits whole, without surrounding white space.

    `words` are the stems of the question, each with its rarity. Returns "" if nothing fits.
    """
    text = text.strip()
    if fits(text, tokens):
        return text
    available = tokens - 2 * estimate_tokens(GAP)
    if available < 1:
        return ""
    width = _width(text, available)
    if len(text) > max(LONGEST, 2 * AREA * width):
        area = _borders(text, *_densest(_matches(fold(text), words), AREA * width), AREA * width)
    else:
        area = 0, len(text)
    return _chosen(text, area, words, available) or _around_words(text, words, available, width)


def fits(text: str, tokens: int) -> bool:
    """Whether a text is at most `tokens` long. It counts the tokens only if the length allows it."""
    return len(text) <= tokens * CHARACTERS_PER_TOKEN and estimate_tokens(text) <= tokens


def _chosen(text: str, area: tuple[int, int], words: Mapping[str, float], available: int) -> str:
    """The best passages of an area that fit; "" if the best of them does not fit."""
    from jotsam.retrieval.present.passages import passages  # slow to import, and a hook starts for each prompt

    begin, end = area
    found = passages(text[begin:end])
    scores = _scores(fold(text[begin:end]), found, words)
    lengths = [(SHORT + one.end - one.start) ** LENGTH_POWER for one in found]
    worth = [score / length for score, length in zip(scores, lengths, strict=True)]
    best = max(range(len(found)), key=worth.__getitem__, default=0)
    order = sorted(range(len(found)), key=lambda place: (-worth[place], abs(place - best)))
    costs = [estimate_tokens(text[begin + one.start : begin + one.end]) + 1 for one in found]
    chosen: set[int] = set()
    for place in order:
        added = {place, *_named_by(found, place)} - chosen
        cost = sum(costs[one] for one in added)
        if cost <= available:
            chosen |= added
            available -= cost
        elif not chosen:
            return ""
    return _joined(text[begin:end], [found[place] for place in sorted(chosen)], area, text)


def _named_by(found: Sequence[Passage], place: int) -> list[int]:
    """The passage that names what a passage is, if any."""
    under = found[place].under
    return [] if under is None else [under]


def _joined(part: str, chosen: Sequence[Passage], area: tuple[int, int], text: str) -> str:
    """The passages in the order of the text, with "…" for what is left out."""
    pieces: list[str] = []
    last = -1
    for one in chosen:
        if last >= 0:
            between = part[last : one.start]
            pieces.append(f"{GAP}\n" if between.strip() else "\n\n" if "\n\n" in between else between[:1] or "")
        elif area[0] or one.start:
            pieces.append(GAP)
        pieces.append(part[one.start : one.end])
        last = one.end
    return "".join((*pieces, "" if area[0] + last >= len(text) else GAP)) if chosen else ""


def _scores(folded: str, found: Sequence[Passage], words: Mapping[str, float]) -> list[float]:
    """The score of each passage: its own words, and parts of those of the passages around it and of its heading."""
    own = [0.0] * len(found)
    for stem, rarity in words.items():
        held = [place for place, one in enumerate(found) if _holds(folded, one, stem)]
        # A word that every other passage has distinguishes none of them.
        worth = rarity / (1 + log(len(held))) if held else 0.0
        for place in held:
            own[place] += worth
    padded = (0.0, 0.0, *own, 0.0)
    scores = []
    for place, one in enumerate(found):
        second, previous, itself, following = padded[place : place + 4]
        score = itself + PREVIOUS * previous + SECOND_PREVIOUS * second + NEXT * following
        above = found[one.under].under if one.under == place - 1 else one.under
        scores.append(ANY + score + (ABOVE * own[above] if above is not None else 0.0))
    return scores


def _holds(folded: str, one: Passage, stem: str) -> bool:
    return next(_finds(folded, stem, one.start, one.end), None) is not None


def _around_words(text: str, words: Mapping[str, float], available: int, width: int) -> str:
    """The part with the most words, cut anywhere, where no passage fits."""
    matches = _matches(fold(text), words)
    first, last = _densest(matches, width, words)
    while width > 0:
        start, end = _borders(text, first, min(last, first + width), width)
        cut = text[start:end].strip()
        if cut and estimate_tokens(cut) <= available:
            return f"{GAP if start else ''}{cut}{GAP if end < len(text) else ''}"
        width = width * 4 // 5
    return ""


def _width(text: str, tokens: int) -> int:
    """About how many characters of this text are that many tokens; dense scripts have one character per token."""
    sample = text[:SAMPLE]
    return max(tokens, tokens * len(sample) // max(1, estimate_tokens(sample)))


def _matches(text: str, stems: Collection[str]) -> list[Match]:
    """Where the stems occur, in order. Of a very frequent stem only the first matches are returned."""
    return sorted(match for stem in stems for match in islice(_finds(text, stem), MAX_MATCHES))


def _finds(text: str, stem: str, start: int = 0, end: int | None = None) -> Iterator[Match]:
    """Where words start with a stem, between two places."""
    at, spaced = text.find(stem, start, end), stem.isascii()
    for _ in range(MAX_FINDS):
        if at < 0:
            return
        if not spaced or not at or not text[at - 1].isalnum() or not text[at - 1].isascii():
            yield at, at + len(stem), stem
        at = text.find(stem, at + len(stem), end)


def _densest(matches: Sequence[Match], width: int, words: Mapping[str, float] | None = None) -> tuple[int, int]:
    """Start and end of the matches in the window with the most distinct stems; rare stems count more."""
    counts = Counter(stem for _, _, stem in matches)
    weights = {stem: (words[stem] if words else 1) / (1 + log(count)) for stem, count in counts.items()}
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
