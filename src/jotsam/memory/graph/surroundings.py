"""The entities around one, to walk from one to the next: two steps, and more where a reader opens them.

Two entities are neighbours if the same memories mention both. Everything reads a bounded part of memory.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.clock import parse_time
from jotsam.core.names import CATEGORIES
from jotsam.core.records import Record
from jotsam.memory.graph import entity_review
from jotsam.memory.graph.entity_details import names_of
from jotsam.memory.graph.entity_review import parsed_name
from jotsam.pipeline.entities.roles import ROLES, names_role
from jotsam.storage.graph import entities, timeline
from jotsam.storage.graph.facts import key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.core.records import NamedEntity
    from jotsam.memory.options import Timestamp
    from jotsam.storage.database import Database, Row, Transaction

EXAMINED = 300  # of the latest memories that mention an entity
FIRST, SECOND, OPENED = 12, 3, 10  # neighbours of the entity, of each of the first ones, and of one that was opened
WITH_SECOND = 6  # of the first neighbours
MAX_OPENED = 6
MAX_FACTS = 200


class NearEntity(Record):
    """An entity in the surroundings of another one."""

    name: str  # category:slug
    label: str
    category: str
    step: int  # 0 is the one in the middle
    is_open: bool  # all its neighbours are shown


class NearEdge(Record):
    """Two entities that the same memories mention."""

    source: str
    target: str
    memories: int
    says: str = ""  # what a fact says of both, such as "uses"


class Surroundings(Record):
    """Entities in the order of their steps, and what connects them."""

    centre: NamedEntity
    nodes: tuple[NearEntity, ...]
    edges: tuple[NearEdge, ...]


def surroundings(
    database: Database,
    *,
    tenant: str,
    name: str,
    opened: Iterable[str] = (),
    category: str | None = None,
    since: Timestamp | None = None,
    until: Timestamp | None = None,
) -> Surroundings:
    """The entities around one (as for `Knowledge.entity`), of one category, by memories said between two times.

    Raises `NotFound`, `InvalidInput`.
    """
    validate.check_choice("category", category, CATEGORIES)
    span = {
        "since": parse_time(since, name="since") if since else None,
        "until": parse_time(until, name="until") if until else None,
    }
    wanted = [parsed_name(one) for one in opened][:MAX_OPENED]
    with database.snapshot(tenant=tenant) as tx:
        asked, slug = parsed_name(name)
        centre = entity_review.entity(tx, slug=slug, category=asked)
        own = entities.one(tx, category=centre.category, slug=centre.slug)
        walk = _Walk(tx, category=category, span=span, opened={f"{one}:{other}" for one, other in wanted})
        first = walk.add(own, step=0, limit=FIRST)
        for number, row in enumerate(first):
            is_open = _name(row) in walk.opened
            if is_open or number < WITH_SECOND:
                walk.add(row, step=1, limit=OPENED if is_open else SECOND)
        for row in [*walk.rows.values()]:
            if _name(row) in walk.opened and walk.steps[_name(row)] > 1:
                walk.add(row, step=walk.steps[_name(row)], limit=OPENED)
        said = timeline.facts_about(tx, names_of(centre), at=tx.now, limit=MAX_FACTS)
    says = {key(end): fact.predicate.replace("_", " ") for fact in said for end in (fact.subject, fact.object)}
    return Surroundings(centre=centre, nodes=walk.nodes(), edges=walk.edges(_name(own), says))


class _Walk:
    """The entities that were reached so far."""

    def __init__(self, tx: Transaction, *, category: str | None, span: dict[str, int | None], opened: set[str]) -> None:
        self._tx, self._category, self._span = tx, category, span
        self.opened = opened
        self.rows: dict[str, Row] = {}
        self.steps: dict[str, int] = {}
        self._edges: dict[tuple[str, str], int] = {}

    def add(self, row: Row, *, step: int, limit: int) -> Sequence[Row]:
        """Add an entity with its neighbours. Returns those that are new."""
        name = _name(row)
        self.rows.setdefault(name, row)
        self.steps.setdefault(name, step)
        most = limit + len(ROLES)
        found = entities.related(
            self._tx, row["id"], category=self._category, **self._span, latest=EXAMINED, limit=most
        )
        new = []
        for one in [one for one in found if not names_role(one["category"], one["slug"])][:limit]:
            other = _name(one)
            if other not in self.rows:
                self.rows[other], self.steps[other] = one, step + 1
                new.append(one)
            first, second = sorted((name, other))
            self._edges.setdefault((first, second), one["memories"])
        return new

    def nodes(self) -> tuple[NearEntity, ...]:
        found = [
            NearEntity(
                name=name,
                label=row["name"],
                category=row["category"],
                step=self.steps[name],
                is_open=name in self.opened or self.steps[name] == 0,
            )
            for name, row in self.rows.items()
        ]
        return tuple(sorted(found, key=lambda one: one.step))

    def edges(self, centre: str, says: dict[str, str]) -> tuple[NearEdge, ...]:
        """The edges; those of the entity in the middle with what facts say."""
        return tuple(
            NearEdge(
                source=one,
                target=other,
                memories=memories,
                says=says.get(key(self.rows[other if one == centre else one]["name"]), "")
                if centre in (one, other)
                else "",
            )
            for (one, other), memories in self._edges.items()
        )


def _name(row: Row) -> str:
    return f"{row['category']}:{row['slug']}"
