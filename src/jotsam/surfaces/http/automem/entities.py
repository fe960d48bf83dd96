"""AutoMem's `/entities` and `/entity`: list, show, review and merge entities."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct

from jotsam.core.clock import format_time
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import CATEGORIES
from jotsam.surfaces.http.automem.query_values import flag
from jotsam.surfaces.http.requests.route import Call, Reply, Route

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.graph_records import MergeCandidate, ReviewedEntity
    from jotsam.core.records import NamedEntity

MAX_LIMIT = 500


class ListQuery(Struct):
    """Which entities."""

    category: str | None = None
    limit: int = 100


class EntityAuditQuery(Struct):
    """Which part of the audit."""

    category: str | None = None
    reason: str | None = None
    summary: str = ""
    include_merge_candidates: str = ""
    limit: int = 100
    offset: int = 0


class MergeBody(Struct):
    """The entity that stays."""

    merge_into: str = ""


def list_entities(call: Call) -> Reply:
    """The entities that most memories mention, with their aliases."""
    limit, category = call.query.limit, call.query.category or None
    if limit < 1:
        raise InvalidInput(f"invalid limit {limit}: must be from 1 to {MAX_LIMIT}")
    if category is not None and category not in CATEGORIES:
        return Reply(body={"status": "success", "entities": [], "count": 0})
    found = call.jot.knowledge.entities(category=category, limit=min(limit, MAX_LIMIT))
    return Reply(body={"status": "success", "entities": [_entity(one) for one in found], "count": len(found)})


def get_entity(call: Call) -> Reply:
    """One entity by its slug, an alias, or `category:slug`."""
    return Reply(body={"status": "success", "entity": _entity(call.jot.knowledge.entity(call.path["slug"]))})


def merge_candidates(call: Call) -> Reply:
    """Pairs of entities that may be the same."""
    found = [_candidate(one) for one in call.jot.knowledge.merge_candidates(limit=MAX_LIMIT)]
    return Reply(body={"status": "success", "candidates": found, "count": len(found)})


def audit_entities(call: Call) -> Reply:
    """Entities whose names may be none. Changes nothing."""
    query, know = call.query, call.jot.knowledge
    if query.limit < 0 or query.offset < 0:
        raise InvalidInput(f"invalid limit {query.limit} or offset {query.offset}: must be 0 or more")
    limit, is_summary = min(query.limit, MAX_LIMIT), flag(query.summary) is True
    every = know.review_entities()
    doubtful, accepted = [one for one in every if one.doubt], [one for one in every if not one.doubt]
    shown = [one for one in doubtful if query.reason in (None, "", one.doubt)]
    kept = [] if query.reason else accepted
    if query.category:
        shown, kept = ([one for one in part if one.category == query.category] for part in (shown, kept))
    is_skipped = is_summary and not flag(query.include_merge_candidates)
    candidates = [] if is_skipped else [_candidate(one) for one in know.merge_candidates(limit=MAX_LIMIT)]
    likely = sum(one["auto_merge"] for one in candidates)
    part = slice(query.offset, query.offset + limit)
    names = ("accepted_sample", "rejected_sample") if is_summary else ("accepted", "rejected_entities")
    body = {
        "status": "success",
        "dry_run": True,
        names[0]: [_accepted(one) for one in kept[part]],
        names[1]: [_doubtful(one) for one in shown[part]],
        "merge_candidates": candidates,
        "counts": {
            "accepted_entities": len(kept),
            "rejected_entities": len(shown),
            "accepted_total_unfiltered": len(accepted),
            "rejected_total_unfiltered": len(doubtful),
            "merge_candidates": len(candidates),
            "auto_merge_candidates": likely,
            "review_merge_candidates": len(candidates) - likely,
        },
        "counts_by_reason": dict(sorted(Counter(one.doubt for one in doubtful).items(), key=str)),
        "counts_by_category": _by_category(accepted, doubtful),
        "limit": limit,
        "offset": query.offset,
        "summary": is_summary,
        "merge_candidates_skipped": is_skipped,
    }
    return Reply(body=body)


def merge(call: Call) -> Reply:
    """Make an entity an alias of another one."""
    if not call.body.merge_into.strip():
        raise InvalidInput("'merge_into' slug is required")
    know = call.jot.knowledge
    alias = know.entity(call.path["slug"])
    try:
        target = know.entity(call.body.merge_into)
    except NotFound as error:
        raise NotFound(f"Target entity {call.body.merge_into!r} not found") from error
    if (alias.category, alias.slug) == (target.category, target.slug):
        raise InvalidInput("Source and target entity must be different")
    # As they were named: a person becomes no tool, unless the caller names both with their categories.
    canonical = know.merge(call.path["slug"], into=call.body.merge_into)
    done = {"canonical": canonical, "alias": _id(alias), "alias_slug": alias.slug, "edges_moved": alias.memories}
    return Reply(body={"status": "success", "merge": done})


def _id(entity: NamedEntity | ReviewedEntity) -> str:
    return f"entity:{entity.category}:{entity.slug}"


def _entity(entity: NamedEntity) -> dict[str, Any]:
    """An entity with the fields of AutoMem's. `identity` is null in lists, and while the step `identity` is off."""
    text = entity.identity
    return {
        "id": _id(entity),
        "slug": entity.slug,
        "category": entity.category,
        "name": entity.name,
        "aliases": list(entity.aliases),
        "identity": text and text.body,
        "identity_version": 1 if text else 0,
        "identity_updated_at": text and format_time(text.changed_at),
        "identity_source_count": len(text.sources) if text else 0,
        "reference_count": entity.memories,
        "created_at": None if entity.first_at is None else format_time(entity.first_at),
        "last_referenced_at": None if entity.last_at is None else format_time(entity.last_at),
    }


