"""`jotsam recall` and `jotsam show`: what is known, and what became of something that was handed in."""

from __future__ import annotations

import shlex

from jotsam.core.clock import format_time
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, emit, paint, plural, say, shorten, table

LINE = 100

_SCOPE = "project session every_tag tag_prefix without when since until as_of history min_score"
_ASKED = (*_SCOPE.split(), "expand", "expand_limit", "min_weight", "min_importance")

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from jotsam.core.answers import Answer, Hit
    from jotsam.core.records import Document, Entity, Fact, Memory
    from jotsam.memory.client import Details


def recall(arguments: argparse.Namespace) -> int:
    """Print the answer to a question."""
    question = " ".join(arguments.question)
    with Jotsam(settings=arguments.settings) as jot:
        answer = jot.recall(
            question,
            tokens=arguments.tokens,
            limit=arguments.limit,
            tags=arguments.tag,
            types=arguments.type,
            pinned=arguments.pin,
            metadata=dict(arguments.metadata) if arguments.metadata else None,
            **{name: getattr(arguments, name) for name in _ASKED},
        )
    if arguments.json or arguments.shape == "json":
        emit(**answer.as_dict())
    elif arguments.why:
        explain(answer)
    elif arguments.shape == "list":
        listed(answer)
    else:
        say(answer.text)
    return OK


def supersede(arguments: argparse.Namespace) -> int:
    """Let a newer memory, document or fact hold in the place of an older one, or both again."""
    if arguments.new is None and not arguments.undo:
        arguments.usage_error(
            f"NEW is missing: name what holds in the place of {arguments.old!r}; a fact with --undo needs none"
        )
    with Jotsam(settings=arguments.settings) as jot:
        done = jot.supersede(arguments.old, arguments.new, undo=arguments.undo)
    if arguments.json:
        emit(**done.as_dict())
    elif done.since is None:
        say(f"{done.kind} {done.old[:8]} holds again" + (f", beside {done.new[:8]}" if done.new else ""))
    else:
        say(f"{done.kind} {done.old[:8]} is superseded by {(done.new or '')[:8]} since {format_time(done.since)[:10]}")
    return OK


def listed(answer: Answer) -> None:
    """One line for each hit, and the footer."""
    for hit in answer.hits:
        date = format_time(hit.date)[:10] if hit.date is not None else ""
        say(f"{hit.id[:8]}  {hit.score:6.2f}  {date:10}  {shorten(' '.join(hit.text.split()), LINE)}")
    say(footer(answer))


def explain(answer: Answer) -> None:
    """Each hit with what speaks for it, the way to it, where it is from, and until when it holds."""
    for number, hit in enumerate(answer.hits, 1):
        say(f"[{number}] {paint(hit.id, 'bold')}  {hit.score:.2f}")
        say(f"    {shorten(' '.join(hit.text.split()), LINE)}")
        for name, value in _reasons(hit):
            say(f"    {name:12} {value}")
    say(footer(answer))


def footer(answer: Answer) -> str:
    return answer.text.rsplit("\n", 1)[-1]


def _reasons(hit: Hit) -> Iterator[tuple[str, object]]:
    parts = sorted(hit.scores.items(), key=lambda part: -abs(part[1]))
    yield "score", " ".join(f"{leg} {score:+.2f}" for leg, score in parts if round(score, 2))
    for fact in hit.facts:
        about = f"{fact.confidence:.1f}, {fact.extractor}, {fact.id[:8]}"
        yield "fact", f"{fact.subject} {fact.predicate} {fact.object} ({about})"
        if fact.superseded_at is not None:
            yield "", f"superseded {format_time(fact.superseded_at)[:10]} by {(fact.superseded_by or '')[:8]}"
    if hit.path:
        yield "path", ", ".join(hit.path)
    place = [_at(hit.source, hit.lines), hit.section, hit.session, _turn(hit)]
    if any(place):
        yield "from", " > ".join(part for part in place if part)
    if hit.date is not None:
        yield "date", format_time(hit.date)
    for name in ("actor", "type", "project", "job_id", "superseded_by"):
        if getattr(hit, name) is not None:
            yield name.replace("_", " ").removesuffix(" id"), getattr(hit, name)
    for name in ("valid_from", "valid_until", "superseded_at"):
        if getattr(hit, name) is not None:
            yield name.replace("_", " ").removesuffix(" at"), format_time(getattr(hit, name))
    for name in ("replaces", "conflicts"):
        if getattr(hit, name):
            yield name, ", ".join(id[:8] for id in getattr(hit, name))


def _at(source: str | None, lines: tuple[int, int] | None) -> str | None:
    """A source with the lines in it, as editors and compilers write it: `docs/x.md:120-141`."""
    if lines is None:
        return source
    first, last = lines
    span = f"{first}" if first == last else f"{first}-{last}"
    return f"{source}:{span}" if source else f"line {span}" if first == last else f"lines {span}"


def _turn(hit: Hit) -> str | None:
    """Its place in a conversation. That of a chunk in its document is told by its lines."""
    return None if hit.position is None or hit.document is not None else f"turn {hit.position}"


def show(arguments: argparse.Namespace) -> int:
    """Print the story of a document, a memory or a job."""
    with Jotsam(settings=arguments.settings) as jot:
        story = jot.show(arguments.id)
    if arguments.json:
        emit(**story.as_dict())
        return OK
    say(f"{paint(story.kind, 'bold')} {story.id}  {_progress(story)}")
    for name, value in _facts(story):
        say(f"  {name:12} {value}")
    _tell_work(story)
    _tell_printed(story)
    for item in (story.document, story.memory):
        if item:
            say("\n" + item.text)
    return OK


