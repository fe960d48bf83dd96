"""NER with a spaCy pipeline, given as the name of an installed package or the path of a folder.

spaCy is optional (the `spacy` extra) and takes a second to import, so `load` imports it. This module
never downloads a pipeline.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from jotsam.core.errors import InvalidInput, install_extra

# Start, end and spaCy label of each named entity in a text.
SpacyTagger = Callable[[str], Iterable[tuple[int, int, str]]]

# A pipeline with incomplete weights loads, and fails on its first text.
SAMPLE_TEXT = "Ana Lopez works at Acme in Bonn."

# Seen from spaCy for a broken `meta.json`, `config.cfg` or weights, and for pipelines of another version.
_DAMAGED = (ValueError, KeyError, IndexError, TypeError, AttributeError, ImportError, EOFError, RuntimeError)


def load(model: str) -> SpacyTagger:
    """Load a pipeline. The result can be called from many threads.

    Raises `InvalidInput` if spaCy or the pipeline is missing, or the pipeline is damaged.
    """
    try:
        import spacy
    except ImportError as error:
        raise InvalidInput(
            f"spacy_model is {model!r}, but spaCy cannot be imported ({error}); {install_extra('spacy')}"
        ) from error
    try:
        pipeline = spacy.load(model)
        pipeline(SAMPLE_TEXT)
    except OSError as error:
        raise InvalidInput(
            f"spacy_model is {model!r}, but no spaCy pipeline is installed under that name or at that path:"
            f" python -m spacy download {model}"
        ) from error
    except _DAMAGED as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise InvalidInput(
            f"spacy_model is {model!r}, but the pipeline cannot be loaded ({reason}):"
            " reinstall it for this version of spaCy"
        ) from error
    lock = threading.Lock()

    def tag(text: str) -> list[tuple[int, int, str]]:
        with lock:  # The pipeline's vocabulary cache is not thread-safe.
            return [(entity.start_char, entity.end_char, entity.label_) for entity in pipeline(text).ents]

    return tag
