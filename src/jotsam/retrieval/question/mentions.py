"""What a question may mention: titles of memories, places such as folders, and the parts of facts.

Pure. All are guesses from the spelling alone; the database decides which of them exist.
"""

from __future__ import annotations

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.facts.predicates import predicates_in_question
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.words import bigrams
from jotsam.storage.graph.facts import Asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A longer question is pasted text, and what it asks is at its beginning.
MAX_CHARACTERS = 1_000
MAX_WORDS = 40

MAX_TITLE_WORDS = 6
MAX_FACT_WORDS = 5  # of a subject or object
MAX_RUN = 8  # characters of a subject or object in a script without spaces
MAX_RUN_STARTS = 24  # characters of a word in such a script at which a subject or object may start

_WORD = lazy_pattern(r"[^\W_]+(?:['’.&-][^\W_]+)*")
# "in procrastinate", "of the billing repo", "undici's": a name of at most two words behind a preposition.
_PLACE = lazy_pattern(
    r"\b(?:in|inside|within|from|of|with|for|by|under)\s+(?:(?:the|our|my)\s+)?([\w@][\w.@/-]*)(?:[ ]([\w@][\w.@/-]*))?"
    r"|([\w@][\w.@-]*)['’]s\b|^([\w@][\w.@/-]*):"
)
_PUNCTUATION = "\"'`“”‘’«»「」()[]{}<>.,;:!?…，。；：！？、*"


def titles(question: str) -> tuple[str, ...]:
    """Slugs of what may be a title: runs of at most six words that start with a capital or a digit.

    A run neither ends in a stop word nor consists of one. A single word at the start of the question is skipped,
    because it is capitalised anyway.
    """
    return tuple(sorted(set(_titles(question[:MAX_CHARACTERS]))))


def places(question: str) -> frozenset[str]:
    """What may be the name of a folder, a file, a project or another source of memories, in lower case."""
    text = question[:MAX_CHARACTERS].casefold()
    names = {name.strip("./") for found in _PLACE.finditer(text) for name in found.groups() if name}
    return frozenset(names - STOP_WORDS - {""})


def _titles(text: str) -> Iterator[str]:
    words = list(_WORD.finditer(text))[:MAX_WORDS]
    for start, first in enumerate(words):
        if not (first[0][0].isupper() or first[0][0].isdigit()):
            continue
        for last in range(start, min(len(words), start + MAX_TITLE_WORDS)):
            is_plain = last == start and (start == 0 or first[0].lower() in STOP_WORDS)
            if not is_plain and words[last][0].lower() not in STOP_WORDS:
                yield slug(text[first.start() : words[last].end()])


def fact_parts(question: str) -> Asked:
    """What may be part of a fact: runs of words as subject or object, and known predicates."""
    pieces = question[:MAX_CHARACTERS].casefold().split()[:MAX_WORDS]
    words = [bare for piece in pieces if (bare := _strip(piece))]
    runs = {run for word in words for run in _unspaced_runs(word)}
    keys = {*_word_runs(words), *runs}
    return Asked(
        keys=frozenset(keys),
        phrases=frozenset(key for key in keys if " " in key),
        predicates=predicates_in_question(words).union(*(predicates_in_question([run]) for run in runs)),
    )


def _strip(piece: str) -> str:
    """A word without surrounding punctuation and without a possessive s."""
    return piece.strip(_PUNCTUATION).removesuffix("'s").removesuffix("’s")


def _word_runs(words: Sequence[str]) -> Iterator[str]:
    """Every run of a few words that neither starts nor ends with a stop word."""
    for start, first in enumerate(words):
        if first in STOP_WORDS:
            continue
        for end in range(start + 1, min(len(words), start + MAX_FACT_WORDS) + 1):
            if words[end - 1] not in STOP_WORDS:
                yield " ".join(words[start:end])


def _unspaced_runs(word: str) -> Iterator[str]:
    """Every short run of at least two characters of a word in a script without spaces."""
    if not bigrams(word):
        return
    for start in range(min(len(word), MAX_RUN_STARTS)):
        for end in range(start + 2, min(len(word), start + MAX_RUN) + 1):
            yield word[start:end]