def _progress(story: Details) -> str:
    dead = sum(job.state == "dead" for job in story.jobs)
    if dead:
        return paint(plural(dead, "dead job"), "red")
    return paint("done", "green") if story.done else f"{plural(len(story.jobs), 'job')} to do"


def _facts(story: Details) -> Iterator[tuple[str, object]]:
    """What is set, and no more."""
    item = story.memory or story.document
    if item is not None:
        yield from _said(item, story.lines)
    if story.memory:
        yield from _known(story.memory)
    if story.arguments:
        yield "command", "jotsam " + shlex.join(story.arguments)
    if story.result:
        yield "exit code", story.result.code
    if story.entities:
        yield "entities", ", ".join(map(_entity, story.entities))
    for fact in story.facts:
        about = ", ".join((f"{fact.confidence:.2f}", *_validity(fact), fact.extractor))
        yield "fact", f"{fact.subject} · {fact.predicate} · {fact.object}  ({about})"
    for word in story.rejected:
        yield "rejected", word
    for link in story.links:
        by = f", {link.extractor}" if link.extractor else ""
        yield "link", f"{link.type} {link.target}  ({link.weight:.2f}{by})"
    for pattern in story.patterns:
        terms = f" ({', '.join(pattern.terms)})" if pattern.terms else ""
        yield "pattern", f"{pattern.type}: {pattern.slug}{terms}, seen {pattern.occurrences:,} times"
    for period in story.periods:
        yield "period", _days(period.first, period.until) + ("" if period.named else "  (when it was said)")
    if story.usage:
        yield "paid", _bill(story)
    for one in story.redactions:
        yield "redacted", f"{one.kind} in {one.place}" + (f"  ({one.fingerprint[:12]})" if one.fingerprint else "")
    if story.memories:
        yield "memories", ", ".join(id[:8] for id in story.memories)


def _validity(fact: Fact) -> Iterator[str]:
    """From when and until when a fact holds, as far as that is known, and whether another holds in its place."""
    if fact.valid_from is not None:
        yield f"from {format_time(fact.valid_from)[:10]}"
    if fact.valid_until is not None:
        yield f"ended {format_time(fact.valid_until)[:10]}"
    if fact.superseded_at is not None:
        yield f"superseded {format_time(fact.superseded_at)[:10]}"


def _days(begin: int, until: int) -> str:
    first, last = format_time(begin)[:10], format_time(until - 1)[:10]
    return first if first == last else f"{first} to {last}"


def _bill(story: Details) -> str:
    """What models have taken for it, by model."""
    parts = []
    for model in dict.fromkeys(one.model for one in story.usage):
        own = [one for one in story.usage if one.model == model]
        tokens, cost = sum(one.tokens_in + one.tokens_out for one in own), sum(one.cost for one in own)
        some = sum(one.state == "open" for one in own)
        told = f"{model}: {plural(len(own), 'call')}, {tokens:,} tokens" + (f", a cost of {cost:.4f}" if cost else "")
        parts.append(told + (f" ({some} as estimated: no whole answer)" if some else ""))
    return "; ".join(parts)


def _entity(entity: Entity) -> str:
    """With who has found it, where that was not the rules, and how sure it is."""
    sure = "" if entity.confidence is None else f", {entity.confidence:.2f}"
    by = "" if entity.extractor is None else f", {entity.extractor}"
    return f"{entity.name} ({entity.category}{sure}{by})"


def _said(item: Document | Memory, lines: tuple[int, int] | None) -> Iterable[tuple[str, object]]:
    told = {"project": item.project, "source": _at(item.source, lines), "actor": item.actor, "session": item.session}
    facts: list[tuple[str, object]] = [(name, value) for name, value in told.items() if value]
    times = [("date", getattr(item, "date", None)), ("said", getattr(item, "said_at", None))]
    return facts + [(name, format_time(ms)) for name, ms in (*times, ("accepted", item.created_at)) if ms]


def _known(memory: Memory) -> Iterator[tuple[str, object]]:
    for name in (
        "section",
        "document",
        "type",
        "external_id",
        "importance",
        "confidence",
        "summary",
        "extractor",
        "degraded",
    ):
        value = getattr(memory, name)
        if value not in (None, ""):
            yield name.replace("_", " "), value
    if memory.tags:
        yield "tags", ", ".join(memory.tags)
    for name in ("valid_from", "valid_until", "enriched_at", "superseded_at"):
        ms = getattr(memory, name)
        if ms is not None:
            yield name.replace("_", " ").removesuffix(" at"), format_time(ms)


def _tell_printed(story: Details) -> None:
    """What a command printed, and what it complained of."""
    for text in (story.result.stdout, story.result.stderr) if story.result else ():
        if text:
            say("\n" + text.rstrip("\n"))


def _tell_work(story: Details) -> None:
    if story.jobs:
        say()
        rows = [(job.id, job.kind, job.state, f"{job.failures} of {job.max_receive}", job.error) for job in story.jobs]
        table(("job", "kind", "state", "failures", "error"), rows)
    if story.attempts:
        say()
        tries = [
            (tried.job_id, tried.received, tried.outcome, format_time(tried.ended_at), shorten(tried.error or "", 100))
            for tried in story.attempts
        ]
        table(("job", "try", "outcome", "ended", "error"), tries)
