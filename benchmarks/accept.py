"""The cost of accepting a document: `Jotsam.add` against a bare INSERT and COMMIT of the same text.

Both sides commit with `synchronous=full` in a write-ahead log, through the same SQLite library, and no worker runs.
`Jotsam.add` redacts secrets, checks whether the document is known, stores it, indexes its words and sends its job. The
bare side then does the same parts one after the other, each row with all rows above it, which shows the share of each.
Its last row, plain SQL that stores the same row, key, job and words, is the floor: nothing that keeps them costs less.
What is left between that row and `Jotsam.add` is Python, validation and redaction. The texts are slices of this
project's own documentation: Markdown with code, tables and names of settings, in which the search for secrets finds
more to look at than in plain words. Every text is new.

`Jotsam.add` leaves the words of most texts to a later one, and indexes what waits with each 64th, unless a worker
splits it before. Until then a search looks through them. The mean and the pages have a share of that, and the p50 has
none. Pages are those that a commit appends to the write-ahead log.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import apsw

import jotsam
from benchmarks.child import ROOT, Child, serve
from benchmarks.corpus import documents
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns, timed
from jotsam.core.clock import new_id

SIZES = {"5 KB": 5_000, "200 B": 200}
LIMITS = {"5 KB": 4, "200 B": 2.5}
FLOOR_LIMIT = 1.7
PAGES_LIMIT = 18
FRAME = 24 + 4096  # bytes of a page in the write-ahead log, after a header of 32
COUNTED, FEW = 128, 32  # texts whose pages are counted, and after how many the log is emptied
STEP = 9_973  # characters from one slice to the next; a prime, so that slices repeat only after all places were used
ADDS = 20
JOTSAM, BARE = "Jotsam.add", "insert and commit"
PARTS = ("document row", "key", "job", "words index")
FLOOR = PARTS[-1]  # plain SQL that stores the same row, key, job and words: no program that keeps them costs less

Round = dict[str, float]

TABLES = {
    BARE: "create table text (id integer primary key, body text not null) strict;",
    "document row": (
        "create table document (id integer primary key autoincrement, uuid text not null unique, tenant text not null,"
        " project text, source text, key text, actor text, session text, date integer, body text not null,"
        " job_id integer not null, created_at integer not null, cut_at integer) strict;"
        "create index document_source on document (tenant, source, id) where source is not null;"
    ),
    "key": "create unique index document_key on document (tenant, key) where key is not null;",
    "job": (
        "create table job (id integer primary key autoincrement, queue text not null, state text not null,"
        " wake_at integer, created_at integer not null) strict;"
        "create index job_ready on job (queue, id) where state = 'ready';"
        "create table payload (job_id integer primary key, json text) strict;"
        "create table counter (queue text, hour integer, accepted integer, primary key (queue, hour)) strict;"
    ),
    "words index": (
        "create virtual table text_index using fts5 (body, context, grams, content = '', contentless_delete = 1,"
        " tokenize = 'porter unicode61 remove_diacritics 2');"
    ),
}
INSERT_DOCUMENT = (
    "insert into document (uuid, tenant, source, key, body, job_id, created_at) "
    "values (?, 'default', ?, ?, ?, 1, 0) returning id"
)


def measure(plan: Plan) -> Report:
    tables, bounds = [], []
    for label, size in SIZES.items():
        rounds, pages = _rounds(plan, label, size)
        p50 = {side: [one["p50"] for one in found] for side, found in rounds.items()}
        means = {side: sum(one["mean"] for one in found) / len(found) for side, found in rounds.items()}
        tables.append(_table(label, p50, means, pages))
        cost = ratio(p50[JOTSAM], p50[BARE])
        bounds.append(Bound(promise=f"accept {label}, against the bare insert", measured=cost, limit=LIMITS[label]))
        same = f"accept {label}, mean, against plain SQL that stores the same"
        cost = means[JOTSAM] / means[FLOOR]  # With the share of the texts that index what waits, which p50 lacks.
        bounds.append(Bound(promise=same, measured=cost, limit=FLOOR_LIMIT))
        promise = f"accept {label}, pages of log"
        bounds.append(Bound(promise=promise, measured=pages[JOTSAM], limit=PAGES_LIMIT, unit="pages"))
    conditions = ("every commit synced", "each text new", f"{ADDS} texts in a turn, p50")
    return Report(tables=tables, bounds=bounds, conditions=conditions)


def _rounds(plan: Plan, label: str, size: int) -> tuple[dict[str, list[Round]], dict[str, float]]:
    """What each round took, by side, and then the pages of a text; each side is a process of its own."""
    sides = [JOTSAM, BARE, *PARTS]
    with ExitStack() as stack:
        children = {side: stack.enter_context(Child("benchmarks.accept", "serve")) for side in sides}
        for count, (side, child) in enumerate(children.items()):
            child.ask("start", side=side, file=str(plan.folder / f"accept-{label}-{count}"), size=size)
        rounds = take_turns(children, plan.of(full=61, quick=2), lambda child: child.ask("add", count=ADDS))
        return rounds, {side: child.ask("pages", count=COUNTED) for side, child in children.items()}


def _table(label: str, p50: dict[str, list[float]], means: dict[str, float], pages: dict[str, float]) -> Table:
    rows, before = [], 0.0
    for side in (BARE, *PARTS, JOTSAM):
        cost = middle(p50[side])
        name = f"+ {side}" if side in PARTS else side
        against = [number(ratio(p50[side], p50[least])) for least in (BARE, FLOOR)]
        of_mean = duration(means[side]), number(means[side] / means[FLOOR])
        rows.append((name, duration(cost), duration(max(0, cost - before)), *against, *of_mean, number(pages[side])))
        before = cost
    columns = ("side", "p50", "this part", "against bare", "against the same in plain SQL", "mean", "of means", "pages")
    return Table(caption=f"A text of {label}.", columns=columns, rows=rows)


class Bare:
    """Inserts and commits, with all parts up to the one named."""

    def __init__(self, file: str, part: str) -> None:
        self.file = file
        self._parts = [BARE, *PARTS][: [BARE, *PARTS].index(part) + 1]
        self._connection = apsw.Connection(file)
        self._connection.pragma("journal_mode", "wal")
        self._run = self._connection.execute
        self._run("pragma synchronous = full")
        self._run("".join(TABLES[part] for part in self._parts)).fetchall()

    def add(self, text: str, source: str) -> None:
        if self._parts == [BARE]:
            self._run("insert into text (body) values (?)", (text,))
            return
        self._run("begin immediate")
        id = self._run(INSERT_DOCUMENT, (new_id(), source, source if "key" in self._parts else None, text)).get
        if "job" in self._parts:
            job = self._run("insert into job (queue, state, created_at) values ('ingest', 'ready', 0) returning id").get
            self._run("insert into payload values (?, ?)", (job, f'"{id}"'))
            self._run("insert into counter values ('ingest', 0, 1) on conflict do update set accepted = accepted + 1")
        if "words index" in self._parts:
            self._run("insert into text_index (rowid, body, context, grams) values (?, ?, ?, '')", (-id, text, source))
        self._run("commit")

    def empty_log(self) -> None:
        """Fold the log into the file and cut it to nothing. From then on it only grows."""
        self._run("pragma wal_checkpoint(truncate)").fetchall()
        self._run("pragma wal_autocheckpoint = 0").fetchall()


class Ours:
    """`Jotsam.add`, with a key and a source."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._jotsam = jotsam.Jotsam(file, worker="off")

    def add(self, text: str, source: str) -> None:
        self._jotsam.add(text, source=source, key=source)

    def empty_log(self) -> None:
        assert self._jotsam.database.maintain()


