"""The job `enrich`: reads one memory for what it is about, outside any transaction, and saves all it found in one."""

from __future__ import annotations

from jotsam.core.names import PROBE
from jotsam.core.records import Entity
from jotsam.pipeline.extract import RULES as RULES
from jotsam.pipeline.extract import findings
from jotsam.pipeline.text.slugs import slug, title_slugs
from jotsam.storage import graph, memories, queue, vectors
from jotsam.worker.embed import job_spec
from jotsam.worker.links import link, show_patterns
from jotsam.worker.save_extraction import Found, keep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.job_records import Job
    from jotsam.core.records import Fact
    from jotsam.pipeline.entities.filter import NameTagger
    from jotsam.pipeline.llm.extraction import Reading
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.worker.llm_extraction import Outcome, Reader

SURE_OF_MODEL = 0.8
"""How sure a model is of the type that it gives, where it does not say."""


def handler(
    database: Database,
    *,
    reader: Reader | None = None,
    tagger: NameTagger | None = None,
    summarises: bool = True,
    embeds: bool = False,
) -> Handler:
    """A handler of `enrich` jobs: entities, their tags, facts, a summary, a type, and links to what was said before.

    The rules always read; with a `reader`, a language model does too. With `embeds` a vector is asked for, which a job
    of its own makes.
    """

    def enrich(job: Job) -> Callable[[Transaction], None] | None:
        with database.snapshot(tenant=job.tenant) as tx:
            row = memories.get(tx, uuid=str(job.payload).strip('"'))
        if row is None:
            return None  # It was forgotten meanwhile, and so there is nothing to do.
        found = by_rules(row, tagger)
        is_probe = job.tenant.startswith(PROBE)
        if reader is not None and not is_probe:
            found = with_model(found, reader.read(job, row), extractor=reader.extractor)
        if not summarises:
            found = found.replace(summary=None)

        def save(tx: Transaction) -> None:
            keep(tx, row, found)
            graph.set_titles(tx, number=row["id"], slugs=title_slugs(row["actor"], row["section"], row["source"]))
            link(tx, row)
            show_patterns(tx, row, found)
            if embeds and not is_probe and vectors.want(tx, number=row["id"]):
                queue.ensure(tx, job_spec(job.tenant))

        return save

    return enrich


def by_whom(tagger: NameTagger | None = None) -> str:
    """Who reads without a language model: the rules, and whoever looks for names beside them."""
    return f"{RULES} {tagger.name}" if tagger else RULES


def by_rules(row: Row, tagger: NameTagger | None = None) -> Found:
    """What the rules find in a memory, with a `namer` that of theirs too."""
    said_at = row["created_at"] if row["said_at"] is None else row["said_at"]
    found = findings(row["body"], said_at=said_at, actor=row["actor"], tagger=tagger)
    return Found(
        extractor=by_whom(tagger),
        entities=tuple(entity.replace(extractor=entity.extractor or RULES) for entity in found.entities),
        said_by=_said_by(row["actor"]),
        facts=found.facts,
        summary=found.summary or None,
        type=found.type,
        sure=found.confidence,
        importance=found.importance,
        periods=tuple((period.first, period.until, bool(period.text)) for period in found.periods),
    )


def with_model(found: Found, outcome: Outcome, *, extractor: str) -> Found:
    """What the rules and a model have found together. Where both name a thing, the model says what kind it is."""
    read = outcome.reading
    if read is None:
        return found.replace(degraded=outcome.degraded, rejected=None)
    named: dict[str, Entity] = {}
    for entity, share in read.entities:
        named[entity.slug] = entity.replace(confidence=share, extractor=extractor)
    for entity in found.entities:
        named.setdefault(entity.slug, entity)
    said: dict[tuple[str, str, str], Fact] = {}
    for fact in (*(fact.replace(extractor=extractor) for fact in read.facts), *found.facts):
        said.setdefault((fact.subject.casefold(), fact.predicate, fact.object.casefold()), fact)
    return found.replace(
        extractor=extractor,
        entities=tuple(named.values()),
        facts=tuple(said.values()),
        summary=read.summary or found.summary,
        type=read.type or found.type,
        sure=_sure(read) if read.type else found.sure,
        periods=_periods(found, read),
        importance=found.importance if read.importance is None else read.importance,
        rejected=read.rejected,
    )


def _sure(read: Reading) -> float:
    return SURE_OF_MODEL if read.type_confidence is None else read.type_confidence


def _periods(found: Found, read: Reading) -> tuple[tuple[int, int, bool], ...]:
    """The times that the rules and a model have found, each once: what either says is named, is."""
    named: dict[tuple[int, int], bool] = {(date.first, date.last + 1): True for date in read.dates}
    for first, until, is_named in found.periods:
        named[first, until] = is_named or named.get((first, until), False)
    return tuple((first, until, is_named) for (first, until), is_named in named.items())


def _said_by(actor: str | None) -> tuple[Entity, ...]:
    plain = slug(actor) if actor else ""
    return (Entity(category="people", slug=plain, name=str(actor), extractor=RULES),) if plain else ()