def _candidate(found: MergeCandidate) -> dict[str, Any]:
    reason = f"slug_sim={found.likeness:.2f}, overlap={found.shared:.2f}"
    return {
        "entity_a": found.into,
        "entity_b": found.name,
        "canonical": found.into,
        "alias": found.name,
        "confidence": found.confidence,
        "reason": reason + (", ambiguous_generic_alias=true" if found.is_ambiguous else ""),
        "auto_merge": found.is_likely,
    }


def _accepted(entity: ReviewedEntity) -> dict[str, Any]:
    tag = _id(entity)
    return {
        "id": tag,
        "category": entity.category,
        "slug": entity.slug,
        "name": entity.name,
        "source_tags": [tag],
        "references": entity.memories,
    }


def _doubtful(entity: ReviewedEntity) -> dict[str, Any]:
    return {
        "tag": _id(entity),
        "memory_id": entity.latest,
        "category": entity.category,
        "slug": entity.slug,
        "reason": entity.doubt,
        "references": entity.memories,
    }


def _by_category(accepted: list[ReviewedEntity], doubtful: list[ReviewedEntity]) -> dict[str, dict[str, int]]:
    good, bad = (Counter(one.category for one in part) for part in (accepted, doubtful))
    return {name: {"accepted": good[name], "rejected": bad[name]} for name in sorted({*good, *bad})}


ROUTES = (
    Route(
        method="GET",
        path="/entities",
        handler=list_entities,
        scope="read",
        query=ListQuery,
        summary="Entities that most memories mention",
        errors="automem",
    ),
    Route(
        method="GET",
        path="/entities/audit",
        handler=audit_entities,
        scope="read",
        query=EntityAuditQuery,
        summary="Entities whose names may be none",
        errors="automem",
        admin_token=True,
    ),
    Route(
        method="GET",
        path="/entities/merge-candidates",
        handler=merge_candidates,
        scope="read",
        summary="Pairs of entities that may be the same",
        errors="automem",
    ),
    Route(
        method="GET",
        path="/entity/{slug}",
        handler=get_entity,
        scope="read",
        summary="One entity by its slug or an alias",
        errors="automem",
    ),
    Route(
        method="POST",
        path="/entity/{slug}/merge",
        handler=merge,
        scope="write",
        body=MergeBody,
        summary="Make an entity an alias of another one",
        errors="automem",
        admin_token=True,
    ),
)
