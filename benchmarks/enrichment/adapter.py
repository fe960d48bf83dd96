"""Adapters of pipeline functions to the public evaluation scripts.

python ner_eval.py --data DATA/ner --adapter benchmarks.enrichment.adapter:entity_names
python temporal.py --data DATA/locomo.open.json --adapter benchmarks.enrichment.adapter:days_spoken_of
"""

from __future__ import annotations

import os
from datetime import date, timedelta

from jotsam.pipeline.dates.calendar import DAY_MS, to_milliseconds
from jotsam.pipeline.dates.parse_dates import find_dates
from jotsam.pipeline.entities.rules import find_entities
from jotsam.worker.enrichment.ner import ConfiguredTagger

TAGGER = ConfiguredTagger(os.environ.get("JOTSAM_SPACY_MODEL", ""))
EPOCH = date(1970, 1, 1)


def entity_names(text: str) -> list[str]:
    """By rules and the tagger, as in the worker."""
    return [entity.name for entity in find_entities(text, tagger=TAGGER)]


def entity_names_by_rules(text: str) -> list[str]:
    """By rules only."""
    return [entity.name for entity in find_entities(text)]


def days_spoken_of(text: str, when: date) -> list[tuple[date, date]]:
    """The periods in the text, then the day on which it was said and its month: at most 3."""
    next_month = (when.replace(day=28) + timedelta(4)).replace(day=1)
    said = [(when, when), (when.replace(day=1), next_month - timedelta(1))]
    return list(dict.fromkeys([*days_named(text, when), *said]))[:3]


def days_named(text: str, when: date) -> list[tuple[date, date]]:
    """Only the periods in the text."""
    return _days(find_dates(text, said_at=to_milliseconds(when)))


def _days(periods: tuple) -> list[tuple[date, date]]:
    return [
        (EPOCH + timedelta(period.first // DAY_MS), EPOCH + timedelta(period.until // DAY_MS - 1)) for period in periods
    ]
