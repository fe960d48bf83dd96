"""A named-entity model of spaCy, by the name of an installed package or by the path of a folder.

The only door to spaCy, which takes a second to import and comes with `pip install "jotsam[spacy]"`. It must not be
imported before a model is asked for, and it must not fetch one: whoever wants a model installs it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from jotsam.core.errors import InvalidInput

Tagger = Callable[[str], Iterable[tuple[int, int, str]]]
"""Start, end and spaCy's label of every named entity of a text."""

TRIAL = "Ana Lopez works at Acme in Bonn."
"""A pipeline that lacks a part of its weights is loaded, and fails at the first text."""

_DAMAGED = (ValueError, KeyError, IndexError, TypeError, AttributeError, ImportError, EOFError, RuntimeError)
"""What spaCy was seen to raise for a broken `meta.json`, `config.cfg` or weights, and for another version's."""


def load(model: str) -> Tagger:
    """The pipeline, ready to be called by several threads.

    Raises `InvalidInput` when spaCy or the model is missing, or the model is damaged.
    """
    try:
        import spacy
    except ImportError as error:
        raise InvalidInput(
            f'spacy_model is {model!r}, but spaCy cannot be imported ({error}): pip install "jotsam[spacy]"'
        ) from error
    try:
        pipeline = spacy.load(model)
        pipeline(TRIAL)
    except OSError as error:
        raise InvalidInput(
            f"spacy_model is {model!r}: no installed package and no folder of a pipeline has that name;"
            f" python -m spacy download {model}"
        ) from error
    except _DAMAGED as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise InvalidInput(
            f"spacy_model is {model!r}, which cannot be used ({told}): install it anew, for this version of spaCy"
        ) from error
    lock = threading.Lock()

    def tag(text: str) -> list[tuple[int, int, str]]:
        with lock:  # A pipeline's cache of words is not made for several threads at once.
            return [(entity.start_char, entity.end_char, entity.label_) for entity in pipeline(text).ents]

    return tag
