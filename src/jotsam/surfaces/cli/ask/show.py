"""`jotsam show`: print a document, memory or job with its jobs, attempts, extraction results and cost."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Iterator

from jotsam.core.clock import format_time
from jotsam.core.names import FOUND_LINK_TYPES
from jotsam.core.records import Document, Entity, Fact, Memory, MemoryVersion, StoredMemory
from jotsam.memory.api.client import Jotsam
from jotsam.memory.reading.show import Details
from jotsam.surfaces.cli.ask.results import location
from jotsam.surfaces.cli.operate.jobs import failures_of
from jotsam.surfaces.cli.output import Fence, echo, fields_of, paint, plural, print_json, print_table

MEMORY_FIELDS = (
    *("section", "document", "type", "external_id", "importance", "confidence", "summary", "extractor", "degraded"),
    "superseded_by",
)


def show_anything(arguments: argparse.Namespace) -> None:
    """`jotsam show`: in detail, or its links."""
    if (arguments.id is None) == (arguments.key is None):
        arguments.usage_error("give either ID or --key KEY")
    if arguments.key is not None:
        with Jotsam(settings=arguments.settings) as jot:
            arguments.id = jot.get(key=arguments.key, actor=arguments.actor).id
    if arguments.links or arguments.dot or arguments.svg:
        from jotsam.surfaces.cli.ask.graph import graph

        graph(arguments)
    else:
        show(arguments)


def show(arguments: argparse.Namespace) -> None:
    with Jotsam(settings=arguments.settings) as jot:
        details = jot.show(arguments.id, actor=getattr(arguments, "actor", None))
        versions = jot.versions(details.id) if getattr(arguments, "history", False) and details.memory else ()
    if arguments.json:
        print_json(**fields_of(details), versions=versions)
        return
    echo(f"{paint(details.kind, 'bold')} {details.id}  {_state(details)}")
    with Fence():
        for name, value in _properties(details):
            echo(f"  {name:12} {value}")
        _print_jobs(details)
        _print_command_output(details)
        for item in (details.document, details.memory):
            if item:
                echo("\n" + item.text)
        for version in reversed(versions):
            echo(f"\nversion {version.version}, until {format_time(version.until)}")
            for name, value in _version_properties(version):
                echo(f"  {name:12} {value}")
            echo("\n" + version.text)


def _state(details: Details) -> str:
    dead = sum(job.state == "dead" for job in details.jobs)
    if dead:
        return paint(plural(dead, "dead job"), "red")
    if details.discarded:
        return paint("discarded", "yellow") + ": its job was discarded; `jotsam models reprocess` queues it again"
    return paint("done", "green") if details.done else f"{plural(len(details.jobs), 'job')} not done yet"


def _properties(details: Details) -> Iterator[tuple[str, object]]:
    """Names and values of everything that is set."""
    item = details.memory or details.document
    if item is not None:
        yield from _origin(item, details.lines)
    if details.memory:
        yield from _memory_properties(details.memory)
    if details.arguments:
        yield "command", "jotsam " + shlex.join(details.arguments)
    if details.result:
        yield "exit code", details.result.code
    if details.entities:
        yield "entities", ", ".join(map(_entity, details.entities))
    for fact in details.facts:
        about = ", ".join(
            (f"{fact.confidence:.2f}", *_validity(fact), *(("free",) if fact.free else ()), fact.extractor)
        )
        yield "fact", f"{fact.subject} · {fact.predicate} · {fact.object}  ({about})"
    for text in details.rejected:
        yield "rejected", text
    for link in details.links:
        by = f", {link.extractor}" if link.extractor else ""
        if link.type in FOUND_LINK_TYPES:
            by = f", {(link.properties or {}).get('kind', '')}, found by Jotsam"
        yield "link", f"{link.type} {link.target}  ({link.weight:.2f}{by})"
    for pattern in details.patterns:
        terms = f" ({', '.join(pattern.terms)})" if pattern.terms else ""
        yield "pattern", f"{pattern.type}: {pattern.slug}{terms}, seen {pattern.occurrences:,} times"
    if details.recalled_at is not None:
        yield "recalled", f"{plural(details.recalls, 'time')}, last {format_time(details.recalled_at)}"
    if details.relevance is not None:
        yield "relevance", f"{details.relevance:.2f}" + (details.relevance_from and f"  ({details.relevance_from})")
    for period in details.periods:
        yield "period", _days(period.first, period.until)
    if details.usage:
        yield "model use", _model_use(details)
    if details.merged:
        yield "merged", ", ".join(id[:8] for id in details.merged)
    for one in details.redactions:
        yield "redacted", f"{one.kind} in {one.place}" + (f"  ({one.fingerprint[:12]})" if one.fingerprint else "")
    if details.memories:
        yield "memories", ", ".join(id[:8] for id in details.memories)


def _validity(fact: Fact) -> Iterator[str]:
    if fact.valid_from is not None:
        yield f"from {format_time(fact.valid_from)[:10]}"
    if fact.valid_until is not None:
        yield f"until {format_time(fact.valid_until)[:10]}"
    if fact.superseded_at is not None:
        yield f"superseded {format_time(fact.superseded_at)[:10]}"


def _days(begin: int, until: int) -> str:
    first, last = format_time(begin)[:10], format_time(until - 1)[:10]
    return first if first == last else f"{first} to {last}"


def _model_use(details: Details) -> str:
    """Calls, tokens and cost by model."""
    parts = []
    for model in dict.fromkeys(one.model for one in details.usage):
        calls = [one for one in details.usage if one.model == model]
        tokens, cost = sum(one.tokens_in + one.tokens_out for one in calls), sum(one.cost for one in calls)
        part = f"{model}: {plural(len(calls), 'call')}, {tokens:,} tokens" + (f", cost {cost:.4f}" if cost else "")
        estimated = sum(one.state == "open" for one in calls)
        parts.append(part + (f" ({estimated} estimated: response incomplete)" if estimated else ""))
    return "; ".join(parts)


def _entity(entity: Entity) -> str:
    confidence = "" if entity.confidence is None else f", {entity.confidence:.2f}"
    by = "" if entity.extractor is None else f", {entity.extractor}"
    return f"{entity.name} ({entity.category}{confidence}{by})"


def _origin(item: Document | Memory, lines: tuple[int, int] | None) -> Iterable[tuple[str, object]]:
    source = location(item.source, lines)
    texts = {"project": item.project, "source": source, "actor": item.actor, "session": item.session}
    properties: list[tuple[str, object]] = [(name, value) for name, value in texts.items() if value]
    times = [("date", getattr(item, "date", None)), ("said", getattr(item, "said_at", None))]
    return properties + [(name, format_time(ms)) for name, ms in (*times, ("accepted", item.created_at)) if ms]


def _memory_properties(memory: StoredMemory) -> Iterator[tuple[str, object]]:
    for name in MEMORY_FIELDS:
        value = getattr(memory, name)
        if value not in (None, ""):
            yield name.replace("_", " "), value
    if memory.tags:
        yield "tags", ", ".join(memory.tags)
    if memory.version > 1:
        yield "version", memory.version
    for name in ("valid_from", "valid_until", "changed_at", "enriched_at", "superseded_at"):
        ms = getattr(memory, name)
        if ms is not None:
            yield name.replace("_", " ").removesuffix(" at"), format_time(ms)
    if memory.summary_of:
        yield "summary of", f"{memory.summary_of:,} memories, which it follows in answers"
    if memory.archived_at is not None:
        why = f"merged into {memory.archived_by}" if memory.archived_by else "because of its age, or by hand"
        yield "archived", f"{format_time(memory.archived_at)}, {why}"


def _version_properties(version: MemoryVersion) -> Iterator[tuple[str, object]]:
    for name in ("type", "importance", "confidence", "metadata"):
        if getattr(version, name) is not None:
            yield name, getattr(version, name)
    if version.tags:
        yield "tags", ", ".join(version.tags)
    for name in ("valid_from", "valid_until"):
        if getattr(version, name) is not None:
            yield name.replace("_", " "), format_time(getattr(version, name))


def _print_command_output(details: Details) -> None:
    for text in (details.result.stdout, details.result.stderr) if details.result else ():
        if text:
            echo("\n" + text.rstrip("\n"))


def _print_jobs(details: Details) -> None:
    if details.jobs:
        echo()
        rows = [(job.id, job.kind, job.state, failures_of(job), job.error) for job in details.jobs]
        print_table(("job", "kind", "state", "failures", "error"), rows)
    if details.attempts:
        echo()
        attempts = [
            (one.job_id, one.received, one.outcome, format_time(one.ended_at), one.error) for one in details.attempts
        ]
        print_table(("job", "attempt", "outcome", "ended", "error"), attempts)
