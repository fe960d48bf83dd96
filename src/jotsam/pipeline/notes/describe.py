"""By what a note is compared with prompts. Pure. It is found once, when the note is stored."""

from __future__ import annotations

import re

from jotsam.pipeline.notes.lexicon import concepts_of
from jotsam.pipeline.notes.names import products
from jotsam.pipeline.notes.resolve import measures
from jotsam.pipeline.notes.words import plain, stem, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.note_records import FoundNote


def described(note: FoundNote) -> FoundNote:
    """The note with the stems, concepts, kinds and values of its text and problem."""
    found = words(f"{note.text} {note.problem}")
    parts = {part for word in found for part in (word, *re.split(r"[^a-z0-9]+", word)) if part}
    return note.replace(
        stems=frozenset(map(stem, parts)) - note.names,
        concepts=frozenset(concept for part in parts for concept in concepts_of(part)),
        kinds=frozenset(kind for _, kind in products(note.text)),
        values=frozenset(plain(written) for _, _, written in measures(note.text)) - note.old,
    )
