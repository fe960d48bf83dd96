"""The five tools: each takes checked arguments, and returns a short text and the structured content.

Some clients show the model the text, others the structured content alone. So each has everything by itself: ids, that
stored texts are reference, and what an answer does not cover yet.
"""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.fence import DIRECT, NOTE, as_reference, escape_marks, fenced, part
from jotsam.memory.reading.show import Details
from jotsam.memory.sessions import project_session, session_context
from jotsam.memory.writing.remember_once import remember_once
from jotsam.surfaces.mcp import own_project
from jotsam.surfaces.mcp.tools import DEFAULT_TOKENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jotsam.core.answers import Answer, Hit
    from jotsam.memory.api.client import Jotsam
    from jotsam.memory.forgetting.forget_records import ForgetPlan, ForgetSample
    from jotsam.memory.status.status import Status

    Arguments = dict[str, Any]
    Reply = tuple[str, dict[str, Any]]

CONCISE_TOKENS = 60  # of one hit
CHARACTERS_PER_TOKEN = 4
SHORT_ID = 8
MAX_FIELD = 400  # characters of a field that is printed above a text
BRIEF_TOKENS = 600


def remember(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """Store one memory; with `replaces`, supersede another one by it."""
    replaced = arguments.pop("replaces", None)
    if replaced is not None:
        replaced = jot.get(replaced).id  # An unknown id is an error before anything is stored.
    text = arguments.pop("text")
    if not text.strip():
        raise InvalidInput("invalid text '': must be a statement to remember")
    receipt = remember_once(jot.database, jot.settings, text, more=replaced, source=source, **arguments)
    if receipt.forgotten:
        raise InvalidInput("\n".join(receipt.warnings))
    if replaced is not None and replaced != receipt.id:
        jot.supersede(replaced, receipt.id)
    done = "known already" if receipt.duplicate else "remembered, and found from now on"
    lines = [f"{done}: {receipt.id}"]
    lines += [f"it replaces {replaced}"] if replaced else []
    lines += [f"warning: {one}" for one in receipt.warnings]
    warnings = {"warnings": list(receipt.warnings)} if receipt.warnings else {}
    return "\n".join(lines), {"id": receipt.id, "duplicate": receipt.duplicate, **warnings}


def recall(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """Search memory. The concise form has a short excerpt of more hits."""
    concise = arguments.pop("detail", "concise") == "concise"
    query, tokens = arguments.pop("query", ""), arguments.pop("max_tokens", DEFAULT_TOKENS)
    arguments["project"] = own_project.chosen(jot, arguments.get("project"))
    answer = jot.recall(query, tokens=tokens, hit_tokens=CONCISE_TOKENS if concise else None, **arguments)
    coverage = coverage_of(answer)
    structured: dict[str, Any] = {"coverage": coverage}
    if answer.hits:
        structured["note"] = NOTE
    structured["hits"] = as_reference([_hit(hit) for hit in answer.hits])
    return answer.text, structured


def coverage_of(answer: Answer) -> str:
    """The last line of an answer."""
    return answer.text.rsplit("\n", 1)[-1]


def _hit(hit: Hit) -> dict[str, Any]:
    """A hit with the fields that it has. A fact that is shown alone has the id of its memory."""
    id = hit.facts[0].memory if hit.kind == "fact" else hit.id
    found: dict[str, Any] = {"id": id, "text": hit.text}
    for name in (
        "source",
        "section",
        "actor",
        "type",
        "project",
        "superseded_by",
        "archived_by",
        "newer_text",
        "summary_of",
    ):
        if value := getattr(hit, name):
            found[name] = value
    for name in ("date", "valid_from", "valid_until", "superseded_at", "archived_at"):
        if (at := getattr(hit, name)) is not None:
            found[name] = format_time(at)[:10]
    for name in ("replaces", "conflicts"):
        if ids := getattr(hit, name):
            found[name] = list(ids)
    if hit.reason is not None:
        found["reason"] = hit.reason
    return found


def get_memory(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """Whole memories and documents, within a budget for their texts together."""
    left = arguments.get("max_tokens", DEFAULT_TOKENS) * CHARACTERS_PER_TOKEN
    found: list[dict[str, Any]] = []
    missing: list[str] = []
    is_readable = own_project.is_readable(jot)
    for id in dict.fromkeys(arguments["ids"]):
        try:
            details = jot.show(id)
        except NotFound:
            missing.append(id)
            continue
        fields = stored(details, characters=left)
        if fields is None or not is_readable(details.memory or details.document):
            missing.append(id)
            continue
        left = max(0, left - len(fields["text"]))
        found.append(fields)
    if not found:
        raise NotFound(f"there is no memory {', '.join(missing)}: recall returns ids")
    lines = [fenced(["\n\n".join(f"{_heading(one)}\n{escape_marks(one['text'])}" for one in found)])]
    lines += [f"there is no memory {', '.join(missing)}"] if missing else []
    absent = {"missing": missing} if missing else {}
    return "\n".join(lines), {"note": NOTE, "memories": as_reference(found), **absent}


def stored(details: Details, *, characters: int) -> dict[str, Any] | None:
    """The fields of a memory or document, its text cut to this number of characters; None for a job."""
    item = details.memory or details.document
    if item is None or details.kind == "job":
        return None
    text = item.text
    found: dict[str, Any] = {"id": item.id, "kind": details.kind, "text": text[:characters]}
    if len(text) > characters:
        found["cut"] = f"{len(text) - characters:,} of {len(text):,} characters are not shown: raise max_tokens"
    names = ("source", "project", "session", "actor", "type", "importance", "confidence", "metadata", "external_id")
    for name in (*names, "superseded_by", "archived_by"):
        if (value := getattr(item, name, None)) is not None:
            found[name] = value
    for name in ("date", "said_at", "created_at", "valid_from", "valid_until", "superseded_at", "archived_at"):
        if (at := getattr(item, name, None)) is not None:
            found[name] = format_time(at)
    if size := getattr(item, "summary_of", 0):
        found["summary_of"] = size
    if tags := getattr(item, "tags", ()):
        found["tags"] = list(tags)
    if not details.done:
        found["pending"] = True
    return found


def _heading(fields: dict[str, Any]) -> str:
    """The fields of a memory but its text, in one line."""
    known = {name: value for name, value in fields.items() if name not in ("id", "kind", "text", "metadata")}
    known = {"source": DIRECT, **known} if "source" not in known and "actor" not in known else known
    parts = [part(f"{name}: {value}", MAX_FIELD) for name, value in known.items()]
    return " | ".join([f"[{fields['kind']} {fields['id']}]", *parts])


def forget(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """Show what would be deleted, or delete it if the caller knows how much it is."""
    own_project.check_readable(jot, arguments["ids"])
    plan = jot.plan_forget(ids=arguments["ids"])
    count = len(plan.memories) + len(plan.documents) + plan.chunks
    confirmed = arguments.get("confirm")
    if not count:
        raise NotFound(f"nothing to forget: {', '.join(arguments['ids'])} is being split just now; try again later")
    if confirmed == count:
        receipt = jot.forget(plan)
        done = receipt.memories + receipt.documents
        back = f"; valid again: {', '.join(receipt.revived)}" if receipt.revived else ""
        return f"forgot {_amount(plan)} for good{back}", {"forgotten": True, "count": done}
    if confirmed is not None:
        raise InvalidInput(f"nothing was deleted: confirm is {confirmed}, and the count of the plan is {count}")
    samples = as_reference([{"id": one.id, "kind": one.kind, "text": one.text} for one in plan.samples])
    lines = [f"would forget {_amount(plan)}. Nothing was deleted yet."]
    lines += [fenced(map(_sample, plan.samples))]
    lines += [f"To delete, call forget again with the same ids and confirm: {count}"]
    return "\n".join(lines), {"forgotten": False, "count": count, "note": NOTE, "plan": samples}


def _sample(one: ForgetSample) -> str:
    """One of the memories that a plan removes, in one line."""
    return f"{one.id[:SHORT_ID]} {one.kind} | {part(one.source or DIRECT)}: {escape_marks(' '.join(one.text.split()))}"


def _amount(plan: ForgetPlan) -> str:
    """What a plan removes, in words."""
    parts = [plural(len(plan.memories), "memory", "memories")] if plan.memories else []
    if plan.documents:
        parts.append(f"{plural(len(plan.documents), 'document')} with {plural(plan.chunks, 'chunk')}")
    return " and ".join(parts)


def memory_status(jot: Jotsam, arguments: Arguments, source: str) -> Reply:
    """Counts of the tenant, in one sentence and as numbers."""
    now = jot.status()
    text = status_text(now)
    return text, {"text": text, "level": now.level, "counts": status_counts(now)}


def status_text(now: Status) -> str:
    """The status in a few lines, without instructions: a model would repeat them to its user."""
    depth = now.depth
    lines = [
        f"{plural(now.memories, 'memory', 'memories')} of {plural(now.documents, 'document')} and others,"
        f" {now.enriched - now.degraded:,} enriched; {plural(now.facts, 'fact')}",
        f"queue: {depth.pending:,} pending, {depth.in_progress:,} in progress, {depth.failed:,} failed,"
        f" {depth.dead:,} dead, {now.done:,} done; worker: {now.worker}",
    ]
    lines += [f"{one.level}: {' '.join(one.text.split())[:300]}" for one in now.findings]
    return "\n".join(lines)


def status_counts(now: Status) -> dict[str, int]:
    """The status in numbers."""
    names = ("memories", "documents", "entities", "facts", "enriched", "degraded", "done", "spooled", "discarded")
    counts = {name: getattr(now, name) for name in names}
    return counts | {name: getattr(now.depth, name) for name in ("pending", "in_progress", "failed", "dead")}


def brief(jot: Jotsam, project: str | None = None) -> str:
    """What is known about a project, by default the current one, as a session gets it at its start, but longer."""
    note = project_session.begin(jot.database, jot.settings) if project is None else ""
    found = jot.brief(project=own_project.chosen(jot, project), tokens=BRIEF_TOKENS)
    waiting = found.pending + found.in_progress + found.failed
    return session_context.with_note(found.text, note) or (
        f"not known yet: {waiting:,} pending" if waiting else "nothing is known about this project"
    )


def plural(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


CALLS: dict[str, Callable[[Jotsam, Arguments, str], Reply]] = {
    "remember": remember,
    "recall": recall,
    "get_memory": get_memory,
    "forget": forget,
    "memory_status": memory_status,
}
