"""`/v1/entities`, `/v1/facts`, `/v1/patterns`, `/v1/links`, `/v1/graph` and `/v1/projects`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from jotsam.core.graph_records import GraphOverview, KnowledgeStatistics, Neighbourhood
from jotsam.core.records import Link, NamedEntity, Record
from jotsam.memory.projects import ProjectChange
from jotsam.memory.supersede import SupersedeResult
from jotsam.surfaces.http.route import Call, Reply, Route, given, items
from jotsam.surfaces.http.v1.accepting import Batch, BatchResult, batch_reply
from jotsam.surfaces.http.v1.fields import Flag, Limit, Names, SelectionFields, Text, options_of
from jotsam.surfaces.http.v1.staleness import covered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Handler = Callable[[Call], Reply]


class EntityQuery(Struct, forbid_unknown_fields=True):
    """Which entities."""

    category: Literal["people", "organizations", "tools", "concepts", "projects"] | UnsetType = UNSET
    words: Text = UNSET
    actor: Text = UNSET
    limit: Limit = UNSET


class PreferenceQuery(Struct, forbid_unknown_fields=True):
    """Whose preferences."""

    actor: Text = UNSET
    limit: Limit = UNSET


class PairQuery(Struct, forbid_unknown_fields=True):
    """How many pairs."""

    limit: Annotated[int, Meta(ge=1, le=500)] | UnsetType = UNSET


class ReviewQuery(Struct, forbid_unknown_fields=True):
    """How many entities."""

    limit: Annotated[int, Meta(ge=1, le=2_000)] | UnsetType = UNSET


class EntityNames(Struct, forbid_unknown_fields=True):
    """Two entities: `name` becomes an alias of `into`."""

    name: str
    into: str


class EntityName(Struct, forbid_unknown_fields=True):
    """One entity."""

    name: str


class EntityTag(Record):
    """The tag of an entity."""

    entity: str


class ProjectMerge(Struct, forbid_unknown_fields=True):
    """Two projects: `project` is joined to `into`."""

    project: str
    into: str
    dry_run: Flag = UNSET


class ProjectName(Struct, forbid_unknown_fields=True):
    """One project."""

    project: str
    dry_run: Flag = UNSET


class ProjectLabel(Struct, forbid_unknown_fields=True):
    """One project and its label."""

    project: str
    label: str
    dry_run: Flag = UNSET


class FactQuery(Struct, forbid_unknown_fields=True):
    """Which facts."""

    words: Text = UNSET  # part of the subject or the object
    subject: Text = UNSET  # part of the subject
    object: Text = UNSET  # part of the object
    predicate: Text = UNSET
    project: Text = UNSET
    actor: Text = UNSET  # only from memories of this actor
    history: Flag = UNSET  # include facts that no longer hold, or do not hold yet
    archived: Flag = UNSET  # include facts of archived memories
    limit: Limit = UNSET


class PatternQuery(Struct, forbid_unknown_fields=True):
    """Which patterns."""

    type: Text = UNSET
    actor: Text = UNSET
    limit: Limit = UNSET


class LinkEnds(Struct, forbid_unknown_fields=True):
    """A link."""

    source: str
    type: str
    target: str


class LinkBody(LinkEnds, forbid_unknown_fields=True):
    """A link to create."""

    weight: float = 1.0
    properties: dict[str, Any] | UnsetType | None = UNSET


class GraphQuery(SelectionFields, forbid_unknown_fields=True):
    """Memories whose links to show."""

    history: Flag = UNSET
    limit: Annotated[int, Meta(ge=1, le=50_000)] | UnsetType = UNSET


class NeighbourQuery(Struct, forbid_unknown_fields=True):
    """How far to follow links."""

    types: Names = UNSET  # of links
    depth: int | UnsetType = UNSET  # 1 to 3
    limit: int | UnsetType = UNSET  # 1 to 200
    similar: int | UnsetType = UNSET  # how many similar memories to add, at most 20


class Replacement(Struct, forbid_unknown_fields=True):
    """Two memories, documents or facts: `new` replaces `old`."""

    old: str
    new: str


class UndoneReplacement(Struct, forbid_unknown_fields=True):
    """A replacement to undo. A fact can be restored without `new`."""

    old: str
    new: str | UnsetType | None = UNSET


def entities(call: Call) -> Reply:
    return items(call.jot.knowledge.entities(**given(call.query)))


def entity(call: Call) -> Reply:
    return Reply(body=call.jot.knowledge.entity(call.path["name"]))


def merge_candidates(call: Call) -> Reply:
    return items(call.jot.knowledge.merge_candidates(**given(call.query)))


def review_entities(call: Call) -> Reply:
    return items(call.jot.knowledge.review_entities(**given(call.query)))


def merge(call: Call) -> Reply:
    return Reply(body=EntityTag(entity=call.jot.knowledge.merge(call.body.name, into=call.body.into)))


def split(call: Call) -> Reply:
    return Reply(body=EntityTag(entity=call.jot.knowledge.split(call.body.name)))


def facts(call: Call) -> Reply:
    return items(call.jot.knowledge.facts(**given(call.query)))


def patterns(call: Call) -> Reply:
    return items(call.jot.knowledge.patterns(**given(call.query)))


def link(call: Call) -> Reply:
    return Reply(body=call.jot.knowledge.link(**given(call.body)))


def link_many(call: Call) -> Reply:
    return batch_reply(call.jot.knowledge.link_many(call.body.items), status=200)


def unlink(call: Call) -> Reply:
    return Reply(body=call.jot.knowledge.unlink(**given(call.body)))


def graph(call: Call) -> Reply:
    return Reply(body=call.jot.knowledge.overview(**options_of(call.query)))


def neighbourhood(call: Call) -> Reply:
    return Reply(body=call.jot.knowledge.neighbourhood(call.path["id"], **given(call.query)))


def statistics(call: Call) -> Reply:
    return Reply(body=call.jot.knowledge.statistics())


def preferences(call: Call) -> Reply:
    return items(call.jot.knowledge.preferences(**given(call.query)))


def projects(call: Call) -> Reply:
    return items(call.jot.projects())


def merge_projects(call: Call) -> Reply:
    return Reply(body=call.jot.merge_projects(**given(call.body)))


def split_project(call: Call) -> Reply:
    return Reply(body=call.jot.split_project(**given(call.body)))


def rename_project(call: Call) -> Reply:
    return Reply(body=call.jot.rename_project(**given(call.body)))


def supersede(call: Call) -> Reply:
    return Reply(body=call.jot.supersede(call.body.old, call.body.new))


def undo_supersede(call: Call) -> Reply:
    return Reply(body=call.jot.undo_supersede(**given(call.body)))


def _reading(path: str, handler: Handler, summary: str, *, result: object, query: type[Any] | None = None) -> Route:
    """A route that reads what enrichment has made."""
    return Route(
        method="GET",
        path=path,
        handler=covered(handler),
        scope="read",
        query=query,
        result=result,
        with_staleness=True,
        summary=summary,
    )


def _writing(path: str, handler: Handler, summary: str, *, body: type[Any], result: object) -> Route:
    return Route(method="POST", path=path, handler=handler, scope="write", body=body, result=result, summary=summary)


ROUTES = (
    _reading("/v1/entities", entities, "Entities, most mentioned first", query=EntityQuery, result="NamedEntity[]"),
    _reading(
        "/v1/entities/merge-candidates",
        merge_candidates,
        "Entities that may be the same",
        query=PairQuery,
        result="MergeCandidate[]",
    ),
    _reading(
        "/v1/entities/review",
        review_entities,
        "Entities, with what speaks against their names",
        query=ReviewQuery,
        result="ReviewedEntity[]",
    ),
    _reading("/v1/entities/{name}", entity, "One entity", result=NamedEntity),
    _writing("/v1/entities/merge", merge, "Merge two entities", body=EntityNames, result=EntityTag),
    _writing("/v1/entities/split", split, "Undo the merge of two entities", body=EntityName, result=EntityTag),
    _reading("/v1/facts", facts, "Facts, the latest first", query=FactQuery, result="Fact[]"),
    _reading("/v1/patterns", patterns, "Recurring themes", query=PatternQuery, result="Pattern[]"),
    _writing("/v1/links", link, "Link two memories", body=LinkBody, result=Link),
    _writing("/v1/links/batch", link_many, "Link up to 500 pairs of memories", body=Batch, result=BatchResult),
    _writing("/v1/links/delete", unlink, "Delete a link", body=LinkEnds, result=Link),
    _reading("/v1/graph", graph, "The most important memories and their links", query=GraphQuery, result=GraphOverview),
    _reading("/v1/graph/statistics", statistics, "Memories and links by type", result=KnowledgeStatistics),
    _reading(
        "/v1/graph/preferences",
        preferences,
        "What is preferred over what",
        query=PreferenceQuery,
        result="StatedPreference[]",
    ),
    _reading(
        "/v1/memories/{id}/neighbourhood",
        neighbourhood,
        "A memory and those that links lead to",
        query=NeighbourQuery,
        result=Neighbourhood,
    ),
    _reading("/v1/projects", projects, "Projects, the latest first", result="Project[]"),
    _writing("/v1/projects/merge", merge_projects, "Join two projects", body=ProjectMerge, result=ProjectChange),
    _writing("/v1/projects/split", split_project, "Split them again", body=ProjectName, result=ProjectChange),
    _writing("/v1/projects/rename", rename_project, "Label a project", body=ProjectLabel, result=ProjectChange),
    _writing(
        "/v1/supersede", supersede, "Replace a memory, document or fact", body=Replacement, result=SupersedeResult
    ),
    _writing(
        "/v1/supersede/undo", undo_supersede, "Undo a replacement", body=UndoneReplacement, result=SupersedeResult
    ),
)
