"""How much of the question a candidate covers: a turn together with the turns around it, any other text in one passage.

Pure. Words are weighted by how rare they are among the candidates. A text that has them in one place is about what is
asked; a long text that has them far apart may only mention them.
"""

from __future__ import annotations

from collections import Counter
from math import log

from jotsam.retrieval.question.stems import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from jotsam.retrieval.rank.context import Context, Row
    from jotsam.retrieval.rank.scores import Scores

MAX_BODY = 4_000  # characters of a text in which stems are looked for
MAX_STEMS = 24
MAX_PASSAGES = 60  # top candidates whose texts are compared; the rest could not get ahead of them
FIRST = 10  # matches of words that show how much of the question words can find
PASSAGE, STEP = 300, 150  # characters: about a paragraph, and half of it so that none is cut in every place


def turn_coverage(context: Context, match: Iterable[int], stems: Sequence[str], weight: float) -> dict[int, float]:
    """The part of the question's stems found in a turn and its neighbours, weighted by rarity."""
    stems = stems[:MAX_STEMS]
    found = {ref: _bits(_folded(context.rows[ref]), stems) for ref in match}
    rarity = _rarity(found.values(), len(context.rows), stems)
    combined = dict(found)
    for ref, own in found.items():
        for other in context.neighbours.get(ref, {}).values():
            combined[other] = combined.get(other, 0) | own
    worth = {bits: weight * _part(bits, rarity) for bits in set(combined.values())}
    return {ref: worth[bits] for ref, bits in combined.items() if ref in context.conversation}


def part_of(scores: Scores, context: Context, stems: Sequence[str], words: Iterable[str]) -> float:
    """The part that some words have of the question's stems, weighted by rarity among the best candidates."""
    stems = stems[:MAX_STEMS]
    best = _best(scores, context.rows)
    rarity = _rarity([_bits(_folded(context.rows[ref]), stems) for ref in best], len(best), stems)
    return _part(_bits(fold(" ".join(words)), stems), rarity)


def passage_coverage(scores: Scores, context: Context, stems: Sequence[str], weight: float) -> dict[int, float]:
    """The part of the question's stems found in one passage of a chunk or single memory, weighted by rarity."""
    stems = stems[:MAX_STEMS]
    best = _best(scores, (ref for ref in scores.totals if ref not in context.turns and context.rows[ref]["body"]))
    bodies = {ref: _folded(context.rows[ref]) for ref in best}
    whole = {ref: _bits(body, stems) for ref, body in bodies.items()}
    rarity = _rarity(whole.values(), len(bodies), stems)
    parts = {
        ref: _best_part(body, stems, rarity) if len(body) > PASSAGE else _part(whole[ref], rarity)
        for ref, body in bodies.items()
    }
    return {ref: weight * part for ref, part in parts.items() if part}


def best_coverage(context: Context, text: Mapping[int, float], stems: Sequence[str]) -> float:
    """The largest part of the question's stems found in one of the first matches of words, weighted by rarity.

    1 for a question without stems, of which nothing is known.
    """
    stems = stems[:MAX_STEMS]
    if not stems:
        return 1.0
    best = sorted(text.keys() & context.rows.keys(), key=lambda ref: (text[ref], ref), reverse=True)[:MAX_PASSAGES]
    found = [_bits(_folded(context.rows[ref]), stems) for ref in best]
    rarity = _rarity(found, len(context.rows), stems)
    return max([_part(bits, rarity) for bits in found[:FIRST]], default=0.0)


def _best(scores: Scores, refs: Iterable[int]) -> list[int]:
    """The best candidates, whose texts are looked into."""
    among = (ref for ref in refs if ref in scores.totals)
    return sorted(among, key=lambda ref: (scores.totals[ref], ref), reverse=True)[:MAX_PASSAGES]


def _best_part(body: str, stems: Sequence[str], rarity: Sequence[float]) -> float:
    starts = range(0, max(1, len(body) - PASSAGE + STEP), STEP)
    return max(_part(bits, rarity) for bits in {_bits(body[start : start + PASSAGE], stems) for start in starts})


def _folded(row: Row) -> str:
    return fold(row["body"][:MAX_BODY]) if row["body"] else ""


def _bits(text: str, stems: Sequence[str]) -> int:
    """Which of the stems a text contains, as a bit mask."""
    bits, bit = 0, 1
    for stem in stems:
        if stem in text:
            bits |= bit
        bit <<= 1
    return bits


def _rarity(found: Collection[int], every: int, stems: Sequence[str]) -> list[float]:
    """How rare each stem is among `every` text, given the bit masks of those that have any."""
    texts = Counter(found)
    counts = [sum([number for bits, number in texts.items() if bits >> place & 1]) for place in range(len(stems))]
    return [log(1 + (every - count + 0.5) / (count + 0.5)) for count in counts]


def _part(bits: int, rarity: Sequence[float]) -> float:
    total = sum(rarity)
    return sum([rare for place, rare in enumerate(rarity) if bits >> place & 1]) / total if total > 0 else 0.0