def texts(size: int, folder: Path = ROOT / "docs") -> Iterator[str]:
    """Slices of the documents of a folder, one after the other, no two of them the same."""
    whole = "\n".join(documents(folder).values())
    places = len(whole) - size
    for count in itertools.count():
        at = count * STEP % places
        yield whole[at : at + size]


sides: list[Ours | Bare] = []
supply: list[Iterator[tuple[str, str]]] = []


def start(side: str, file: str, size: int) -> None:
    sides.append(Ours(file) if side == JOTSAM else Bare(file, side))
    supply.append(zip(texts(size), (f"notes/text-{number}.md" for number in itertools.count()), strict=False))


def add(count: int) -> Round:
    """The median and the mean of so many texts, in nanoseconds."""
    ready = iter([next(supply[0]) for _ in range(count)])
    took = timed(lambda: sides[0].add(*next(ready)), count)
    return {"p50": middle(took), "mean": sum(took) / count}


def pages(count: int) -> float:
    """The pages that a text appends to the log, which is emptied before it is so long that it is folded."""
    written = 0
    for place in range(count):
        if place % FEW == 0:
            sides[0].empty_log()
        sides[0].add(*next(supply[0]))
        if place % FEW == FEW - 1:
            written += Path(f"{sides[0].file}-wal").stat().st_size - 32
    return written / FRAME / count


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve({"start": start, "add": add, "pages": pages})
    else:
        main(measure, __doc__)
