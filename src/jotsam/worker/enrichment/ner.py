"""NER for workers: the bundled name tagger, or a spaCy pipeline if one is configured.

The model is loaded with the first text and kept. If a spaCy pipeline is missing or damaged, this is logged once and the
bundled tagger is used under its own name. Which names are worth keeping is decided elsewhere.
"""

from __future__ import annotations

import logging
import threading
from functools import cache

from jotsam.core.errors import InvalidInput
from jotsam.models import spacy_ner, tagger_weights
from jotsam.pipeline.entities.tagger import TaggedName, Tagger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

log = logging.getLogger("jotsam.worker")

# The bundled tagger. Increase the number if new weights or features make it worth extracting again.
TAGGER = "tagger/2"

# spaCy label -> kind. Labels of dates, amounts and ordinals are missing: these are not names.
KINDS = {"PERSON": "person", "PER": "person", "ORG": "organization", "NORP": "other", "PRODUCT": "product"}
KINDS |= {"GPE": "place", "LOC": "place", "FAC": "place", "EVENT": "other", "WORK_OF_ART": "other", "LANGUAGE": "other"}
KINDS |= {"MISC": "other"}


class ConfiguredTagger:
    """Finds names in a text. `model` is the name or path of a spaCy pipeline, or "" for the bundled tagger."""

    def __init__(self, model: str = "") -> None:
        self._model = model
        self._spacy: spacy_ner.SpacyTagger | None = None
        self._lock = threading.Lock()
        self._tried = False

    @property
    def name(self) -> str:
        """The extractor that entities are stored under."""
        return f"spacy:{self._model}" if self._spacy_tagger() else TAGGER

    def __call__(self, text: str) -> Iterable[TaggedName]:
        tagger = self._spacy_tagger()
        if tagger is None:
            return _bundled().names(text)
        found = ((start, end, KINDS.get(label)) for start, end, label in tagger(text))
        return [TaggedName(start=start, end=end, kind=kind, score=1.0) for start, end, kind in found if kind]

    def _spacy_tagger(self) -> spacy_ner.SpacyTagger | None:
        with self._lock:
            if self._model and not self._tried:
                self._tried = True
                try:
                    self._spacy = spacy_ner.load(self._model)
                except InvalidInput as error:
                    log.warning("%s; using the bundled tagger", error)
        return self._spacy


@cache
def _bundled() -> Tagger:
    """The bundled tagger. Threads that begin together may make two, and share the weights."""
    return Tagger(tagger_weights.load_weights())
