"""AutoMem's `/recall`. No value of a documented parameter is an error but a time or a mode that AutoMem refuses too.

What has no effect here is named in `ignored`. Scores are ours: sums of the parts in `score_components`, not 0 to 1.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from jotsam.core.clock import format_time, monotonic_ms, parse_time, system_clock
from jotsam.core.errors import InvalidInput
from jotsam.memory.automem.recall import (
    MAX_LIMIT,
    MAX_OFFSET,
    ORDERS,
    SCORE,
    TIME_DESC,
    RecallRequest,
    RecallResult,
    Result,
    is_time,
    search,
)
from jotsam.surfaces.http.automem.memory_shapes import memory, summary
from jotsam.surfaces.http.automem.query_values import flag, number
from jotsam.surfaces.http.requests.route import Call, Reply, Route

LIMIT, LINKS, EXPANDED, MAX_LINKS, MAX_EXPANDED = 5, 5, 25, 200, 500
MAX_TEXT = 8_000  # characters; of a longer memory the reply has an excerpt
LANGUAGES = {
    "py": "python",
    "ts": "typescript",
    "tsx": "typescript",
    "js": "javascript",
    "jsx": "javascript",
    "go": "go",
    "rs": "rust",
    "java": "java",
    "kt": "kotlin",
    "rb": "ruby",
    "php": "php",
    "cs": "csharp",
    "cpp": "cpp",
    "c": "c",
    "swift": "swift",
    "sql": "sql",
    "sh": "bash",
    "md": "markdown",
}


class RecallQuery(Struct):
    """The parameters of AutoMem, all as text: it reads them leniently. Unknown ones are ignored."""

    query: str = ""
    queries: list[str] = []
    limit: str | None = None
    offset: str | None = None
    per_query_limit: str | None = None
    sort: str | None = None
    order_by: str | None = None
    embedding: str | None = None
    time_query: str | None = None
    time: str | None = None
    start: str | None = None
    end: str | None = None
    tags: list[str] = []
    exclude_tags: list[str] = []
    tag_mode: str | None = None
    tag_match: str | None = None
    expand_relations: str | None = None
    expand_associations: str | None = None
    expand: str | None = None
    expand_entities: str | None = None
    entity_expansion: str | None = None
    expand_respect_tags: str | None = None
    expansion_limit: str | None = None
    relation_expansion_limit: str | None = None
    relation_limit: str | None = None
    expand_min_importance: str | None = None
    expand_min_strength: str | None = None
    auto_decompose: str | None = None
    current_only: str | None = None
    state_mode: str | None = None
    state_debug: str | None = None
    recency_bias: str | None = None
    scope_fallback: str | None = None
    min_score: str | None = None
    adaptive_floor: str | None = None
    context: str | None = None
    language: str | None = None
    lang: str | None = None
    active_path: str | None = None
    file_path: str | None = None
    focus_path: str | None = None
    context_tags: list[str] = []
    context_types: list[str] = []
    priority_ids: list[str] = []


def recall(call: Call) -> Reply:
    """The best results for one question or several."""
    began, query = monotonic_ms(), call.query
    asked, ignored = _options(query)
    wanted = _wanted(query, asked)
    found = search(call.jot, wanted)
    body = {**_reply(query, wanted, found), **({"ignored": ignored} if ignored else {})}
    waiting = found.coverage.pending + found.coverage.in_progress + found.coverage.failed
    headers = {"X-Pending-Ingests": str(waiting)}
    took_ms = monotonic_ms() - began
    call.server.events.recalled(call.principal.tenant, results=len(found.results), elapsed_ms=took_ms)
    return Reply(body={**body, "query_time_ms": took_ms}, headers=headers)


def _options(query: RecallQuery) -> tuple[dict[str, Any], list[str]]:
    """The options of our recall, and the parameters that have no effect."""
    options: dict[str, Any] = {"tags": _texts(query.tags), "without": _split(query.exclude_tags)}
    options["every_tag"] = query.tag_mode == "all"
    options["tag_prefix"] = query.tag_match != "exact"
    options["expand"] = [
        name
        for name, flags in (
            ("relations", (query.expand_relations, query.expand_associations, query.expand)),
            ("entities", (query.expand_entities, query.entity_expansion)),
        )
        if _first_flag(flags)
    ]
    options["expand_limit"] = _expand_limit(query)
    options |= {
        ours: share
        for ours, text in (
            ("min_weight", query.expand_min_strength),
            ("min_importance", query.expand_min_importance),
            ("min_score", query.min_score),
        )
        if (share := _share(text)) is not None
    }
    options["pinned"] = _split(query.priority_ids)
    options["history"] = _is_history(query)
    for ours, theirs in (("since", "start"), ("until", "end")):
        if text := getattr(query, theirs):
            options[ours] = parse_time(text, name=theirs) + (theirs == "end")  # Ours is not included, theirs is.
    ignored = [name for name in ("embedding", "adaptive_floor") if getattr(query, name) is not None]
    if when := query.time_query or query.time:
        if is_time(when, now=system_clock()):
            options["when"] = when
        else:
            ignored.append(f"time_query={when[:60]}")
    if flag(query.expand_respect_tags) is False and options["expand"] and options["tags"]:
        ignored.append("expand_respect_tags=false")
    if query.recency_bias == "off":
        ignored.append("recency_bias=off")
    return options, ignored


def _wanted(query: RecallQuery, options: dict[str, Any]) -> RecallRequest:
    texts = [text.strip() for text in query.queries if text.strip()]
    order = query.sort or query.order_by or SCORE
    has_period = any(name in options for name in ("when", "since", "until"))
    if order not in ORDERS:
        order = SCORE
    if order == SCORE and has_period and not query.query.strip() and not texts:
        order = TIME_DESC
    tags = [*_split(query.context_tags), *filter(None, (query.context, _language(query)))]
    limit = number(query.limit, LIMIT, 1, MAX_LIMIT)
    return RecallRequest(
        query="" if texts else query.query.strip(),
        queries=tuple(texts),
        decompose=bool(flag(query.auto_decompose)),
        limit=limit,
        per_query=number(query.per_query_limit, limit, 1, MAX_LIMIT),
        offset=number(query.offset, 0, 0, MAX_OFFSET),
        order=order,
        newest=query.recency_bias == "on",
        outside=bool(flag(query.scope_fallback)),
        prefer_tags=tuple(tags),
        prefer_types=tuple(_split(query.context_types)),
        links=number(query.relation_limit, LINKS, 1, MAX_LINKS),
        explain=bool(flag(query.state_debug)),
        options=options,
    )


def _reply(query: RecallQuery, wanted: RecallRequest, found: RecallResult) -> dict[str, Any]:
    options, coverage = wanted.options, found.coverage
    is_history, results = options["history"], [_result(one) for one in found.results]
    oldest_ms = coverage.oldest_pending_ms
    body: dict[str, Any] = {
        "status": "success",
        "query": query.query.strip(),
        "results": results,
        "count": len(results),
        "dedup_removed": found.duplicates,
        "sort": wanted.order,
        "state_mode": "history" if is_history else "current",
        "vector_search": {
            "enabled": coverage.embedded > 0 or coverage.unembedded > 0,
            "matched": found.is_by_vectors,
            "pending": coverage.pending + coverage.in_progress + coverage.failed,
            "failed": coverage.failed,
            "dead": coverage.dead,
            "without_vector": coverage.unembedded,
            "oldest_pending_age_s": None if oldest_ms is None else oldest_ms // 1_000,
            "unavailable": list(coverage.unavailable),
        },
        "tag_mode": "all" if options["every_tag"] else "any",
        "tag_match": "prefix" if options["tag_prefix"] else "exact",
    }
    if len(found.queries) > 1 or wanted.queries:
        body["queries"] = list(found.queries)
    elif wanted.query:
        body["keywords"] = list(found.words)
    if any(time is not None for time in found.period):
        start, end = (None if time is None else format_time(time) for time in found.period)
        body["time_window"] = {"start": start, "end": end}
    if not is_history:
        body["state_filter"] = _state_filter(wanted, found)
    if wanted.newest and wanted.order == SCORE:
        body["recency_bias"] = "on"
    return body | _scope(query, wanted, found) | _expansion(wanted, found)


def _scope(query: RecallQuery, wanted: RecallRequest, found: RecallResult) -> dict[str, Any]:
    """What filters and preferences did."""
    options, body = wanted.options, dict[str, Any]()
    if options["tags"]:
        body["tags"] = options["tags"]
        hint = found.coverage.total if found.queries[0] else None
        body["tag_scope"] = {"filtered": True, "pool_size_hint": hint, "gated_low_evidence": 0}
    if any(one.is_outside for one in found.results):
        body["scope_fallback"] = True
    if options["without"]:
        body["exclude_tags"] = options["without"]
    if "min_score" in options:
        body["score_filter"] = {"min_score": options["min_score"], "adaptive_floor": False, "filtered_count": None}
    if wanted.prefer_tags or wanted.prefer_types:
        body["context_priority"] = {
            "language": _language(query),
            "context": query.context,
            "priority_tags": sorted(wanted.prefer_tags)[:10],
            "priority_types": sorted(wanted.prefer_types),
            "matched": found.is_preferred,
            "injected": False,
        }
    return body


def _expansion(wanted: RecallRequest, found: RecallResult) -> dict[str, Any]:
    options, body = wanted.options, dict[str, Any]()
    expanded = [one for one in found.results if _match_type(one) == "relation"]
    if "relations" in options["expand"]:
        body["expansion"] = {
            "enabled": True,
            "seed_count": len(found.results) - len(expanded),
            "expanded_count": len(expanded),
            "relation_limit": wanted.links,
            "expansion_limit": options["expand_limit"],
            "respect_tags": True,
        }
    if "entities" in options["expand"]:
        names = {tag.split(":")[2] for one in found.results for tag in one.hit.tags if tag.count(":") == 2}
        body["entity_expansion"] = {
            "enabled": True,
            "expanded_count": len(expanded),
            "entities_found": sorted(names)[:10],
        }
    return body


def _state_filter(wanted: RecallRequest, found: RecallResult) -> dict[str, Any]:
    """How many results replace others; what is hidden in detail if it is asked for."""
    replacing = [(one.id, old) for one in found.results for old in one.hit.replaces]
    hidden = len(found.hidden) if wanted.explain else len(replacing)
    body: dict[str, Any] = {
        "current_only": True,
        "suppressed_count": hidden,
        "replacement_count": len({new for new, _ in replacing}),
    }
    if wanted.explain:
        body["suppressed"] = [
            {"id": one.id, "reason": one.reason, **({"replacement_id": one.replaced_by} if one.replaced_by else {})}
            for one in found.hidden
        ]
        body["replacements"] = [{"id": new, "replaces_id": old} for new, old in replacing]
    return body


def _result(one: Result) -> dict[str, Any]:
    hit, kind = one.hit, _match_type(one)
    if one.memory is None:
        shown: dict[str, Any] = {"id": one.id, "content": hit.text, "tags": list(hit.tags), "type": hit.type}
        shown |= {"importance": None, "metadata": {}, "timestamp": None if hit.date is None else format_time(hit.date)}
    else:
        shown = memory(one.memory)
    if len(shown["content"]) > MAX_TEXT:
        shown |= {"content": hit.text, "content_truncated": True}
    body: dict[str, Any] = {
        "id": one.id,
        "match_type": kind,
        "match_score": round(hit.score, 4),
        "final_score": round(one.score, 4),
        "score": round(one.score, 4),
        "score_components": {name: round(value, 4) for name, value in one.scores.items()},
        "source": "graph" if kind == "relation" else "jotsam",
        "relations": [
            {
                "type": near.type,
                "strength": near.weight,
                "direction": "outgoing" if near.outgoing else "incoming",
                "memory": summary(end, near.summary),
                **(near.properties or {}),
            }
            for near, end in one.links
        ],
        "memory": shown,
    }
    if kind == "relation":
        body["relation_score"] = round(one.score, 4)
    if hit.replaces:
        body["state_replaces"] = hit.replaces[0]
    if hit.conflicts:
        body["conflicts_with"] = list(hit.conflicts)
    if one.is_outside:
        body["outside_tag_scope"] = True
    return body


def _match_type(one: Result) -> str:
    """The retriever that contributed most, as AutoMem names them."""
    if one.hit.path:
        return "relation"
    best = max(one.hit.scores, key=lambda name: one.hit.scores[name], default="text")
    return {"vectors": "vector", "text": "keyword", "phrase": "keyword", "newest": "trending"}.get(best, best)


def _is_history(query: RecallQuery) -> bool:
    if query.state_mode and query.state_mode.strip().lower() not in ("current", "history"):
        raise InvalidInput(f"'state_mode' must be 'current' or 'history', not {query.state_mode[:60]!r}")
    if query.current_only is not None:
        return flag(query.current_only) is False
    return (query.state_mode or "").strip().lower() == "history"


def _expand_limit(query: RecallQuery) -> int:
    return number(query.expansion_limit or query.relation_expansion_limit, EXPANDED, 1, MAX_EXPANDED)


def _language(query: RecallQuery) -> str | None:
    """The language that is named, or that of the file."""
    path = query.active_path or query.file_path or query.focus_path or ""
    named = query.language or query.lang
    return named.strip().lower() if named else LANGUAGES.get(path.rpartition(".")[2].lower())


def _first_flag(texts: tuple[str | None, ...]) -> bool:
    """The first that is given counts."""
    return bool(flag(next((text for text in texts if text), None)))


def _share(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return None if value != value else min(max(value, 0.0), 1.0)


def _texts(values: list[str]) -> list[str]:
    return [value.strip() for value in values if value.strip()]


def _split(values: list[str]) -> list[str]:
    return _texts([part for value in values for part in value.split(",")])


ROUTES = (
    Route(
        method="GET",
        path="/recall",
        handler=recall,
        scope="read",
        query=RecallQuery,
        summary="Search memory, as AutoMem's clients ask",
        errors="automem",
    ),
)
