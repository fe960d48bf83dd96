"""The tools of the profile `automem`: each takes checked arguments, and returns a text and the structured content."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.fence import NOTE, as_reference, escape_marks, fenced, origin
from jotsam.memory.automem.fields import STORED, SUPERSEDED_STRENGTH, association, renamed
from jotsam.memory.automem.memories import with_tags
from jotsam.memory.automem.recall import SCORE, RecallRequest, search
from jotsam.memory.writing import associate
from jotsam.memory.writing.remember_once import remember_once
from jotsam.surfaces.mcp import own_project
from jotsam.surfaces.mcp.calls import plural, status_counts, status_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from jotsam.core.answers import Hit
    from jotsam.core.records import StoredMemory
    from jotsam.memory.api.client import Jotsam

    Arguments = dict[str, Any]
    Reply = tuple[str, dict[str, Any]]

LIMIT = 5
TOKENS = 6_000  # of one search

# Names of arguments with the names of our options.
NEW = {**STORED, "timestamp": "said_at", "id": "external_id"}
CHANGED = {**STORED, "content": "text", "metadata": "add_metadata"}
SEARCHED = {"tags": "tags", "exclude_tags": "without", "time_query": "when", "start": "since", "end": "until"}
SEARCHED |= {"expansion_limit": "expand_limit", "expand_min_importance": "min_importance", "min_score": "min_score"}
SEARCHED |= {"expand_min_strength": "min_weight", "priority_ids": "pinned"}


def store_memory(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """Store one memory, with or without superseding another one, or many."""
    if ("content" in arguments) == ("memories" in arguments):
        raise InvalidInput("invalid arguments: give either content or memories")
    if "memories" in arguments:
        return _store_many(jot, arguments["memories"], source)
    text = arguments["content"]
    if not text.strip():
        raise InvalidInput("invalid content '': must be a statement to store")
    old = arguments.get("supersedes_memory_id")
    old = None if old is None else jot.get(old).id
    options = renamed(arguments, NEW)
    mark = [options.get(name) for name in ("tags", "type", "said_at", "metadata", "external_id")]
    receipt = remember_once(jot.database, jot.settings, text, more=[*mark, old], source=source, **options)
    if receipt.forgotten:
        raise InvalidInput("\n".join(receipt.warnings))
    found: dict[str, Any] = {"memory_id": receipt.id}
    if old is not None and old != receipt.id:
        if reason := arguments.get("supersede_reason"):
            jot.update(old, add_metadata={"supersede_reason": reason})
        pair = {"memory1_id": old, "memory2_id": receipt.id, "strength": SUPERSEDED_STRENGTH, "reason": reason}
        pair["type"] = arguments.get("supersede_relation", "INVALIDATED_BY")
        associate.associate(jot.database, tenant=jot.settings.tenant, **association(pair))
        found |= {"superseded_memory_id": old, "association_created": True}
    message = "known already" if receipt.duplicate else "stored, and found from now on"
    message = "; ".join([message, *receipt.warnings])
    return f"{message}: {receipt.id}", {**found, "message": message}


def _store_many(jot: Jotsam, items: list[Any], source: str) -> Reply:
    wanted: list[Any] = [{**renamed(item, NEW), "text": item.get("content"), "source": source} for item in items]
    results = jot.remember_many(wanted)
    ids = [result.receipt.id for result in results if result.receipt]
    failed = [f"item {result.index}: {result.error}" for result in results if result.error]
    if failed and not ids:
        raise InvalidInput("\n".join(failed))
    message = "\n".join([f"stored {plural(len(ids), 'memory', 'memories')}", *failed])
    return f"{message}\n{', '.join(ids)}", {"stored": len(ids), "memory_ids": ids, "message": message}


def recall_memory(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """Get one memory, list those of tags, or search."""
    if "memory_id" in arguments:
        return _fetch(jot, arguments["memory_id"])
    if arguments.get("exhaustive"):
        return _enumerate(jot, arguments)
    return _search(jot, arguments)


def _fetch(jot: Jotsam, id: str) -> Reply:
    try:
        memory = jot.get(id)
        if not own_project.is_readable(jot)(memory):
            raise NotFound(id)
    except NotFound:
        return "no memories found", {"count": 0, "mode": "id_fetch", "results": []}
    return _listed(jot, [memory]), {
        "count": 1,
        "mode": "id_fetch",
        "note": NOTE,
        "results": as_reference([_memory(memory)]),
    }


def _enumerate(jot: Jotsam, arguments: Arguments) -> Reply:
    """A page of the memories with one of the tags."""
    if not arguments.get("tags"):
        raise InvalidInput("missing argument tags: exhaustive lists the memories with one of these tags")
    if arguments.get("tag_mode") == "all" or arguments.get("tag_match") == "prefix":
        raise InvalidInput("exhaustive matches any tag exactly: leave out tag_mode and tag_match")
    limit, offset = arguments.get("limit", LIMIT), arguments.get("offset", 0)
    shown, has_more = with_tags(
        jot, arguments["tags"], limit=limit, offset=offset, history=False, project=own_project.chosen(jot)
    )
    page_of = {"mode": "enumeration", "has_more": has_more, "limit": limit, "offset": offset}
    text = _listed(jot, shown) + ("\nmore pages follow: raise offset" if has_more else "")
    results = as_reference([_memory(one) for one in shown])
    return text, {"count": len(shown), **page_of, "note": NOTE, "results": results}


def _search(jot: Jotsam, arguments: Arguments) -> Reply:
    """The best results of all queries, each once, and what the last answer covers."""
    limit = arguments.get("limit", LIMIT)
    options = renamed(arguments, SEARCHED)
    options["project"] = own_project.chosen(jot)
    options["expand"] = [name for name in ("entities", "relations") if arguments.get(f"expand_{name}")]
    options["every_tag"] = arguments.get("tag_mode") == "all"
    options["tag_prefix"] = arguments.get("tag_match") == "prefix"
    options["history"] = arguments.get("state_mode") == "history" or arguments.get("current_only") is False
    preferred = [arguments[name] for name in ("context", "language") if arguments.get(name)]
    wanted = RecallRequest(
        query=arguments.get("query", ""),
        queries=tuple(arguments.get("queries", ())),
        decompose=arguments.get("auto_decompose", False),
        limit=limit,
        per_query=arguments.get("per_query_limit", limit),
        offset=arguments.get("offset", 0),
        order=arguments.get("sort", SCORE),
        newest=arguments.get("recency_bias") == "on",
        outside=arguments.get("scope_fallback", False),
        prefer_tags=(*arguments.get("context_tags", ()), *preferred),
        prefer_types=tuple(arguments.get("context_types", ())),
        options=options,
        tokens=TOKENS,
        hit_tokens=None,
    )
    found = search(jot, wanted)
    hits = [one.hit.replace(score=one.score) for one in found.results]
    results = as_reference([_hit(hit) for hit in hits])
    structured = {"coverage": found.footer, "note": NOTE, "count": len(hits), "mode": "ranked", "results": results}
    return "\n".join([found.footer, *([fenced(_lines(hits, jot.settings.project))] if hits else [])]), structured


def _hit(hit: Hit) -> dict[str, Any]:
    id = hit.facts[0].memory if hit.kind == "fact" else hit.id
    found: dict[str, Any] = {"memory_id": id, "content": hit.text, "tags": list(hit.tags)}
    if not hit.whole:
        found["content_truncated"] = True
    if hit.type:
        found["type"] = hit.type
    if hit.date is not None:
        found["created_at"] = format_time(hit.date)
    if hit.superseded_by:
        found["superseded_by"] = hit.superseded_by
    return {**found, "final_score": round(hit.score, 3)}


def _lines(hits: Iterable[Hit], home: str) -> Iterable[str]:
    for number, hit in enumerate(hits, 1):
        found = _hit(hit)
        state = f" superseded by {hit.superseded_by}" if hit.superseded_by else ""
        yield f"{number}. {_shown(hit, found['memory_id'], home)}  {found.get('created_at', '')}{state}"


def _memory(memory: StoredMemory) -> dict[str, Any]:
    found: dict[str, Any] = {"memory_id": memory.id, "content": memory.text, "tags": list(memory.tags)}
    for name in ("type", "importance", "confidence", "metadata", "superseded_by"):
        if (value := getattr(memory, name)) is not None:
            found[name] = value
    for ours, theirs in (("said_at", "created_at"), ("valid_from", "t_valid"), ("valid_until", "t_invalid")):
        if (at := getattr(memory, ours)) is not None:
            found[theirs] = format_time(at)
    return found


def _listed(jot: Jotsam, memories: list[StoredMemory]) -> str:
    home = jot.settings.project
    return fenced(_shown(one, one.id, home) for one in memories) if memories else "no memories found"


def _shown(one: Hit | StoredMemory, id: str, home: str) -> str:
    """A text, and below it its id and where it is from."""
    found = origin(source=one.source, actor=one.actor, project=one.project, home=home)
    return f"{escape_marks(one.text)}\n   ID: {id}  {' | '.join(filter(None, found))}"


def associate_memories(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """Link one pair of memories, or many. INVALIDATED_BY and EVOLVED_INTO hide the first from recall."""
    if "associations" not in arguments:
        for name in ("memory1_id", "memory2_id", "type"):
            if name not in arguments:
                raise InvalidInput(f"missing argument {name}: give both ids and a type, or associations")
        done = associate.associate(jot.database, tenant=jot.settings.tenant, **association(arguments))
        message = f"{done.link.source} {done.link.type} {done.link.target}"
        hidden = f"; {done.link.source} is hidden from recall" if done.supersedes else ""
        return f"linked: {message}{hidden}", {"success": True, "message": message}
    pairs = arguments["associations"]
    items = [association(pair) for pair in pairs]
    results = associate.associate_many(jot.database, items, tenant=jot.settings.tenant)
    failed = [{"index": one.index, "reason": str(one.error)} for one in results if one.error]
    made = [{**pairs[one.index], "index": one.index} for one in results if not one.error]
    message = f"linked {plural(len(made), 'pair')}" + (f", {len(failed):,} failed" if failed else "")
    lines = [message, *(f"item {one['index']}: {one['reason']}" for one in failed)]
    counts = {"created_count": len(made), "failed_count": len(failed)}
    structured = {"success": not failed, "message": message, **counts, "succeeded": made, "failed": failed}
    return "\n".join(lines), structured


def update_memory(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """Change fields of a memory."""
    changes = renamed(arguments, CHANGED)
    if not changes:
        raise InvalidInput(f"nothing to change: give some of {', '.join(CHANGED)}")
    receipt = jot.update(arguments["memory_id"], **changes)
    message = "; ".join([f"updated to version {receipt.version}", *receipt.warnings])
    return f"{receipt.id}: {message}", {"memory_id": receipt.id, "message": message}


def delete_memory(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """Delete one memory, or those of tags if the caller knows how many they are."""
    if ("memory_id" in arguments) == ("tags" in arguments):
        raise InvalidInput("invalid arguments: give either memory_id or tags")
    if "memory_id" in arguments:
        memory = jot.get(arguments["memory_id"])  # Never a document with all its chunks.
        jot.forget(jot.plan_forget(ids=[memory.id]))
        return f"deleted {memory.id}", {"memory_id": memory.id, "message": "deleted"}
    tags = arguments["tags"]
    plan = jot.plan_forget(tags=tags)
    count, confirmed = len(plan.memories) + len(plan.documents) + plan.chunks, arguments.get("confirm")
    if not count:
        return "no memory has one of these tags", {"deleted_count": 0, "tags": tags, "message": "nothing matches"}
    if confirmed != count:
        what = plural(count, "memory", "memories")
        message = f"nothing was deleted: {what} would be. To delete, call again with confirm: {count}"
        return message, {"deleted_count": 0, "tags": tags, "message": message}
    receipt = jot.forget(plan)
    done = receipt.memories + receipt.documents
    return f"deleted {plural(done, 'memory', 'memories')}", {"deleted_count": done, "tags": tags, "message": "deleted"}


def check_database_health(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """The status, in the words of that client."""
    now = jot.status()
    is_healthy = now.level == "ok"
    counts = status_counts(now)
    health = {"status": "healthy" if is_healthy else "degraded", "backend": "jotsam"}
    text = status_text(now)
    statistics = {"memory_count": now.memories, "summary": text, **counts}
    return f"{health['status']}\n{text}", {**health, "statistics": statistics}


CALLS: dict[str, Callable[[Jotsam, Arguments, str], Reply]] = {
    "store_memory": store_memory,
    "recall_memory": recall_memory,
    "associate_memories": associate_memories,
    "update_memory": update_memory,
    "delete_memory": delete_memory,
    "check_database_health": check_database_health,
}
