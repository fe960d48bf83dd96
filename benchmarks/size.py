"""The size of a SQLite file by table: bytes per byte of text, for documents and for short memories.

All jobs are done by rules, the write-ahead log is written to the file, and `dbstat` counts the pages of each table and
of its indexes. Short memories are the sentences of the same documents, as turns of conversations of fifty. "Unused" is
room in pages, of which later writes use a part. A new file has about 0.5 MB of empty tables, which is counted too.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw

import jotsam
from benchmarks.corpus import documents
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, number

SHORT, TURNS = (60, 200), 50
LARGEST = 9
"""Tables with a row of their own, by the bytes of either side."""

WHOLE, OTHERS = "whole file", "others"
LIMITS = {"documents": 6, "short memories": 16}

PAGES = """
select case when d.name like 'text_index%' then 'text_index' else coalesce(s.tbl_name, d.name) end,
  sum(d.pgsize), sum(case when s.type = 'index' then d.pgsize else 0 end), sum(d.unused)
from dbstat d
left join sqlite_schema s on s.name = d.name
group by 1
"""


@dataclass(frozen=True, kw_only=True)
class Size:
    """Bytes of a table."""

    total: int
    indexes: int
    unused: int

    def __add__(self, other: Size) -> Size:
        return Size(
            total=self.total + other.total, indexes=self.indexes + other.indexes, unused=self.unused + other.unused
        )


def measure(plan: Plan) -> Report:
    texts = list(documents(plan.documents).values())
    turns = list(itertools.islice(sentences(texts), plan.of(full=5_000, quick=200)))
    texts = texts[: plan.of(full=len(texts), quick=2)]
    sides = {
        "documents": (texts, sizes(plan.folder / "documents.db", lambda jot: add(jot, texts))),
        "short memories": (turns, sizes(plan.folder / "short.db", lambda jot: remember(jot, turns))),
    }
    tables, bounds = [], []
    for name, (given, found) in sides.items():
        whole = sum(len(text.encode()) for text in given)
        caption = f"{len(given):,} {name} of {whole / 1e6:.2f} MB together; bytes per byte of text."
        rows = [
            (table, *(number(part / whole) for part in (size.total, size.indexes, size.unused)))
            for table, size in summary(found).items()
        ]
        tables.append(Table(caption=caption, columns=("table", "all", "of that indexes", "unused"), rows=rows))
        share = sum(size.total for size in found.values()) / whole
        bounds.append(Bound(promise=f"the file, {name}", measured=share, limit=LIMITS[name], unit="bytes per byte"))
    return Report(tables=tables, bounds=[] if plan.quick else bounds)


def sizes(path: Path, fill: Callable[[jotsam.Jotsam], None]) -> dict[str, Size]:
    """The size of each table of a database that was filled, when all its jobs are done."""
    with jotsam.Jotsam(str(path), worker="off") as jot:
        fill(jot)
        jot.work()
        jot.database.maintain()
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        rows = [[str(cell) for cell in row] for row in connection.execute(PAGES)]
    return {table: Size(total=int(total), indexes=int(own), unused=int(unused)) for table, total, own, unused in rows}


def add(jot: jotsam.Jotsam, texts: Sequence[str]) -> None:
    for place, text in enumerate(texts):
        jot.add(text, source=f"notes/text-{place}.md")


def remember(jot: jotsam.Jotsam, turns: Sequence[str]) -> None:
    for first in range(0, len(turns), TURNS):
        jot.remember_many({"text": text, "session": f"session {first}"} for text in turns[first : first + TURNS])


def sentences(texts: Sequence[str]) -> Iterator[str]:
    """The sentences of some documents, each once."""
    least, most = SHORT
    found = (one.strip() for text in texts for one in re.split(r"(?<=[.!?])\s|\n", text))
    return iter(dict.fromkeys(one for one in found if least <= len(one) <= most))


def summary(found: dict[str, Size]) -> dict[str, Size]:
    """The largest tables, the sum of the others, and that of all."""
    ordered = sorted(found, key=lambda table: found[table].total, reverse=True)
    nothing = Size(total=0, indexes=0, unused=0)
    rows = {f"`{table}`": found[table] for table in ordered[:LARGEST]}
    rows[OTHERS] = sum((found[table] for table in ordered[LARGEST:]), nothing)
    return rows | {WHOLE: sum(found.values(), nothing)}


if __name__ == "__main__":
    main(measure, __doc__)
