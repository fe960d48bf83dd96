"""The tables of docs/comparison.md, made of the results that were kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.beside.sets import BUDGETS, CUT_OFFS
from benchmarks.child import ROOT
from benchmarks.report import duration, grid, number

PAGE = ROOT / "docs" / "comparison.md"
BEGIN, END = "<!-- made by python -m benchmarks.beside -->\n", "<!-- end of what it made -->"
EVIDENCE = (*(f"first {k}" for k in CUT_OFFS), *(f"{budget:,} tokens" for budget in BUDGETS))
BARE = "bare FTS5, porter"
OURS = "Jotsam"
ABOUT = {
    "commits": "messages of commits of this project; the questions were written before any system was asked",
    "LoCoMo": "turns of two conversations, conv-42 and conv-43, in one memory; Jotsam was built with these at hand,"
    " and its weights were chosen on three others. The other five conversations were not run here",
    "documents": "parts of manuals of eight open-source projects; Jotsam was built with these at hand, and three of"
    " its weights were chosen with them. On [unseen manuals](recall.md#how-good-it-is) it finds without a model as much"
    " as bare FTS5 among the first results, and less within 1,000 tokens",
}
MB = 1_000_000


def write(results: Mapping[str, Any]) -> None:
    """Put the tables in their place on the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{markdown(results)}\n\n{END}{after}")


def markdown(results: Mapping[str, Any]) -> str:
    machine = "; ".join(f"{name} {value}" for name, value in results["machine"].items())
    parts = [_evidence(results, name) for name in results["sets"]]
    parts += [_costs(results, max(results["sets"], key=lambda name: results["sets"][name]["texts"]))]
    parts += [_worse(results), _reasons(results)]
    parts.append(
        f"Measured on {results['date']} in {results['minutes']} minutes; {machine}. The raw figures are in"
        " `benchmarks/beside/results.json`. By the commit that measured them and the load of the machine then:"
    )
    parts.append("\n".join(_measured(results)))
    return "\n\n".join(part for part in parts if part)


def _measured(results: Mapping[str, Any]) -> Iterator[str]:
    """Which rows were measured together."""
    together: dict[tuple[str, str], list[str]] = {}
    for row in results["rows"]:
        if row.get("sets"):
            together.setdefault((row["commit"], row["load"]), []).append(row["name"])
    for (commit, load), names in together.items():
        yield f"- {commit[:12]}, load {load}: {'; '.join(names)}"


def _evidence(results: Mapping[str, Any], name: str) -> str:
    size = results["sets"][name]
    rows = [(row, row["sets"][name]) for row in _ran(results, name)]
    best = {column: max((figures[column] for _, figures in rows), default=0.0) for column in EVIDENCE}
    lines = [
        (_named(row), *(_bold(f"{figures[column]:.1f}", f"{best[column]:.1f}") for column in EVIDENCE))
        for row, figures in rows
    ]
    about = ABOUT.get(name, "")
    head = (
        f"**{name}**, {size['texts']:,} texts and {size['questions']} questions: {about}. Evidence found, in percent."
    )
    return f"{head}\n\n{grid(('', *EVIDENCE), lines)}"


def _costs(results: Mapping[str, Any], name: str) -> str:
    rows = list(_ran(results, name))
    bare = next((row["sets"][name] for row in rows if row["name"] == BARE), None)
    if bare is None:
        return ""
    lines = [(_named(row), *_cost(row, row["sets"][name], bare)) for row in rows]
    columns = (
        "",
        "CPU to store",
        "CPU to ask",
        "memory, MB",
        "disk, MB",
        "installed, MB",
        "found after, ms",
        "after a kill",
    )
    stored, asked = (duration(1e9 * bare[f"{verb} CPU"]) for verb in ("store", "ask"))
    head = (
        f"**What it costs**, on {name}. CPU of a text and of a question are in multiples of bare FTS5, which took"
        f" {stored} to store a text and {asked} to ask. The part of the embedder, which is the same program for all, is"
        " after the plus sign and not in the memory. Jotsam's CPU to"
        ' store includes its worker. "Found after": from handing a text to a full memory until an answer has it, by the'
        " clock and with the embedder, so other work on the machine is in it."
        ' "After a kill": how many of the texts that were accepted before `kill -9` a new process finds.'
    )
    return f"{head}\n\n{grid(columns, lines)}"


def _cost(row: Mapping[str, Any], figures: Mapping[str, Any], bare: Mapping[str, Any]) -> Iterator[str]:
    for verb in ("store", "ask"):
        own = number(figures[f"{verb} CPU"] / bare[f"{verb} CPU"])
        shared = figures[f"{verb} CPU of the embedder"] / bare[f"{verb} CPU"]
        yield f"{own} + {number(shared)}" if shared else own
    for name in ("memory", "disk"):
        yield number(figures[name] / MB)
    yield number(row["megabytes"])
    seconds = figures["seconds until found"]
    yield number(1_000 * seconds) if seconds >= 0 else "not in 30 s"
    killed = row["killed"]
    yield f"{killed['found']} of {killed['accepted']}" if "accepted" in killed else "did not run"


def _worse(results: Mapping[str, Any]) -> str:
    """Where another system finds more than ours, without and with the embedder."""
    lines = []
    for name in results["sets"]:
        rows = {row["name"]: row["sets"][name] for row in _ran(results, name)}
        for own in (OURS, f"{OURS}, with MiniLM"):
            for column in EVIDENCE if own in rows else ():
                best = max((one for one in rows if not one.startswith(OURS)), key=lambda one: rows[one][column])
                if rows[best][column] > rows[own][column]:
                    lines.append(f"- {name}, {column}: {best} {rows[best][column]:.1f}, {own} {rows[own][column]:.1f}")
    return "\n".join(["**Where another one finds more**:", "", *lines]) if lines else ""


def _reasons(results: Mapping[str, Any]) -> str:
    lines = []
    for row in results["rows"]:
        told = [row.get("reason", ""), row.get("remark", "")]
        told += [f"on {name}: {one['reason']}" for name, one in row.get("sets", {}).items() if "reason" in one]
        told += [f"after the kill: {row['killed']['reason']}"] if row.get("killed", {}).get("reason") else []
        lines += [f"- {_named(row)}: {one.rstrip('.')}" for one in told if one]
    lines += [f"- {name}: not measured yet" for name in results.get("missing", ())]
    return "\n".join(["**What did not run, and remarks**:", "", *lines]) if lines else ""


def _ran(results: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    return (row for row in results["rows"] if EVIDENCE[0] in row.get("sets", {}).get(name, {}))


def _named(row: Mapping[str, Any]) -> str:
    return f"{row['name']} {row.get('version', '')}".strip()


def _bold(said: str, best: str) -> str:
    return f"**{said}**" if said == best else said
