"""The leg of titles: what is called as the question says, "Who directed Brother?" the page that is called Brother.

A name begins with a capital or a digit, as in the question: without that, every word of it could be one. A single word
at its beginning has its capital anyway, and names nothing. It must not rank against another leg.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log

from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.words import STOP_WORDS
from jotsam.storage import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.retrieval.search.text import Scores
    from jotsam.storage.database import Transaction
    from jotsam.storage.search import Scope

LONGEST = 1_000
MOST_WORDS = 40
"""A question longer than this is something pasted, and what it asks stands at its beginning."""

LONGEST_NAME = 6
_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")


def called(tx: Transaction, question: str, scope: Scope, *, most: int) -> Scores:
    """What bears a name that the question holds; where several do, each counts less, and where more than `most`, none.

    A score is at most 1.
    """
    slugs = sorted(set(names(question)))
    rows = search.called(tx, slugs=slugs, most=most) if slugs else []
    often = Counter(row["slug"] for row in rows)
    return {row["ref"]: 1 / (1 + log(often[row["slug"]])) for row in rows if often[row["slug"]] <= most}


def names(question: str) -> Iterator[str]:
    """What may be a name, as slugs: runs of at most six words that begin with a capital and end with a word."""
    text = question[:LONGEST]
    words = list(_WORD.finditer(text))[:MOST_WORDS]
    for start, first in enumerate(words):
        if not (first[0][0].isupper() or first[0][0].isdigit()):
            continue
        for last in range(start, min(len(words), start + LONGEST_NAME)):
            is_plain = last == start and (start == 0 or first[0].lower() in STOP_WORDS)
            if not is_plain and words[last][0].lower() not in STOP_WORDS:
                yield slug(text[first.start() : words[last].end()])
