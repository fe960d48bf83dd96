"""`jotsam recall`: search memories and print the answer as context, list, explanation or JSON."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, echo, paint, print_json, shorten

LINE = 100

# Options with the name of the parameter that they set.
_FILTERS = "project session actor every_tag tag_prefix when since until as_of history min_score"
_SAME_NAME = (*_FILTERS.split(), "expand", "expand_limit", "min_weight", "min_importance")

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from jotsam.core.answers import Answer, Hit


def run(arguments: argparse.Namespace) -> int:
    """Print the answer to a question."""
    with Jotsam(settings=arguments.settings) as jot:
        answer = jot.recall(
            " ".join(arguments.question),
            tokens=arguments.tokens,
            limit=arguments.limit,
            tags=arguments.tag,
            without=arguments.exclude_tag,
            types=arguments.type,
            pinned=arguments.pin,
            metadata=dict(arguments.metadata) if arguments.metadata else None,
            **{name: getattr(arguments, name) for name in _SAME_NAME},
        )
        _print(answer, arguments)  # Before the client is closed, which writes the counts of recalled memories.
    return OK


def _print(answer: Answer, arguments: argparse.Namespace) -> None:
    """The answer in the format that was asked for."""
    if arguments.json or arguments.format == "json":
        print_json(**answer.as_dict())
    elif arguments.why:
        print_explanation(answer)
    elif arguments.format == "list":
        print_list(answer)
    else:
        echo(answer.text)


def print_list(answer: Answer) -> None:
    """One line per hit, then the footer."""
    for hit in answer.hits:
        date = format_time(hit.date)[:10] if hit.date is not None else ""
        echo(f"{hit.id[:8]}  {hit.score:6.2f}  {date:10}  {shorten(hit.text, LINE)}")
    echo(_footer(answer))


def print_explanation(answer: Answer) -> None:
    """Each hit with its scores, how it was found, its source and its validity; then the footer."""
    for number, hit in enumerate(answer.hits, 1):
        echo(f"[{number}] {paint(hit.id, 'bold')}  {hit.score:.2f}")
        echo(f"    {shorten(hit.text, LINE)}")
        for name, value in _properties(hit):
            echo(f"    {name:12} {value}")
    echo(_footer(answer))


def location(source: str | None, lines: tuple[int, int] | None) -> str | None:
    """A source with its lines, in the notation of editors and compilers: `docs/x.md:120-141`."""
    if lines is None:
        return source
    first, last = lines
    span = f"{first}" if first == last else f"{first}-{last}"
    return f"{source}:{span}" if source else f"line {span}" if first == last else f"lines {span}"


def _footer(answer: Answer) -> str:
    return answer.text.rsplit("\n", 1)[-1]


def _properties(hit: Hit) -> Iterator[tuple[str, object]]:
    parts = sorted(hit.scores.items(), key=lambda part: -abs(part[1]))
    yield "score", " ".join(f"{retriever} {score:+.2f}" for retriever, score in parts if round(score, 2))
    for fact in hit.facts:
        about = f"{fact.confidence:.1f}, {fact.extractor}, {fact.id[:8]}"
        yield "fact", f"{fact.subject} {fact.predicate} {fact.object} ({about})"
        if fact.superseded_at is not None:
            yield "", f"superseded {format_time(fact.superseded_at)[:10]} by {(fact.superseded_by or '')[:8]}"
    if hit.path:
        yield "path", ", ".join(hit.path)
    place = [location(hit.source, hit.lines), hit.section, hit.session, _turn(hit)]
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
    if hit.reason is not None:
        yield "reason", " ".join(hit.reason.split())


def _turn(hit: Hit) -> str | None:
    """The position in a conversation. For a chunk of a document, the lines are shown instead."""
    return None if hit.position is None or hit.document is not None else f"turn {hit.position}"
