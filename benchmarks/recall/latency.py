"""The latency of an answer by the number of memories, the size of the index, and the cost of a new process.

Half of the memories are turns of synthetic conversations, twenty in each, and half are single memories. Their words
are drawn by Zipf's law from thirty thousand, with entities, tags, titles, periods and facts as frequent as in real
documents (`benchmarks/recall/findings`), so that every source of candidates has something to read. They are written by
the storage layer, without jobs. A question has three to eight words, of which one in three is common; one in three
names an entity too, one in five a month, and one in five asks what an entity uses. No model is involved. "CPU" is
processor time, which a busy machine distorts less. "bm25 alone" is the processor time of a bare query of the same file
for the same words: `match ... order by rank limit 10`, without reading a text, in the same process.
"""

from __future__ import annotations

import itertools
import random
import sqlite3
import sys
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter_ns

import jotsam
from benchmarks.child import Child
from benchmarks.plan import Plan, main
from benchmarks.processes import JOTSAM, bare_insert, process_ns
from benchmarks.queue.chart import Series, chart
from benchmarks.recall import findings
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import percentile
from jotsam.core.clock import new_id
from jotsam.core.records import Memory
from jotsam.storage.graph import graph
from jotsam.storage.memories import memories
from jotsam.storage.recall import search

SIZES, MILLION = (1_000, 10_000, 100_000), 1_000_000
FRESH_AT, FRESH_MS, FRESH_RATIO = 10_000, 100, 6
ANSWER_MS = {10_000: (12, 40), 100_000: (30, 100), MILLION: (150, 500)}
"""How long an answer may take: half of them, and 95 %."""

FIRST = 1_600_000_000_000
"""When the first turn was said: in September 2020."""

WORDS, TURNS, ASKED, STARTED = 30_000, 20, 100, 7
NAMES = ("Ana", "Boris", "Chen", "Dora", "Emil", "Fatma", "Goran", "Hana")
ASKER = "benchmarks.recall.asker"
BARE_SEARCH = """
import sqlite3, sys
words = " OR ".join('"' + word.strip("?,") + '"' for word in sys.argv[2:])
query = "select body from texts where texts match ? order by rank limit 10"
print(sqlite3.connect(sys.argv[1]).execute(query, (words,)).fetchall())
"""
CHART = Path(__file__).parents[2] / "docs" / "recall-latency.svg"


def measure(plan: Plan) -> Report:
    sizes = (500,) if plan.quick else (*SIZES, *((MILLION,) if plan.million else ()))
    file = plan.folder / "document.md"
    file.write_text("x" * 5_000)
    rows, p50, p95, bounds = [], [], [], list[Bound]()
    for size in sizes:
        path = plan.folder / f"{size}.db"
        with jotsam.Jotsam(str(path), worker="off") as jot:
            began = perf_counter_ns()
            fill(jot, size)
            filled = perf_counter_ns() - began
            weight = _index_bytes(jot)
            jot.database.maintain()
        with Child(ASKER) as asker:
            asker.ask("start", path=str(path))
            answered = asker.ask("ask", count=plan.of(full=ASKED, quick=20))
            alone = sorted(asker.ask("search_alone", count=plan.of(full=ASKED, quick=20)))
            used = asker.ask("peak")
        times, computed = sorted(wall for wall, _ in answered), sorted(cpu for _, cpu in answered)
        started, bare, searching = _processes(plan, path, file)
        half, most = percentile(times, 0.5), percentile(times, 0.95)
        bounds += bounded(f"an answer, {size:,} memories", half, most, ANSWER_MS.get(size, ()))
        if size == FRESH_AT:
            promise = f"the first answer of a new process, {size:,} memories"
            bounds.append(Bound(promise=promise, measured=started / 1e6, limit=FRESH_MS, unit="ms"))
            against = f"{promise}, against bare Python with a search"
            bounds.append(Bound(promise=against, measured=started / searching, limit=FRESH_RATIO, unit="times"))
        p50.append((size, percentile(computed, 0.5) / 1e6))
        p95.append((size, percentile(computed, 0.95) / 1e6))
        rows.append(
            (
                f"{size:,}",
                duration(half),
                duration(most),
                duration(percentile(computed, 0.5)),
                duration(percentile(computed, 0.95)),
                duration(percentile(alone, 0.5)),
                duration(started),
                number(started / bare),
                number(started / searching),
                f"{path.stat().st_size / 1e6:,.0f} MB",
                f"{weight / 1e6:,.0f} MB",
                f"{used / 1024:,.0f} MiB",
                duration(filled / size),
            )
        )
    if not plan.quick:
        lines = [Series(name="p95", points=p95), Series(name="p50", points=p50)]
        CHART.write_text(
            chart(lines, title="Recall latency by number of memories", across="memories", up="ms of processor time")
        )
    columns = (
        *("memories", "p50", "p95", "CPU p50", "CPU p95", "bm25 alone, CPU p50"),
        *(
            "new process",
            "against a bare insert",
            "against a bare search",
            "database",
            "text index",
            "peak memory",
            "write one",
        ),
    )
    table = Table(caption="An answer of 2,000 tokens, no model.", columns=columns, rows=rows)
    return Report(tables=[table], bounds=bounds, conditions=(f"{ASKED} questions for each size", "one tenant, SQLite"))


