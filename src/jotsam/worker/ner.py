"""The tagger of names that a worker uses: the one that is shipped, or a spaCy pipeline where one is configured.

Either is loaded when the first text is read and then kept. A pipeline that is missing or damaged is told once, and the
shipped tagger reads, under its own name. It must not decide which names are worth keeping.
"""

from __future__ import annotations

import logging
import threading

from jotsam.core.errors import InvalidInput
from jotsam.models import spacy_ner, tagger_weights
from jotsam.pipeline.entities.tagger import TaggedName, tag_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

log = logging.getLogger("jotsam.worker")

TAGGER = "tagger/1"
"""The shipped one. The number rises with weights or features that should make somebody read again."""

KINDS = {"PERSON": "person", "PER": "person", "ORG": "organization", "NORP": "other", "PRODUCT": "product"}
KINDS |= {"GPE": "place", "LOC": "place", "FAC": "place", "EVENT": "other", "WORK_OF_ART": "other", "LANGUAGE": "other"}
KINDS |= {"MISC": "other"}
"""What spaCy's labels are called here; dates, sums and ordinals are no names."""


class Naming:
    """Finds the names of a sentence. `model` is the name or the path of a spaCy pipeline, or ""."""

    def __init__(self, model: str = "") -> None:
        self._model = model
        self._spacy: spacy_ner.Tagger | None = None
        self._lock = threading.Lock()
        self._tried = False

    @property
    def name(self) -> str:
        """Who finds the names."""
        return f"spacy:{self._model}" if self._loaded() else TAGGER

    def __call__(self, text: str) -> Iterable[TaggedName]:
        tagger = self._loaded()
        if tagger is None:
            return tag_names(text, tagger_weights.weights())
        found = ((start, end, KINDS.get(label)) for start, end, label in tagger(text))
        return [TaggedName(start=start, end=end, kind=kind, score=1.0) for start, end, kind in found if kind]

    def _loaded(self) -> spacy_ner.Tagger | None:
        with self._lock:
            if self._model and not self._tried:
                self._tried = True
                try:
                    self._spacy = spacy_ner.load(self._model)
                except InvalidInput as error:
                    log.warning("%s; the shipped tagger reads instead", error)
        return self._spacy
