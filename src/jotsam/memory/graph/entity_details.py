"""Entities of the latest memories, and one entity with its facts and the entities that are mentioned with it.

Everything reads a bounded part of memory, however large it is; the records state which.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.names import CATEGORIES
from jotsam.core.records import NamedEntity, Record
from jotsam.memory.graph import entity_review
from jotsam.memory.graph.entity_review import parsed_name
from jotsam.pipeline.entities.roles import ROLES, names_role
from jotsam.storage.graph import entities, graph_view, timeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.graph_records import MergeCandidate
    from jotsam.core.records import Fact
    from jotsam.storage.database import Database, Row

EXAMINED = 20_000  # of the latest memories
EXAMINED_MENTIONS = 1_000  # of the latest memories that mention an entity
MAX_FACTS, MAX_RELATED, MAX_CANDIDATES = 200, 40, 5
MAX_LISTED = 10_000


class EntityList(Record):
    """A part of the entities that the latest memories mention. Their counts are of these memories."""

    entities: tuple[NamedEntity, ...]
    examined: int  # memories
    is_complete: bool  # there are no other memories
    has_more: bool


class RelatedEntity(Record):
    """An entity that the same memories mention as another one."""

    category: str
    slug: str
    name: str
    memories: int  # that mention both


class EntityDetails(Record):
    """An entity with what is known of it."""

    entity: NamedEntity
    merged: tuple[str, ...]  # `category:slug` of the entities that were merged into it
    facts: tuple[Fact, ...]  # of which it is the subject or the object, with superseded ones, the latest first
    has_more_facts: bool
    related: tuple[RelatedEntity, ...]  # those that most of the examined memories mention first
    examined: int  # of the latest memories that mention it
    candidates: tuple[MergeCandidate, ...]


def latest_entities(
    database: Database, *, tenant: str, category: str | None = None, words: str | None = None, skip: int = 0, limit: int
) -> EntityList:
    """Entities that the latest memories mention, those that most of these mention first, after `skip` of them.

    `words` is part of the name. Raises `InvalidInput`.
    """
    validate.check_choice("category", category, CATEGORIES)
    validate.check_optional_text("words", words)
    validate.check_int("skip", skip, 0, MAX_LISTED)
    validate.check_int("limit", limit, 1, MAX_LISTED)
    with database.snapshot(tenant=tenant) as tx:
        most = skip + limit + 1 + len(ROLES)
        found = entities.of_latest(tx, latest=EXAMINED, category=category, words=words, limit=most)
        rows = [row for row in found if not names_role(row["category"], row["slug"])]
        memories = graph_view.count_memories(tx, most=EXAMINED + 1)
    return EntityList(
        entities=tuple(_entity(row) for row in rows[skip : skip + limit]),
        examined=min(memories, EXAMINED),
        is_complete=memories <= EXAMINED,
        has_more=len(rows) > skip + limit,
    )


def entity_details(database: Database, *, tenant: str, name: str) -> EntityDetails:
    """One entity by its slug, its name, an alias, or `category:slug`. Raises `NotFound`, `InvalidInput`."""
    category, slug = parsed_name(name)
    with database.snapshot(tenant=tenant) as tx:
        entity = entity_review.entity(tx, slug=slug, category=category)
        row = entities.one(tx, category=entity.category, slug=entity.slug)
        facts = timeline.facts_about(tx, names_of(entity), limit=MAX_FACTS + 1)
        most = MAX_RELATED + len(ROLES)
        near = entities.related(tx, row["id"], latest=EXAMINED_MENTIONS, limit=most)
        related = [one for one in near if not names_role(one["category"], one["slug"])][:MAX_RELATED]
        return EntityDetails(
            entity=entity,
            merged=tuple(f"{one['category']}:{one['slug']}" for one in entities.merged_into(tx, row["id"])),
            facts=tuple(facts[:MAX_FACTS]),
            has_more_facts=len(facts) > MAX_FACTS,
            related=tuple(_related(one) for one in related),
            examined=min(entity.memories, EXAMINED_MENTIONS),
            candidates=entity_review.candidates_of(tx, entity, latest=EXAMINED, limit=MAX_CANDIDATES),
        )


def _related(row: Row) -> RelatedEntity:
    return RelatedEntity(category=row["category"], slug=row["slug"], name=row["name"], memories=row["memories"])


def names_of(entity: NamedEntity) -> list[str]:
    """How facts may name an entity."""
    return [entity.name, *entity.aliases, entity.slug, entity.slug.replace("-", " ")]


def _entity(row: Row) -> NamedEntity:
    names = ("category", "slug", "name", "memories", "last_at")
    return NamedEntity(**{name: row[name] for name in names})