def bounded(what: str, half: float, most: float, limits: Sequence[float]) -> Iterator[Bound]:
    """What half of the answers, and 95 % of them, took, against what they may; without limits nothing."""
    for share, took, limit in zip((50, 95), (half, most), limits, strict=False):
        yield Bound(promise=f"{what}, p{share}", measured=took / 1e6, limit=limit, unit="ms")


def fill(jot: jotsam.Jotsam, size: int, *, seed: int = 7) -> None:
    """Write so many turns of conversations, in transactions of a thousand."""
    speak = vocabulary(random.Random(seed))
    dice = random.Random(seed)
    before: dict[str, int] = {}
    finds = random.Random(seed + 1)
    for start in range(0, size, 1_000):
        with jot.database.transaction(durable=False, tenant=jot.settings.tenant) as tx:
            for place in range(start, min(size, start + 1_000)):
                number, turn = divmod(place, TURNS)
                session = None if number % 2 else f"s{number}"
                words = [*itertools.islice(speak, dice.randint(6, 40))]
                said_at = FIRST + place * 60_000
                found = findings.drawn(finds, size=size, said_at=said_at, about=words)
                text = " ".join([*words, *found.names]) + dice.choice((".", ".", "?"))
                memory = Memory(
                    text=text,
                    id=new_id(),
                    tenant=jot.settings.tenant,
                    actor=dice.choice(NAMES),
                    session=session,
                    position=None if session is None else turn,
                    source=None if session else f"{found.heading}.md",
                    section=found.heading,
                    said_at=said_at,
                )
                ref = memories.save(tx, memory, metadata=None, key=None, job_id=place)
                search.index(tx, ref, body=text, context=f"{found.heading} {memory.actor}", grams="")
                memories.mark_enriched(tx, number=ref, summary=None, extractor="rules/2")
                findings.write(tx, memory, ref, found)
                if session and session in before:
                    graph.link(tx, source=ref, target=before[session], type="PRECEDED_BY")
                before |= {session: ref} if session else {}


def questions(seed: int = 11) -> Iterator[str]:
    dice = random.Random(seed)
    common, rare = vocabulary(random.Random(seed)), _rare(random.Random(seed))
    while True:
        words = [next(common) if dice.random() < 0.34 else next(rare) for _ in range(dice.randint(3, 8))]
        if dice.random() < 0.34:
            words.append(findings.name(dice.randint(0, 2_000)))
        when = " in September 2020" if dice.random() < 0.2 else ""
        uses = f", and what does {findings.name(dice.randint(0, 50))} use" if dice.random() < 0.2 else ""
        yield f"what did {dice.choice(NAMES)} say about {' '.join(words)}{when}{uses}?"


def vocabulary(dice: random.Random) -> Iterator[str]:
    """Words without end, the n-th most frequent with a frequency of about 1 / n."""
    sums = list(itertools.accumulate(1 / (place + 2.7) for place in range(WORDS)))
    while True:
        yield word(bisect(sums, dice.random() * sums[-1]))


def _rare(dice: random.Random) -> Iterator[str]:
    while True:
        yield word(dice.randint(200, 5_000))


def word(place: int) -> str:
    """The n-th word: syllables, so that none is the stem of another."""
    return findings.letters(place) + "x"


def _few() -> list[str]:
    return list(itertools.islice(questions(13), STARTED))


def first_answer(plan: Plan, database: Path, **more: str) -> float:
    """How long a new process takes that asks one question."""
    variables = _variables(plan, database) | more
    return percentile(sorted(process_ns([JOTSAM, "recall", "--", question], **variables) for question in _few()), 0.5)


def _processes(plan: Plan, database: Path, file: Path) -> tuple[float, float, float]:
    """How long a process takes that asks one question, one that opens a database, inserts and commits, and one that
    opens one and searches it, by turns.
    """
    searched = plan.folder / "searched.db"
    _write_bare_index(searched)
    asking, bare, searching = [], [], []
    for question in _few():
        asking.append(process_ns([JOTSAM, "recall", "--", question], **_variables(plan, database)))
        bare.append(process_ns(bare_insert(plan.folder / "bare.db", file)))
        searching.append(process_ns([sys.executable, "-c", BARE_SEARCH, str(searched), *question.split()]))
    return percentile(sorted(asking), 0.5), percentile(sorted(bare), 0.5), percentile(sorted(searching), 0.5)


def _write_bare_index(path: Path) -> None:
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create virtual table texts using fts5 (body, tokenize = 'porter unicode61')")
        speak = vocabulary(random.Random(1))
        texts = [(" ".join(itertools.islice(speak, 20)),) for _ in range(FRESH_AT)]
        connection.executemany("insert into texts values (?)", texts)
        connection.commit()


def _index_bytes(jot: jotsam.Jotsam) -> int:
    """What the index of words weighs within the file."""
    with jot.database.snapshot() as tx:
        (row,) = tx.execute("select sum(pgsize) as bytes from dbstat where name glob 'text_index*'")
    return int(row["bytes"])


def _variables(plan: Plan, path: Path) -> dict[str, str]:
    return {"JOTSAM_DB": str(path), "JOTSAM_WORKER": "off", "XDG_CONFIG_HOME": str(plan.folder)}


if __name__ == "__main__":
    main(measure, __doc__)
