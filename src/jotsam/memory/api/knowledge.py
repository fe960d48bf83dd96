"""`Jotsam.knowledge`: entities, facts, patterns and links of a tenant, its redactions and allowed secrets."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import CATEGORIES, as_type
from jotsam.core.operations import EntityTag, Operation
from jotsam.core.records import AllowedSecret, MemoryGraph
from jotsam.ingest.validation import check_actor
from jotsam.memory.graph import entity_review
from jotsam.memory.graph.entity_review import names_category, parsed_name
from jotsam.memory.reading.show import memory_row, neighbour
from jotsam.memory.writing import associate, batches, linking
from jotsam.pipeline.facts.predicates import normalise_predicate
from jotsam.pipeline.redaction.redact import fingerprint, redact
from jotsam.storage.graph import entities, facts, graph, patterns
from jotsam.storage.memories import allowed_secrets as allowed
from jotsam.storage.memories import projects, redactions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Unpack

    from jotsam.core.graph_records import (
        GraphOverview,
        KnowledgeStatistics,
        MergeCandidate,
        Neighbourhood,
        ReviewedEntity,
        StatedPreference,
    )
    from jotsam.core.records import Fact, ItemResult, Link, NamedEntity, Pattern, Redaction
    from jotsam.memory.options import EntityCategory, FactOptions, LinkItem, SelectionOptions
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.storage.recall.vector_index import Nearest

MAX_NEIGHBOURS, MAX_LISTED = 200, 10_000
FLAGS = ("history", "archived")  # of `facts`
_LINK_ITEM = frozenset(("source", "type", "target", "weight", "properties"))
MIN_PREFIX = 8  # characters of a fingerprint


class Knowledge:
    """The knowledge graph of one tenant, and what its redaction removed and allows."""

    def __init__(self, database: Database, *, tenant: str, nearest: Nearest) -> None:
        self._database = database
        self._tenant = tenant
        self._nearest = nearest

    @Operation(
        route="GET /v1/entities",
        scope="read",
        limits={"limit": (1, MAX_LISTED)},
        with_staleness=True,
        summary="Entities, most mentioned first",
    )
    def entities(
        self,
        *,
        category: EntityCategory | None = None,
        words: str | None = None,
        actor: str | None = None,
        limit: int = 50,
    ) -> tuple[NamedEntity, ...]:
        """Entities, those that most memories mention first. `words` is part of the name.

        With `actor`, those that memories of this actor mention, counted among these. Raises `InvalidInput`.
        """
        actor = check_actor(actor)
        validate.check_choice("category", category, CATEGORIES)
        validate.check_optional_text("words", words)
        validate.check_int("limit", limit, 1)
        with self._database.snapshot(tenant=self._tenant) as tx:
            return entities.every(tx, category=category, words=words, actor=actor, limit=limit)

    @Operation(route="GET /v1/entities/{name}", scope="read", with_staleness=True, summary="One entity")
    def entity(self, name: str) -> NamedEntity:
        """One entity by its slug, its name, an alias, or `category:slug`.

        Of several with that name, the one that most memories mention. Raises `NotFound`, `InvalidInput`.
        """
        category, plain = parsed_name(name)
        with self._database.snapshot(tenant=self._tenant) as tx:
            return entity_review.entity(tx, slug=plain, category=category)

    @Operation(
        route="GET /v1/entities/merge-candidates",
        scope="read",
        limits={"limit": (1, 500)},
        with_staleness=True,
        summary="Entities that may be the same",
    )
    def merge_candidates(self, *, limit: int = 100) -> tuple[MergeCandidate, ...]:
        """Pairs of entities that may be the same, by their names and by the memories that mention both.

        The surest first. Of the 2,000 entities that most memories mention. Changes nothing. Raises `InvalidInput`.
        """
        with self._database.snapshot(tenant=self._tenant) as tx:
            return entity_review.merge_candidates(tx, limit=limit)

    @Operation(
        route="GET /v1/entities/review",
        scope="read",
        limits={"limit": (1, 2_000)},
        with_staleness=True,
        summary="Entities, with what speaks against their names",
    )
    def review_entities(self, *, limit: int = 2_000) -> tuple[ReviewedEntity, ...]:
        """The entities that most memories mention, and what speaks against the name of each, if anything.

        Changes nothing. Raises `InvalidInput`.
        """
        with self._database.snapshot(tenant=self._tenant) as tx:
            return entity_review.reviewed(tx, limit=limit)

    @Operation(
        route="POST /v1/entities/merge",
        scope="write",
        body="EntityNames: Two entities: `name` becomes an alias of `into`.",
        result=EntityTag,
        summary="Merge two entities",
    )
    def merge(self, name: str, *, into: str) -> str:
        """Merge two entities: `name` becomes an alias of `into`. Returns the tag of `into`. `split` undoes it.

        A name is a slug, a name as written, or `category:slug`. Raises `NotFound`, and `InvalidInput` for a name that
        exists in several categories or is an alias already, and for entities of different categories, unless both are
        given as `category:slug`.
        """
        with self._database.transaction(tenant=self._tenant) as tx:
            one, other = self._entity(tx, name), self._entity(tx, into)
            if one["category"] != other["category"] and not (names_category(name) and names_category(into)):
                raise InvalidInput(
                    f"{entities.tag(one)} and {entities.tag(other)} are of different categories: to merge them anyway, "
                    f"name them {_short(one)} and {_short(other)}"
                )
            return entities.tag(entities.merge(tx, entity=one, into=other))

    @Operation(
        route="POST /v1/entities/split",
        scope="write",
        body="EntityName: One entity.",
        result=EntityTag,
        summary="Undo the merge of two entities",
    )
    def split(self, name: str) -> str:
        """Undo `merge`. Returns the tag of the entity that it was merged into. Raises `NotFound`, `InvalidInput`."""
        with self._database.transaction(tenant=self._tenant) as tx:
            return entities.tag(entities.split(tx, entity=self._entity(tx, name)))

    @Operation(
        route="GET /v1/facts",
        scope="read",
        limits={"limit": (1, MAX_LISTED)},
        with_staleness=True,
        summary="Facts, the latest first",
    )
    def facts(self, *, limit: int = 50, **options: Unpack[FactOptions]) -> list[Fact]:
        """Facts that are valid now, the latest first.

        Options: `subject` and `object` (parts of them), `words` (part of either), `predicate`, `project`, `actor` (of
        the memory); `history` includes facts that are no longer valid, or not yet, `archived` those of archived
        memories. Raises `InvalidInput`.
        """
        wanted: dict[str, Any] = {**options}
        validate.check_fields(wanted, facts.Wanted._fields)
        validate.check_int("limit", limit, 1)
        for name, value in wanted.items():
            validate.check_bool(name, value) if name in FLAGS else validate.check_optional_text(name, value)
        wanted["actor"] = check_actor(wanted.get("actor"))
        if wanted.get("predicate"):
            wanted["predicate"] = normalise_predicate(wanted["predicate"])
        with self._database.snapshot(tenant=self._tenant) as tx:
            chosen = facts.Wanted(**{**wanted, "project": projects.asked(tx, wanted.get("project"))})
            return [fact for _, fact in facts.find(tx, chosen, limit=limit)]

    @Operation(
        route="GET /v1/patterns",
        scope="read",
        limits={"limit": (1, MAX_LISTED)},
        with_staleness=True,
        summary="Recurring themes",
    )
    def patterns(self, *, type: str | None = None, actor: str | None = None, limit: int = 50) -> tuple[Pattern, ...]:
        """Recurring themes of memories of one type, the most frequent first.

        With `actor`, counted among the memories of this actor. Raises `InvalidInput`.
        """
        actor = check_actor(actor)
        validate.check_optional_text("type", type)
        validate.check_int("limit", limit, 1)
        with self._database.snapshot(tenant=self._tenant) as tx:
            return patterns.every(tx, type=type and as_type(type), actor=actor, limit=limit)

    @Operation(
        route="GET /v1/memories/{id}/graph", scope="read", summary="One memory with its links, entities and patterns"
    )
    def graph(self, id: str, *, actor: str | None = None) -> MemoryGraph:
        """A memory with its links in both directions, entities and patterns. `id` as for `Jotsam.show`.

        With `actor`, only between memories of this actor. Raises `NotFound`, `InvalidInput`.
        """
        actor = check_actor(actor)
        with self._database.snapshot(tenant=self._tenant) as tx:
            row = memory_row(tx, id=id, actor=actor)
            found = graph.neighbours(tx, row["id"], actor=actor, limit=MAX_NEIGHBOURS)
            return MemoryGraph(
                id=row["uuid"],
                summary=row["summary"] or row["body"][:120],
                neighbours=tuple(neighbour(other) for other in found),
                entities=graph.mentions(tx, row["id"]),
                patterns=patterns.of_memory(tx, row["id"], actor=actor),
            )

    @Operation(
        route="GET /v1/graph",
        scope="read",
        limits={"limit": (1, 50_000)},
        with_staleness=True,
        summary="The most important memories and their links",
    )
    def overview(
        self, *, limit: int = 500, history: bool = False, **selection: Unpack[SelectionOptions]
    ) -> GraphOverview:
        """The most important memories and the links between them: `limit` of them, at most 50,000.

        Options as for `Jotsam.list`. Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory.graph import graph_view

        with self._database.snapshot(tenant=self._tenant) as tx:
            return graph_view.overview(tx, selection, limit=limit, history=history)

    @Operation(
        route="GET /v1/memories/{id}/neighbourhood",
        scope="read",
        with_staleness=True,
        summary="A memory and those that links lead to",
    )
    def neighbourhood(
        self,
        id: str,
        *,
        types: Iterable[str] = (),  # of links
        depth: int = 1,  # 1 to 3
        limit: int = 100,  # 1 to 200
        similar: int = 5,  # how many similar memories to add, at most 20
    ) -> Neighbourhood:
        """A memory, those that links lead to in `depth` steps (1 to 3), and `similar` ones of similar meaning.

        `id` as for `Jotsam.show`; `types` are of links. At most `limit` neighbours (1 to 200), and 20 similar ones.
        Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory.graph import graph_view

        options: dict[str, Any] = {"types": types, "depth": depth, "limit": limit, "similar": similar}
        with self._database.snapshot(tenant=self._tenant) as tx:
            return graph_view.neighbourhood(tx, id=id, nearest=self._nearest, **options)

    @Operation(
        route="GET /v1/graph/statistics", scope="read", with_staleness=True, summary="Memories and links by type"
    )
    def statistics(self) -> KnowledgeStatistics:
        """Memories and links by type, time, importance and confidence: of the latest 20,000 memories."""
        from jotsam.memory.graph import graph_view

        with self._database.snapshot(tenant=self._tenant) as tx:
            return graph_view.statistics(tx)

    @Operation(
        route="GET /v1/graph/preferences",
        scope="read",
        limits={"limit": (1, MAX_LISTED)},
        with_staleness=True,
        summary="What is preferred over what",
    )
    def preferences(self, *, actor: str | None = None, limit: int = 10) -> tuple[StatedPreference, ...]:
        """What is preferred over what, by links PREFERS_OVER, the strongest first; with `actor`, by this one alone.

        Raises `InvalidInput`.
        """
        from jotsam.memory.graph import graph_view

        with self._database.snapshot(tenant=self._tenant) as tx:
            return graph_view.preferences(tx, actor=check_actor(actor), limit=limit)

    @Operation(route="POST /v1/links", scope="write", body="LinkBody: A link to create.", summary="Link two memories")
    def link(
        self,
        source: str,
        type: str,
        target: str,
        *,
        weight: float = 1.0,
        properties: Mapping[str, Any] | None = None,
    ) -> Link:
        """Link two memories: LEADS_TO, CONTRADICTS, PART_OF, ... (see `names.LINK_TYPES`). `unlink` undoes it.

        Ids as for `Jotsam.show`; `weight` is above 0 and at most 1. `properties` are those of the type in
        `names.LINK_PROPERTIES`, such as the `reason` of a CONTRADICTS. Linking again changes the weight, and the
        properties if they are given. Reprocessing keeps the link. INVALIDATED_BY and EVOLVED_INTO also hide `source`
        from recall, as `Jotsam.supersede` does; other types hide nothing. Raises `NotFound`, `InvalidInput`.
        """
        with self._database.transaction(tenant=self._tenant) as tx:
            linking.lock(tx)
            ends = {"source": source, "type": type, "target": target}
            return associate.link(tx, **ends, weight=weight, properties=properties).link

    @Operation(route="POST /v1/links/batch", scope="write", body="Batch", summary="Link up to 500 pairs of memories")
    def link_many(self, items: Iterable[LinkItem]) -> list[ItemResult]:
        """Link up to 500 pairs of memories in one commit, each as by `link`, in order.

        An item is a dict of `source`, `type`, `target`, and perhaps `weight` and `properties`. Returns a result for
        each: its link, or the error because of which it is not created, which does not affect the others.
        Raises `InvalidInput`.
        """
        found = batches.check_items(items)

        def link(item: object) -> Link:
            fields = batches.check_item(item, required=("source", "type", "target"), allowed=_LINK_ITEM)
            return associate.link(tx, **fields).link

        with self._database.transaction(tenant=self._tenant) as tx:
            linking.lock(tx)
            return batches.link_each(found, link)

    @Operation(route="POST /v1/links/delete", scope="write", body="LinkEnds: A link.", summary="Delete a link")
    def unlink(self, source: str, type: str, target: str) -> Link:
        """Delete a link that `link` created, and restore what it superseded. Raises `NotFound`, `InvalidInput`."""
        with self._database.transaction(tenant=self._tenant) as tx:
            return associate.unlink(tx, source=source, type=type, target=target)

    def allow(self, secret: str, *, reason: str) -> str:
        """Allow a text that looks like a secret: it is not redacted from now on.

        Stores its fingerprint and the reason, not the text. Returns the fingerprint. Raises `InvalidInput`.
        """
        if not validate.check_text("text", secret).strip() or not validate.check_text("reason", reason).strip():
            raise InvalidInput("the text or the reason is empty: give a text, and the reason why it is not a secret")
        mark = fingerprint(secret)
        with self._database.transaction(tenant=self._tenant) as tx:
            allowed.allow(tx, fingerprint=mark, reason=redact(reason.strip())[0])
        return mark

    def allow_redacted(self, prefix: str, *, reason: str) -> str:
        """Allow a text that was redacted, by the prefix of its fingerprint. Returns the fingerprint.

        Stored texts stay redacted: add them again. Raises `NotFound`, `InvalidInput`.
        """
        _check(prefix)
        if not validate.check_text("reason", reason).strip():
            raise InvalidInput("the reason is empty: state why it is not a secret")
        with self._database.transaction(tenant=self._tenant) as tx:
            found = redactions.matching(tx, prefix=prefix)
            if not found:
                raise NotFound(
                    f"there is no redaction with the fingerprint {prefix!r}: `jotsam db secrets list` lists them"
                )
            if len(found) > 1:
                raise InvalidInput(f"fingerprint {prefix!r} is ambiguous: give more characters")
            allowed.allow(tx, fingerprint=found[0], reason=redact(reason.strip())[0])
        return found[0]

    @Operation(
        route="GET /v1/redactions",
        scope="admin",
        limits={"limit": (1, MAX_LISTED)},
        summary="What was redacted and where, never the secret",
    )
    def redactions(self, *, limit: int = 50) -> tuple[Redaction, ...]:
        """Redactions of accepted texts, the latest first; never the secret. Raises `InvalidInput`."""
        validate.check_int("limit", limit, 1)
        with self._database.snapshot(tenant=self._tenant) as tx:
            return redactions.latest(tx, limit=limit)

    def forbid(self, prefix: str) -> int:
        """Undo `allow` for all fingerprints with this prefix. Returns how many. Raises `InvalidInput`."""
        _check(prefix)
        with self._database.transaction(tenant=self._tenant) as tx:
            return allowed.forbid(tx, prefix=prefix)

    @Operation(route="GET /v1/allowed-secrets", scope="admin", summary="Texts that look like a secret and are allowed")
    def allowed(self) -> tuple[AllowedSecret, ...]:
        """The allowed texts: fingerprints and reasons."""
        with self._database.snapshot(tenant=self._tenant) as tx:
            return tuple(AllowedSecret(**row) for row in allowed.every(tx))

    def _entity(self, tx: Transaction, name: str) -> Row:
        category, plain = parsed_name(name)
        return entities.one(tx, category=category, slug=plain)


def _check(prefix: str) -> None:
    if not validate.check_text("fingerprint", prefix).isalnum() or len(prefix) < MIN_PREFIX:
        raise InvalidInput(f"invalid fingerprint {prefix!r}: must be at least its first {MIN_PREFIX} characters")


def _short(entity: Row) -> str:
    return f"{entity['category']}:{entity['slug']}"
