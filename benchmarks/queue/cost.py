"""The cost of a job from put to acknowledgement, against a bare loop and other queues.

The bare loop is one table, one index, and one statement per call on the same SQLite library, with durability and
nothing else. `jotsam.Queue` runs complete: fencing, leases, an idempotency key for every job, a row
of history for every delivery, counters. Then the bare loop is given the same features one after the other, each row
with all rows above it; what is left between its last row and ours is Python, validation, lanes and the circuit
breaker. Both sides sync at the same calls: never, or at put and acknowledgement. Peers have one level for all calls,
so where the disk is synced, they sync at the claim too (huey has no acknowledgement to sync). The mean includes what
the p50 does not: checkpoints of the write-ahead log, which every other side runs whenever the log has a thousand
pages, and ours at most once a second. A thousand jobs are pending, and every side has a process of its own.
"""

from __future__ import annotations

from benchmarks.plan import Plan, main
from benchmarks.queue.bare import GUARANTEES
from benchmarks.queue.contest import Contest
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns

VERBS = ("put", "claim", "acknowledge")
MEAN = "mean of all"
PENDING = 1_000
CYCLES = 60
BATCH = 100
ADDED = {
    "fence": "+ leases and fencing token",
    "aside": "+ payload beside the job",
    "key": "+ idempotency key",
    "history": "+ history of deliveries",
    "counters": "+ counters",
}

Round = dict[str, float]


def measure(plan: Plan) -> Report:
    with Contest(plan) as contest:
        tables, bounds = [], []
        for durable, words in ((False, "without a sync of the disk"), (True, "synced at put and acknowledgement")):
            rounds = _rounds(plan, contest, durable=durable)
            tables.append(_table(words, rounds))
            limit = ratio(_cycles(rounds["jotsam"]), _cycles(rounds["bare"]))
            bounds.append(
                Bound(promise=f"put, claim, acknowledge, {words}, against the bare loop", measured=limit, limit=4.5)
            )
            singles, batches = _batches(plan, contest, durable=durable)
            tables.append(_batch_table(words, singles, batches))
            limit = ratio(batches["jotsam"], batches["bare"])
            bounds.append(
                Bound(promise=f"batches of {BATCH}, {words}, against the bare loop", measured=limit, limit=2.5)
            )
            gain = ratio(singles["jotsam"], batches["jotsam"])
            bounds.append(
                Bound(promise=f"batches of {BATCH} against one by one, {words}", measured=gain, limit=4, at_least=True)
            )
        versions = contest.versions
    conditions = ("payload 200 bytes", f"{PENDING:,} jobs pending", *versions)
    return Report(tables=tables, bounds=bounds, conditions=conditions, remarks=contest.remarks)


def _rounds(plan: Plan, contest: Contest, *, durable: bool) -> dict[str, list[Round]]:
    """The median of each verb in each round, by side."""
    files: dict[str, tuple[str, str]] = {}
    for name in contest.children:
        files[name] = name, contest.open(name, f"cost-{durable}", durable=durable)
    for count, guarantee in enumerate(GUARANTEES, start=1):
        file = contest.open("bare", f"{guarantee}-{durable}", durable=durable, guarantees=GUARANTEES[:count])
        files[ADDED[guarantee]] = "bare", file
    for name, file in files.values():
        contest.children[name].ask("put", file=file, count=plan.of(full=PENDING, quick=20))

    def turn(side: tuple[str, str]) -> Round:
        name, file = side
        took = contest.children[name].ask("cycles", file=file, count=CYCLES)
        return {verb: middle(took[verb]) for verb in VERBS} | {MEAN: sum(map(sum, took.values())) / CYCLES}

    rounds = take_turns(files, plan.of(full=25, quick=2), turn)
    contest.close_files()
    return rounds


def _cycles(rounds: list[Round]) -> list[float]:
    return [sum(taken[verb] for verb in VERBS) for taken in rounds]


def _table(words: str, rounds: dict[str, list[Round]]) -> Table:
    ladder = ["bare", *ADDED.values(), "jotsam"]
    order = [*ladder, *(name for name in rounds if name not in ladder)]
    rows = []
    for name in order:
        verbs = [duration(middle(taken[verb] for taken in rounds[name])) for verb in (*VERBS, MEAN)]
        rows.append((name, *verbs, number(ratio(_cycles(rounds[name]), _cycles(rounds["bare"])))))
    columns = ("side", *VERBS, MEAN, "against bare")
    caption = (
        f"One by one, {words}: p50 of each verb, the mean of all three together, and the ratio of the sums of p50."
    )
    return Table(caption=caption, columns=columns, rows=rows)


def _batches(plan: Plan, contest: Contest, *, durable: bool) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """What a message costs one by one and in a batch, in turns, for the queues that know batches."""
    names = ("jotsam", "bare")
    files = {name: contest.open(name, f"batch-{durable}", durable=durable) for name in names}

    def turn(name: str) -> tuple[float, float]:
        child, file = contest.children[name], files[name]
        took = child.ask("cycles", file=file, count=CYCLES)
        single = sum(middle(took[verb]) for verb in VERBS)
        return single, middle(child.ask("batches", file=file, size=BATCH, count=5))

    results = take_turns({name: name for name in names}, plan.of(full=15, quick=2), turn)
    contest.close_files()
    singles_by_name = {name: [single for single, _ in rounds] for name, rounds in results.items()}
    return singles_by_name, {name: [batch for _, batch in rounds] for name, rounds in results.items()}


def _batch_table(words: str, singles: dict[str, list[float]], batches: dict[str, list[float]]) -> Table:
    rows = [
        (
            name,
            duration(middle(singles[name])),
            duration(middle(batches[name])),
            number(ratio(singles[name], batches[name])),
        )
        for name in singles
    ]
    columns = ("side", "one by one", f"batches of {BATCH}", "gain")
    return Table(caption=f"Per message from put to acknowledgement, {words}.", columns=columns, rows=rows)


if __name__ == "__main__":
    main(measure, __doc__)
