"""Reads back what the rules stored of a memory, so that the job of the model does not run them again.

Only what this version of the rules stored of the text as it is now, and what nothing else has touched since: then
reading it gives what running the rules would give.
"""

from __future__ import annotations

from jotsam.core.names import ENTITY, MERGED
from jotsam.pipeline.dates.periods import Period
from jotsam.pipeline.extraction.extract import FAILED_RULE, RULES, Extraction, extractor_name, speaker
from jotsam.pipeline.tags import entity_tags
from jotsam.storage.graph import facts, graph
from jotsam.storage.memories import memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jotsam.core.records import Entity
    from jotsam.pipeline.entities.filter import NameTagger
    from jotsam.storage.database import Row, Transaction

BY_EXTRACTOR = ""  # in `type_by` and the like: the extractor of the memory
STORED = "stored"  # for the words of a date, which are not kept


def stored_by_rules(tx: Transaction, row: Row, tagger: NameTagger | None = None) -> Extraction | None:
    """What the rules found in a memory, as it is stored; None if they must run."""
    number, name = row["id"], extractor_name(tagger)
    if row["extractor"] != name or row["degraded"] is None or FAILED_RULE in row["degraded"]:
        return None
    # The confidence that the rules have in a type is lost if a caller gave another.
    is_whole = row["confidence_by"] == BY_EXTRACTOR and {row["type_by"], row["importance_by"]} <= {BY_EXTRACTOR, None}
    mentioned = [one for one in graph.mentions(tx, number) if not (one.extractor or "").startswith(MERGED)]
    tags = {tag: by for tag, by in memories.found_tags(tx, number).items() if not by.startswith(MERGED)}
    stated = facts.of_memory(tx, number=number)
    found_by = {*tags.values(), *(one.extractor for one in mentioned), *(one.extractor for one in stated)}
    if not is_whole or not found_by <= {RULES, name.removeprefix(f"{RULES} ")}:
        return None
    said_by = speaker(row["actor"])
    periods = memories.date_ranges(tx, number)
    return Extraction(
        extractor=name,
        entities=tuple(_entities(mentioned, tags, said_by)),
        speaker=said_by,
        facts=stated,
        periods=tuple(Period(first=one["first"], until=one["until"], text=STORED) for one in periods),
        summary=row["summary"],
        type=row["type"],
        type_confidence=row["confidence"],
        importance=row["importance"],
        topics=tuple(tag for tag in tags if not tag.startswith(ENTITY)),
    )


def _entities(mentioned: Iterable[Entity], tags: Mapping[str, str], said_by: Entity | None) -> Iterator[Entity]:
    """The entities that the text names. The speaker is mentioned in any case, but has a tag only then."""
    for one in mentioned:
        (tag,) = entity_tags([one])
        is_speaker = said_by is not None and (one.category, one.slug) == (said_by.category, said_by.slug)
        if tag in tags or not is_speaker:
            yield one.replace(extractor=tags.get(tag, one.extractor))
