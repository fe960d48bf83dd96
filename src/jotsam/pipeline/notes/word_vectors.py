"""What a sentence is about, as numbers: the vectors of its words, taken together. Pure.

Words that are used alike have vectors alike, so that a model that was taught "never push to main" knows something of
"never merge into trunk". `tools/word_vectors.py` makes the table.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice

from jotsam.core.patterns import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DIMENSIONS = 64
STEP = 32.0  # a number of the table is an integer divided by this
MAX_PIECES = 60
FIRST = 4  # pieces that say how a sentence begins
LONGEST_WORD = 40  # characters
# The sum, the beginning and the maximum get about the same variance.
SUM_SCALE, FIRST_SCALE, MAX_SCALE, MAX_CENTRE = 0.1, 0.15, 0.35, 1.5
SIZE = 3 * DIMENSIONS  # numbers of a sentence
_TOKEN = lazy_pattern(r"[^\W_]+|[^\w\s]|_")
_INSIDE = "##"  # how a piece is written that does not begin a word


@lru_cache(maxsize=1_024)  # A sentence is read by several models.
def vector(text: str) -> tuple[float, ...]:
    """`SIZE` numbers of a text in lower case without diacritics; zeros if the table has none of its words."""
    rows = [_row(piece) for piece in islice(_pieces(text), MAX_PIECES)]
    if not rows:
        return (0.0,) * SIZE
    total = [sum(column) * (SUM_SCALE / STEP) for column in zip(*rows, strict=True)]
    begins = [sum(column) * (FIRST_SCALE / STEP) for column in zip(*rows[:FIRST], strict=True)]
    most = [(max(column) / STEP - MAX_CENTRE) * MAX_SCALE for column in zip(*rows, strict=True)]
    return (*total, *begins, *most)


def _pieces(text: str) -> Iterator[int]:
    """The numbers of the pieces of a text: of each word the longest that the table has, from its beginning on."""
    known, _ = _table()
    for token in _TOKEN.findall(text):
        yield from _word_pieces(token[:LONGEST_WORD], known)


def _word_pieces(word: str, known: dict[str, int]) -> list[int]:
    found: list[int] = []
    start = 0
    while start < len(word):
        lead = _INSIDE if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if lead + word[start:end] in known), None)
        if end is None:
            return []
        found.append(known[lead + word[start:end]])
        start = end
    return found


def _row(piece: int) -> memoryview:
    _, numbers = _table()
    return numbers[piece * DIMENSIONS : (piece + 1) * DIMENSIONS]


@cache
def _table() -> tuple[dict[str, int], memoryview]:
    content = files("jotsam.pipeline.notes").joinpath("word_vectors.bin").read_bytes()
    end = content.index(b"\0")
    pieces = content[:end].decode().split("\n")
    return dict(zip(pieces, range(len(pieces)), strict=True)), memoryview(content)[end + 1 :].cast("b")
