"""`jotsam show --links`: what a memory is linked to, as a table or drawn."""

from __future__ import annotations

import argparse
from html import escape
from math import cos, pi, sin

from jotsam.core.names import FOUND_LINK_TYPES
from jotsam.core.records import MemoryGraph
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import echo, fields_of, print_json, print_table, shorten

WIDTH, HEIGHT, BOX, LINE = 1_000, 700, 190, 34
COLOURS = {"PRECEDED_BY": "#6b7280", "SIMILAR_TO": "#2563eb", "mentions": "#059669", "shows": "#b45309"}
MAX_DRAWN = 24
HEADER = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
)
ARROWHEAD = (
    '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"'
    ' orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker></defs>'
)
BACKGROUND = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'


def graph(arguments: argparse.Namespace) -> None:
    """Print the links of a memory as a table, for Graphviz, as SVG or as JSON."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.graph(arguments.id, actor=arguments.actor)
    if arguments.json:
        print_json(**fields_of(found))
    elif arguments.dot:
        echo(dot(found))
    elif arguments.svg:
        echo(svg(found))
    else:
        _print(found)


def _print(found: MemoryGraph) -> None:
    echo(f"{found.id}  {shorten(found.summary, 90)}")
    rows = [
        ("to" if one.outgoing else "from", one.type, f"{one.weight:.2f}", one.id, one.summary)
        for one in found.neighbours
    ]
    rows += [("to", "mentions", "", f"{one.category}:{one.slug}", one.name) for one in found.entities]
    rows += [
        ("to", "shows", f"{one.confidence:.2f}", f"{one.type}:{one.slug}", " ".join(one.terms))
        for one in found.patterns
    ]
    if rows:
        print_table(("", "link", "weight", "linked to", "about"), rows)
        if any(one.type in FOUND_LINK_TYPES for one in found.neighbours):
            echo(f"{' and '.join(FOUND_LINK_TYPES)} links were found by Jotsam; no text states them")
    else:
        echo("no links yet")


def _edges(found: MemoryGraph) -> list[tuple[str, str, str, str, float, bool]]:
    """All links as tuples: node id, label, shape, link type, weight, whether it is outgoing."""
    ends = [(one.id, one.summary, "box", one.type, one.weight, one.outgoing) for one in found.neighbours]
    ends += [(f"{one.category}:{one.slug}", one.name, "ellipse", "mentions", 1.0, True) for one in found.entities]
    ends += [(f"{p.type}:{p.slug}", " ".join(p.terms), "hexagon", "shows", p.confidence, True) for p in found.patterns]
    return ends


def dot(found: MemoryGraph) -> str:
    """A Graphviz graph."""
    lines = [
        "digraph memory {",
        "  rankdir=LR;",
        f"  {_quoted(found.id)} [shape=box, style=bold, label={_quoted(shorten(found.summary, 60))}];",
    ]
    for node, label, shape, type, weight, outgoing in _edges(found):
        lines.append(f"  {_quoted(node)} [shape={shape}, label={_quoted(shorten(label, 60))}];")
        source, target = (found.id, node) if outgoing else (node, found.id)
        lines.append(f"  {_quoted(source)} -> {_quoted(target)} [label={_quoted(f'{type} {weight:.2f}')}];")
    return "\n".join([*lines, "}"])


def svg(found: MemoryGraph) -> str:
    """An SVG image: the memory in the centre, surrounded by what it is linked to."""
    ends = _edges(found)[:MAX_DRAWN]
    centre = (WIDTH / 2, HEIGHT / 2)
    places = [
        (
            centre[0] + (WIDTH - BOX - 40) / 2 * cos(2 * pi * number / len(ends) - pi / 2),
            centre[1] + (HEIGHT - LINE - 60) / 2 * sin(2 * pi * number / len(ends) - pi / 2),
        )
        for number in range(len(ends))
    ]
    drawn = [_arrow(centre, place, end) for place, end in zip(places, ends, strict=True)]
    drawn += [_box(place, end[1], COLOURS.get(end[3], "#7c3aed")) for place, end in zip(places, ends, strict=True)]
    drawn.append(_box(centre, found.summary, "#111827"))
    left = len(found.neighbours) + len(found.entities) + len(found.patterns) - len(ends)
    if left:
        drawn.append(f'<text x="{WIDTH - 20}" y="{HEIGHT - 12}" text-anchor="end">and {left} more</text>')
    title = f"<title>{_safe(found.summary, 120)}</title>"
    return "\n".join([HEADER, title, ARROWHEAD, BACKGROUND, *drawn, "</svg>"])


def _arrow(centre: tuple[float, float], place: tuple[float, float], end: tuple[str, str, str, str, float, bool]) -> str:
    _, _, _, type, weight, outgoing = end
    (x1, y1), (x2, y2) = (_between(centre, place, 0.2), _between(centre, place, 0.82))
    tip = "marker-end" if outgoing else "marker-start"
    colour = COLOURS.get(type, "#7c3aed")
    ends = f'x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"'
    line = f'<line {ends} stroke="{colour}" stroke-width="{1 + 2 * weight:.1f}" {tip}="url(#tip)"/>'
    x, y = _between(centre, place, 0.52)
    label = f"{_safe(type, 24)} {weight:.2f}"
    return f'{line}<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" fill="{colour}">{label}</text>'


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _box(place: tuple[float, float], label: str, colour: str) -> str:
    x, y = place
    size = f'x="{x - BOX / 2:.0f}" y="{y - LINE / 2:.0f}" width="{BOX}" height="{LINE}"'
    frame = f'<rect {size} rx="6" fill="white" stroke="{colour}"/>'
    text = f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle">{_safe(label, 30)}</text>'
    return f"<g><title>{_safe(label, 240)}</title>{frame}{text}</g>"


def _safe(text: str, limit: int) -> str:
    return escape("".join(c if c.isprintable() else " " for c in shorten(text, limit)))


def _quoted(text: str) -> str:
    plain = "".join(c if c.isprintable() else " " for c in text)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'
