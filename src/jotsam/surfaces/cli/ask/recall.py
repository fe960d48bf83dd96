"""`jotsam recall`: search memories and print the answer.

A person at a terminal gets a list, an agent or a program gets the context that a model reads.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from jotsam.core.answers import Answer, Hit
from jotsam.core.clock import format_time
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.ask import results
from jotsam.surfaces.cli.ask.results import location
from jotsam.surfaces.cli.output import OK, echo, fields_of, hint, paint, print_json, shorten
from jotsam.surfaces.cli.terminal import is_person
from jotsam.surfaces.cli.values import conditions

LINE = 100
LIMIT = 50  # results by default in every form but the list
MAX_TOKENS = 200_000

# Options with the name of the parameter that they set.
_FILTERS = "project session actor source every_tag tag_prefix when since until as_of history archived min_score"
FILTERS = (*_FILTERS.split()[:4], "type", "tag", "exclude_tag", "metadata", "when", "since", "until", "min_score")
_SAME_NAME = (*_FILTERS.split(), "expand", "expand_limit", "min_weight", "min_importance")


def recall(arguments: argparse.Namespace) -> int:
    """Print the answer to a question, or open the source of a result."""
    form = _form(arguments)
    is_list = form == "list" or arguments.open is not None
    limit: int | None = arguments.limit
    if limit is None:
        limit = max(results.LIMIT, arguments.open or 0) if is_list else LIMIT
    with Jotsam(settings=arguments.settings) as jot:
        answer = jot.recall(
            " ".join(arguments.question),
            tokens=_tokens(arguments, limit) if is_list else arguments.tokens,
            hit_tokens=results.HIT_TOKENS if is_list else None,
            limit=limit,
            tags=arguments.tag,
            without=arguments.exclude_tag,
            types=arguments.type,
            pinned=arguments.pin,
            metadata=conditions(arguments.metadata),
            after=arguments.after,
            **{name: getattr(arguments, name) for name in _SAME_NAME},
        )
        if arguments.open is None:
            _print(answer, form, arguments, jot)  # Before the client writes the counts of recalled memories.
            is_told = form == "json" or (form == "list" and not arguments.after)  # The list says how to see more.
            if answer.next and (arguments.limit or arguments.after) and not is_told:
                hint(f"there are more: add --after {answer.next}")
    if arguments.open is None:
        return OK
    from jotsam.surfaces.cli.ask.open_source import open_source

    return open_source(answer.hits, arguments.open)


def _form(arguments: argparse.Namespace) -> str:
    """The form of the answer: as asked for, else a list for a person and context for an agent or a program."""
    if arguments.json or arguments.why:
        return "json" if arguments.json else "explain"
    return arguments.format or ("list" if is_person() else "context")


def _tokens(arguments: argparse.Namespace, limit: int) -> int:
    """A budget that does not limit the number of results, unless one is given."""
    if arguments.tokens is not None:
        return int(arguments.tokens)
    return max(int(arguments.settings.recall_tokens), min(MAX_TOKENS, results.TOKENS * limit))


def _print(answer: Answer, form: str, arguments: argparse.Namespace, jot: Jotsam) -> None:
    if form == "json":
        print_json(**fields_of(answer))
    elif form == "explain":
        print_explanation(answer)
    elif form == "context":
        echo(answer.text)
    elif answer.hits:
        is_about_now = not (arguments.as_of or arguments.history or arguments.archived)
        results.print_results(answer, is_about_now=is_about_now)
    else:
        now = jot.status()
        filters = [f"--{name.replace('_', '-')}" for name in FILTERS if getattr(arguments, name)]
        results.print_nothing(answer, filters=filters, is_empty=not (now.memories or now.documents or now.spooled))


def print_explanation(answer: Answer) -> None:
    """Each hit with its scores, how it was found, its source and its validity; then the footer."""
    for number, hit in enumerate(answer.hits, 1):
        echo(f"[{number}] {paint(hit.id, 'bold')}  {hit.score:.2f}")
        echo(f"    {shorten(hit.text, LINE)}")
        for name, value in _properties(hit):
            echo(f"    {name:12} {value}")
    echo(_footer(answer))


def _footer(answer: Answer) -> str:
    return answer.text.rsplit("\n", 1)[-1]


def _properties(hit: Hit) -> Iterator[tuple[str, object]]:
    parts = sorted(hit.scores.items(), key=lambda part: -abs(part[1]))
    yield "score", " ".join(f"{retriever} {score:+.2f}" for retriever, score in parts if round(score, 2))
    for fact in hit.facts:
        about = f"{fact.confidence:.1f}, {fact.extractor}, {fact.id[:8]}"
        yield "fact", f"{fact.subject} {fact.predicate} {fact.object} ({about})"
        if fact.superseded_at is not None:
            by = f" by {fact.superseded_by[:8]}" if fact.superseded_by else ""
            yield "", f"superseded {format_time(fact.superseded_at)[:10]}{by}"
    if hit.path:
        yield "path", ", ".join(hit.path)
    place = [location(hit.source, hit.lines), hit.section, hit.session, _turn(hit)]
    if any(place):
        yield "from", " > ".join(part for part in place if part)
    if hit.date is not None:
        yield "date", format_time(hit.date)
    if hit.summary_of:
        yield "summary of", f"{hit.summary_of:,} memories"
    for name in ("actor", "type", "project", "job_id", "superseded_by", "archived_by"):
        if getattr(hit, name) is not None:
            yield name.replace("_", " ").removesuffix(" id"), getattr(hit, name)
    for name in ("valid_from", "valid_until", "superseded_at", "archived_at"):
        if getattr(hit, name) is not None:
            yield name.replace("_", " ").removesuffix(" at"), format_time(getattr(hit, name))
    for name in ("replaces", "conflicts"):
        if getattr(hit, name):
            yield name, ", ".join(id[:8] for id in getattr(hit, name))
    if hit.reason is not None:
        yield "reason", " ".join(hit.reason.split())


def _turn(hit: Hit) -> str | None:
    """The position in a conversation. For a chunk of a document, the lines are shown instead."""
    return None if hit.position is None or hit.document is not None else f"turn {hit.position}"
