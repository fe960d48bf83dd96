"""`jotsam recall` and `jotsam show`: what is known, and what became of something that was handed in."""

from __future__ import annotations

import shlex

from jotsam.clock import iso
from jotsam.door import Jotsam
from jotsam.surfaces.screen import OK, emit, paint, plural, say, shorten, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from jotsam.door import Story
    from jotsam.records import Document, Entity, Memory


def recall(arguments: argparse.Namespace) -> int:
    """Print the answer to a question."""
    question = " ".join(arguments.question)
    with Jotsam(settings=arguments.settings) as jot:
        answer = jot.recall(
            question, project=arguments.project, tags=arguments.tag, tokens=arguments.tokens, limit=arguments.limit
        )
    if arguments.json:
        emit(**answer.as_dict())
    else:
        say(answer.text)
    return OK


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


def _progress(story: Story) -> str:
    dead = sum(job.state == "dead" for job in story.jobs)
    if dead:
        return paint(plural(dead, "dead job"), "red")
    return paint("done", "green") if story.done else f"{plural(len(story.jobs), 'job')} to do"


def _facts(story: Story) -> Iterator[tuple[str, object]]:
    """What is set, and no more."""
    item = story.memory or story.document
    if item is not None:
        yield from _said(item)
    if story.memory:
        yield from _known(story.memory)
    if story.arguments:
        yield "command", "jotsam " + shlex.join(story.arguments)
    if story.ran:
        yield "exit code", story.ran.code
    if story.entities:
        yield "entities", ", ".join(map(_entity, story.entities))
    for fact in story.facts:
        yield "fact", f"{fact.subject} · {fact.predicate} · {fact.object}  ({fact.confidence:.2f}, {fact.extractor})"
    for link in story.links:
        yield "link", f"{link.type} {link.target}"
    if story.memories:
        yield "memories", ", ".join(id[:8] for id in story.memories)


def _entity(entity: Entity) -> str:
    """With who has found it, where that was not the rules, and how sure it is."""
    sure = "" if entity.confidence is None else f", {entity.confidence:.2f}"
    by = "" if entity.extractor is None else f", {entity.extractor}"
    return f"{entity.name} ({entity.category}{sure}{by})"


def _said(item: Document | Memory) -> Iterable[tuple[str, object]]:
    names = ("project", "source", "actor", "session")
    facts: list[tuple[str, object]] = [(name, getattr(item, name)) for name in names if getattr(item, name)]
    times = [("date", getattr(item, "date", None)), ("said", getattr(item, "said_at", None))]
    return facts + [(name, iso(ms)) for name, ms in (*times, ("accepted", item.created_at)) if ms]


def _known(memory: Memory) -> Iterator[tuple[str, object]]:
    for name in (
        "section",
        "document",
        "type",
        "own_id",
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
            yield name.replace("_", " ").removesuffix(" at"), iso(ms)


def _tell_printed(story: Story) -> None:
    """What a command printed, and what it complained of."""
    for text in (story.ran.stdout, story.ran.stderr) if story.ran else ():
        if text:
            say("\n" + text.rstrip("\n"))


def _tell_work(story: Story) -> None:
    if story.jobs:
        say()
        rows = [(job.id, job.kind, job.state, f"{job.failures} of {job.max_receive}", job.error) for job in story.jobs]
        table(("job", "kind", "state", "failures", "error"), rows)
    if story.attempts:
        say()
        tries = [
            (tried.job_id, tried.received, tried.outcome, iso(tried.ended_at), shorten(tried.error or "", 100))
            for tried in story.attempts
        ]
        table(("job", "try", "outcome", "ended", "error"), tries)
