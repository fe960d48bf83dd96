"""The results of a question for people: two lines of each text with the matched words in bold, and a footer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jotsam.core.answers import Answer, Hit
from jotsam.core.clock import format_time, system_clock
from jotsam.core.patterns import lazy_pattern
from jotsam.retrieval.present.answer_line import answer_line
from jotsam.retrieval.present.equal_hits import fold_equal
from jotsam.retrieval.present.footer import absence, missing, state
from jotsam.retrieval.present.matches import matches, question_stems
from jotsam.retrieval.present.render import standing
from jotsam.surfaces.cli.output import DEFAULT_WIDTH, echo, paint, plural, printable, terminal_width
from jotsam.surfaces.cli.table import SHORT_ID, cut, cut_start, text_width, wrap

LIMIT = 5  # results by default at a terminal: with two lines each they fit on a screen
LINES, MORE_LINES = 2, 9  # of a text, and of the footer
WIDEST, NARROWEST = 100, 40  # columns; longer lines are hard to read
HIT_TOKENS = 120  # text of a result, of which two lines are shown
TOKENS = 200  # of a result with its heading, so that the budget of an agent does not limit the number for a person
MORE = 4  # times as many results are suggested
BETWEEN, ABOVE = " · ", " > "
SENTENCE_ENDS = (". ", "! ", "? ", "… ", "。", "！", "？")
NO_TEXT = ("```", "~~~", "<!--")  # beginnings of lines that only structure a text
LEAST_TITLE, LEAST_PLACE = 16, 20  # columns of a title, and of a source that a long title leaves

_PART = lazy_pattern(r" \(\d+/\d+\)$")  # which part of a long section
_HEADING = lazy_pattern(r"^(…?)#+ ")
_GAP = lazy_pattern(r"(?<=[.,;:!?])…")


def print_results(answer: Answer, *, is_about_now: bool) -> None:
    """Print the line of facts that answers the question, the results, best first, and what the answer does not cover.

    Without `is_about_now` there is no such line.
    """
    width = max(NARROWEST, min(WIDEST, terminal_width() or DEFAULT_WIDTH))
    stems = question_stems(answer.question)
    if answer.coverage.nothing:
        echo(paint(f"{absence(answer.coverage)}; this is nearest:", "yellow") + "\n")
    elif is_about_now:
        _print_line(answer, width)
    places = {hit.id: number for number, hit in enumerate(answer.hits, 1)}
    for one in fold_equal(answer.hits):
        times = sum(hit.times for hit in (one.hit, *one.others))
        _print_hit(one.hit, places[one.hit.id], stems, width, times=times)
    for line in _footer(answer):
        for start, end in wrap(printable(line), width, lines=MORE_LINES):
            echo(paint(line[start:end], "dim"))


def _print_line(answer: Answer, width: int) -> None:
    line = answer_line(answer, at=system_clock())
    if line is None:
        return
    since = line.facts[0].valid_from
    right = f"since {format_time(since)[:10]}  {line.memory[:SHORT_ID]}" if since else line.memory[:SHORT_ID]
    text = cut(_flat_line(line.text), width - len(right) - 2)
    echo(f"{paint(text, 'bold')}  {paint(right, 'dim')}\n")


def print_nothing(answer: Answer, *, filters: Sequence[str], is_empty: bool) -> None:
    """Say why nothing was found, and what to do. `filters` are options that were given."""
    coverage = answer.coverage
    if coverage.is_incomplete:
        echo(f"not known yet: {'; '.join(state(coverage))}")
        echo(paint("`jotsam jobs wait` waits until everything is processed; then ask again", "dim"))
        return
    if is_empty:
        echo("nothing found: the memory is empty")
        advice = "`jotsam add FILE` adds a file, `jotsam remember TEXT` a memory, `jotsam import` your sessions"
    elif absence(coverage):
        echo(absence(coverage))
        advice = "`jotsam recall --all` shows what is nearest"
    else:
        unknown = f"; no memory contains: {', '.join(coverage.missing)}" if coverage.missing and not filters else ""
        echo(f"nothing found{unknown}")
        advice = "`jotsam list` shows what is stored"
        if filters:
            advice = f"without {' and '.join(filters)} the question may have results; {advice}"
    echo(paint("; ".join([advice, *state(coverage)]), "dim"))


def location(source: str | None, lines: tuple[int, int] | None) -> str | None:
    """A source with its lines, in the notation of editors and compilers: `docs/x.md:120-141`."""
    if lines is None:
        return source
    first, last = lines
    span = f"{first}" if first == last else f"{first}-{last}"
    return f"{source}:{span}" if source else f"line {span}" if first == last else f"lines {span}"


def _print_hit(hit: Hit, number: int, stems: Sequence[str], width: int, *, times: int = 1) -> None:
    indent = " " * (len(str(number)) + 2)
    date = format_time(hit.date)[:10] if hit.date is not None else ""
    id = hit.facts[0].memory if hit.kind == "fact" else hit.id
    right = "  ".join(part for part in (f"x{times}" if times > 1 else "", date, id[:SHORT_ID]) if part)
    title, place = _title(hit, width - len(indent) - len(right) - 2)
    gap = " " * max(2, width - len(indent) - text_width(title) - text_width(place) - len(right))
    echo(f"{paint(str(number), 'green')}  {paint(title, 'bold')}{paint(f'{place}{gap}{right}', 'dim')}")
    for validity in _validity(hit):
        echo(indent + paint(validity, "yellow"))
    text = _flat(hit)
    start = _start(text, matches(text, stems), (width - len(indent)) * LINES - LEAST_PLACE)
    text = f"…{text[start:]}" if start and not text.startswith("…", start) else text[start:]
    for line in _marked_lines(text, matches(text, stems), width - len(indent)):
        echo(indent + line)
    echo()


def _title(hit: Hit, width: int) -> tuple[str, str]:
    """The title and the source of a result: with their parents if there is room, else cut."""
    place = _flat_line(location(hit.source, hit.lines and hit.lines[:1] * 2) or hit.session or "")
    if not hit.section and hit.document is not None and place:
        return cut_start(place, width), ""
    title = _PART.sub("", _flat_line(hit.section or hit.actor or hit.type or hit.kind))
    if text_width(title) + len(BETWEEN) + text_width(place) > width:
        title, place = title.rpartition(ABOVE)[2], place.rpartition("/")[2] or place
    room = width - text_width(title) - len(BETWEEN)
    if not place or width < LEAST_TITLE + LEAST_PLACE:
        return cut(title, width), ""
    place = BETWEEN + cut_start(place, max(LEAST_PLACE, room))
    return cut(title, width - text_width(place)), place


def _validity(hit: Hit) -> Iterator[str]:
    """Whether a result is replaced, in doubt, not valid now, or not read completely yet."""
    yield from standing(hit)
    if hit.newer_text is not None:
        yield f"there is a newer text of this source: {hit.newer_text[:SHORT_ID]}"
    if hit.conflicts and hit.superseded_at is None:
        yield f"may be outdated, see {', '.join(id[:SHORT_ID] for id in hit.conflicts[:2])}"
    times = ((hit.valid_from, "valid from"), (hit.valid_until, "valid until"))
    validity = [f"{name} {format_time(at)[:10]}" for at, name in times if at is not None]
    if validity:
        yield ", ".join(validity)
    if hit.kind == "document":
        yield "not split into memories yet"


def _flat(hit: Hit) -> str:
    """The text of a result on one line, without the headings that its title repeats."""
    titles = {_PART.sub("", part) for part in hit.section.split(ABOVE)}
    lines = filter(_is_text, (line.strip() for line in printable(hit.text).splitlines()))
    kept = (_HEADING.sub(r"\1", line) for line in lines if line.strip("#… ") not in titles)
    return _GAP.sub(" …", " ".join(" ".join(kept).split()))


def _flat_line(text: str) -> str:
    return " ".join(printable(text).split())


def _is_text(line: str) -> bool:
    """Whether a line has something to read, unlike the rule of a table or the fence of a block of code."""
    return not line.startswith(NO_TEXT) and any(character not in "|:-=*_… " for character in line)


def _start(text: str, places: Sequence[tuple[int, int]], length: int) -> int:
    """Where the part of a text begins that has the most matches: at the beginning of a sentence if one is near."""
    if not places or places[-1][1] <= length:
        return 0
    starts = [0, *(start for start, _ in places)]
    inside = [sum(start <= a and b <= start + length for a, b in places) for start in starts]
    best = starts[inside.index(max(inside))]
    sentence = max(text.rfind(end, 0, best) + len(end) if end in text[:best] else 0 for end in SENTENCE_ENDS)
    return sentence if best - sentence <= length // 4 else best


def _marked_lines(text: str, places: Sequence[tuple[int, int]], width: int) -> Iterator[str]:
    """The first lines of a text, with the matches in bold and "…" if there is more."""
    lines = wrap(text, width, lines=LINES)
    for number, (start, end) in enumerate(lines):
        line, marked = text[start:end], [(max(a, start), min(b, end)) for a, b in places if a < end and b > start]
        if number == LINES - 1 and end < len(text):
            line = cut(text[start:end] + "…", width).rstrip("….,;: ") + "…"
        parts, last = [], start
        for a, b in marked:
            parts += [line[last - start : a - start], paint(line[a - start : b - start], "bold")]
            last = b
        yield "".join((*parts, line[last - start :]))


def _footer(answer: Answer) -> Iterator[str]:
    """What may be missing, and how to see it. Nothing if everything that was found is shown."""
    coverage = answer.coverage
    if coverage.returned < coverage.total:
        more = min(coverage.total, MORE * coverage.returned)
        counts = [f"{coverage.returned:,} of {plural(coverage.total, 'result')}", f"more: -n {more}"]
        yield BETWEEN.join([*counts, "whole text: jotsam show ID", "edit: --open NUMBER"])
    rest = "; ".join([*missing(coverage), *state(coverage)])
    if rest:
        yield rest
