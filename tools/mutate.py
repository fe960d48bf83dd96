"""Mutation tests: injects one fault at a time and checks that the tests fail.

    python -m tools.mutate                        the declared faults
    python -m tools.mutate --only WORD            those whose description has the word
    python -m tools.mutate FILE TESTS...          ten seeded faults of a Python or SQL file of the package
    python -m tools.mutate --number 30 --seed 1 FILE TESTS...
    python -m tools.mutate --harm                 ten of each file of `HARM`, where a fault does most harm

With a file, prints the faults that the tests do not find; exits 1 if fewer than `FLOOR` percent are found.

Faults in `FAULTS` change the queue and must be found by tests/conformance/test_queue_model.py on SQLite.
Those in `SPEED` change only its speed and must not be found, because the model would require more than the contract.
Those in `NAMED` must be found by the tests that they name: they concern PostgreSQL, or the tenant in queries of memory.
Those in `MEMORY` break the trash, forgetting or the undo of runs, and must be found by the first 20 histories of
tests/faults/test_memory_model.py on SQLite.
Those in tools/guards.py take out a guard of docs/security.md, and must be found by the test that is named there.
Without a file, prints one line per fault; exits 1 if a result is not the expected one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools import mutants
from tools.guards import GUARDS

ROOT = Path(__file__).parents[1]
COMMON = "common/queue.sql"
SQLITE = "sqlite/queue.sql"
POSTGRES = "postgres/queue.sql"
ISOLATION = "postgres/migrations/memory_0001_initial/5_tenant_isolation.sql"
SCHEMA = "sqlite/migrations/queue_0001_initial.sql"
FENCE = "where id = :id and received = :received and state = 'leased'"
UNFENCED = "where id = :id and state = 'leased'"
UNLEASED = "where id = :id and received = :received"
GONE = "delete from queue_job\n"

# What breaks, the file, the query, the text, and what it becomes.
FAULTS = [
    ("delete: no fencing token", SQLITE, "delete_one", GONE + FENCE, GONE + UNFENCED),
    ("delete: of a job that is not leased", SQLITE, "delete_one", GONE + FENCE, GONE + UNLEASED),
    ("extend: no fencing token", SQLITE, "extend", FENCE, UNFENCED),
    ("extend: of a job that is not leased", SQLITE, "extend", FENCE, UNLEASED),
    ("extend: does nothing", SQLITE, "extend", "set wake_at = :now + (:jobs ->> '$[0][2]')", "set wake_at = wake_at"),
    ("settle: no fencing token", SQLITE, "lock_leased", FENCE, "where id = :id and state = 'leased'"),
    ("settle: of a job that is not leased", SQLITE, "lock_leased", FENCE, "where id = :id and received = :received"),
    ("put back: forgets the failure", COMMON, "put_back", "failures = :failures", "failures = failures"),
    ("put back: at once", COMMON, "put_back", "wake_at = :wake_at", "wake_at = case when :wake_at > 0 then 0 end"),
    (
        "ids are used again",
        SCHEMA,
        "",
        "id integer primary key autoincrement,\n  queue",
        "id integer primary key,\n  queue",
    ),
    ("receive: the token does not rise", SQLITE, "receive", "received = received + 1", "received = 1"),
    ("receive: the lease is too short", SQLITE, "receive", ":now + coalesce(:lease_ms, lease_ms)", ":now + 1"),
    ("receive: priorities upside down", SQLITE, "receive", "priority desc", "priority"),
    ("receive: last in, first out", SQLITE, "receive", "place, id", "place, id desc"),
    ("receive: also what waits", SQLITE, "receive", "state = 'ready'", "state in ('ready', 'waiting')"),
    ("receive: also what is blocked", SQLITE, "receive", "state = 'ready'", "state in ('ready', 'blocked')"),
    ("receive: also what is dead", SQLITE, "receive", "state = 'ready'", "state in ('ready', 'dead')"),
    ("receive: from any queue", SQLITE, "receive", "queue = :queue and state", "state"),
    ("receive: more than asked for", SQLITE, "receive", "limit :limit", "limit :limit + 1"),
    ("receive one: the token does not rise", SQLITE, "receive_one", "received = received + 1", "received = 1"),
    ("receive one: priorities upside down", SQLITE, "receive_one", "priority desc", "priority"),
    ("receive one: from any queue", SQLITE, "receive_one", "queue = :queue and state", "state"),
    ("receive one: also what is blocked", SQLITE, "receive_one", "state = 'ready'", "state in ('ready', 'blocked')"),
    ("due: too late", SQLITE, "due", "wake_at <= :now", "wake_at < :now"),
    ("due: too early", SQLITE, "due", "wake_at <= :now", "wake_at <= :now + 5000"),
    ("wake: forgets the failure", COMMON, "wake", "failures = :failures", "failures = failures"),
    ("wake: always ready", COMMON, "wake", "set state = :state", "set state = 'ready'"),
    ("clock: does not turn back", COMMON, "shift_clock", "wake_at - :by", "wake_at"),
    ("clock: is never seen", SQLITE, "save_clock", "set seen_at = :now", "set seen_at = seen_at"),
    ("key: of any tenant", COMMON, "find_key", "tenant = :tenant and ", ""),
    ("key: is not kept", COMMON, "find_key", "expires_at > :now", "expires_at < :now"),
    ("lane: of any tenant", COMMON, "lane_active", "tenant = :tenant and ", ""),
    ("lane: of any queue", COMMON, "lane_blocked", "queue = :queue and ", ""),
    ("lane: the last comes first", COMMON, "lane_blocked", "order by id", "order by id desc"),
    ("lane: a batch leaps over a barrier", COMMON, "lane_barrier", "min(id)", "max(id)"),
    ("lane: a batch takes the barrier along", COMMON, "lane_open_batch", "id < :barrier", "id <= :barrier"),
    ("lane: a batch opens all lanes", COMMON, "lane_open_batch", "lane = :lane and ", ""),
    ("lane: a barrier never opens", COMMON, "lane_open_one", "set state = 'ready'", "set state = 'blocked'"),
    ("redrive: with its old failures", COMMON, "redrive", "failures = 0", "failures = failures"),
    ("discard: of a running job", COMMON, "discard", " and state <> 'leased'", ""),
    ("payload: is left behind", COMMON, "delete_payload", "job_id = :id", "job_id = -:id"),
    ("pause: has no effect", COMMON, "pause", "paused = 1", "paused = 0"),
    ("resume: has no effect", COMMON, "resume", "paused = 0", "paused = 1"),
    (
        "count: done is not counted",
        SQLITE,
        "delete_one",
        "set done = queue_count.done + excluded.done",
        "set done = queue_count.done",
    ),
    ("depth: also of other tenants", COMMON, "live", "queue = :queue and tenant = :tenant", "queue = :queue"),
]
SPEED = [
    ("no index of what is ready", SCHEMA, "", "create index queue_ready", "-- create index queue_ready"),
    ("no index of what is due", SCHEMA, "", "create index queue_wake", "-- create index queue_wake"),
]
STEPS_OVER = "for no key update skip locked"
CLAIMS = "tests/postgres/test_claims.py"
ROW_SECURITY = "tests/postgres/test_row_level_security.py"
NOTIFY = "tests/postgres/test_server.py::test_a_ring_reaches_another_connection"
TENANT = "tests/unit/test_sql_tenant.py"
MODEL = "tests/conformance/test_queue_model.py"
QUEUE = "tests/conformance/test_queue.py"
FORCED = "enable row level security, force row level security"
POLICY = "create policy tenant_isolation on memory using (tenant = nullif(current_setting('jotsam.tenant', true), ''))"

# As above, with the tests that must find it.
NAMED = [
    ("a claim of one waits for others", POSTGRES, "receive_one", STEPS_OVER, "for no key update", CLAIMS),
    (
        "a claim of several waits for others",
        POSTGRES,
        "receive",
        f"(select count(*) from equal)\n  {STEPS_OVER}",
        "(select count(*) from equal)\n  for no key update",
        CLAIMS,
    ),
    ("waking waits for others", POSTGRES, "due", STEPS_OVER, "for no key update", CLAIMS),
    ("a claim takes what another has", POSTGRES, "receive_one", f"  {STEPS_OVER}\n", "", CLAIMS),
    (
        "delete: no fencing token",
        POSTGRES,
        "delete",
        "(id, received) in (select id, received from given)",
        "id in (select id from given)",
        QUEUE,
    ),
    (
        "delete one: no fencing token",
        POSTGRES,
        "delete_one",
        "where id = :id and received = :received and state || '' = 'leased'",
        "where id = :id and state || '' = 'leased'",
        QUEUE,
    ),
    (
        "extend: no fencing token",
        POSTGRES,
        "extend",
        "(id, received) in (select id, received from given)",
        "id in (select id from given)",
        QUEUE,
    ),
    ("settle: no fencing token", POSTGRES, "lock_leased", "and received = :received ", "", QUEUE),
    ("receive: the token does not rise", POSTGRES, "receive", "received = received + 1", "received = 1", MODEL),
    ("receive one: priorities make no difference", POSTGRES, "receive_one", "priority desc, ", "", MODEL),
    ("receive: what comes back loses its place", POSTGRES, "receive", "'ready' and requeued", "'none'", CLAIMS),
    ("receive: a pause is overlooked", POSTGRES, "receive", "coalesce(q.paused, 0) = 0 and ", "", QUEUE),
    (
        "receive: what is due is overlooked",
        POSTGRES,
        "receive",
        "and not exists (select 1 from queue_job where wake_at <= :now and wake_at > :since)",
        "",
        QUEUE,
    ),
    (
        "receive: the clock is overlooked",
        POSTGRES,
        "receive",
        " and c.seen_at between :now - :tolerance and :now",
        "",
        QUEUE,
    ),
    ("a job that is relied on can be acknowledged", POSTGRES, "lock_live", "\nfor key share skip locked", "", CLAIMS),
    ("redrive: of a job that another process revived", COMMON, "redrive", " and state = 'dead'", "", CLAIMS),
    (
        "the watermark is never reset",
        "../queue/watermark.py",
        "",
        "        self.position = BEGINNING\n\n    def advance",
        "\n    def advance",
        CLAIMS,
    ),
    ("no process is notified", "../../storage/postgres/postgres.py", "", "notify {self._schema}; ", "", NOTIFY),
    (
        "row-level security is not forced",
        ISOLATION,
        "",
        f"alter table memory {FORCED}",
        "alter table memory enable row level security",
        ROW_SECURITY,
    ),
    (
        "row-level security has a gap",
        ISOLATION,
        "",
        POLICY,
        "create policy tenant_isolation on memory using (true)",
        ROW_SECURITY,
    ),
    ("tenant: missing where a memory is read", "common/memories.sql", "get", "m.tenant = :tenant and ", "", TENANT),
    ("tenant: missing where facts are read", "common/facts.sql", "valid_at", "f.tenant = :tenant and ", "", TENANT),
    (
        "tenant: missing where a title is removed",
        "common/graph.sql",
        "clear_titles",
        "tenant = :tenant and ",
        "",
        TENANT,
    ),
    ("folded counts are lost", POSTGRES, "merge_counts", "sum(done)", "max(done)", "tests/postgres/test_counts.py"),
]

FLOOR = 80
"""Percent of the seeded faults that tests must find."""

# Files in which a fault loses memories, shows them to others, costs money, or lies; and the tests that must find it.
CONFORMANCE = "tests/conformance"
TRASH_TESTS = ("test_trash", "test_trash_order", "test_restored_rows", "test_changes")
ACCEPT_TESTS = (
    "test_memory",
    "test_idempotency",
    "test_discarded",
    "test_forget",
    "test_projects",
    "test_redacted_fields",
)
COST_TESTS = ("test_daily_cap", "test_embedding_costs", "test_llm_extraction", "test_llm_faults")
FACT_TESTS = ("test_fact_list", "test_recall_facts", "test_fact_validity")
FORGET_TESTS = ("test_forget", "test_memory_blocks", "test_cluster")
ERASED = "tests/sqlite/test_forgotten_bytes.py"
UPDATE_TESTS = ("test_update", "test_archive", "test_identities")
SEARCH_TESTS = (
    "test_brief",
    "test_recall_relevance",
    "test_recall_scope",
    "test_recall_time",
    "test_recall_titles",
    "test_recall_words",
)
HARM = {
    "memory/transfer/trash.py": [f"{CONFORMANCE}/{name}.py" for name in TRASH_TESTS],
    "memory/forgetting/forget.py": [*(f"{CONFORMANCE}/{name}.py" for name in FORGET_TESTS), ERASED],
    "memory/writing/update.py": [f"{CONFORMANCE}/{name}.py" for name in UPDATE_TESTS],
    "storage/forgetting/erasure.py": [f"{CONFORMANCE}/test_forget.py", f"{CONFORMANCE}/test_cluster.py"],
    "storage/queue/delivery.py": [QUEUE, CLAIMS],
    "queueing/loop.py": [f"{CONFORMANCE}/test_loop.py", f"{CONFORMANCE}/test_interruptions.py"],
    "ingest/accept.py": [f"{CONFORMANCE}/{name}.py" for name in ACCEPT_TESTS],
    "pipeline/redaction/redact.py": ["tests/unit/test_redact.py"],
    "storage/costs/budget.py": [f"{CONFORMANCE}/{name}.py" for name in COST_TESTS],
    "retrieval/present/footer.py": ["tests/unit/test_footer.py"],
    "storage/sql/common/facts.sql": [f"{CONFORMANCE}/{name}.py" for name in FACT_TESTS],
    "storage/sql/common/search.sql": [f"{CONFORMANCE}/{name}.py" for name in SEARCH_TESTS],
}


HISTORIES = "tests/faults/test_memory_model.py::test_a_memory_keeps_its_promises_through_any_history"
FIRST_TWENTY = f"{HISTORIES}[sqlite-0-9] {HISTORIES}[sqlite-10-19]"
TRASH, FORGET = "../../memory/transfer/trash.py", "../../memory/forgetting/forget.py"
UPDATE, LIFECYCLE = "../../memory/writing/update.py", "../../memory/lifecycle/lifecycle.py"
ERASURE, KEPT_ROWS = "../../storage/forgetting/erasure.py", "../../storage/forgetting/kept_rows.py"
CHANGES, REMOVAL = "../../worker/lifecycle", "../../memory/lifecycle/lifecycle_actions.py"
RUN = f"{CHANGES}/run.py"
KEEPS = "not (row and trash.add(tx, batch=batch, part=part, content=row))"
TRASH_MODULE = "__import__('jotsam.memory.transfer.trash', fromlist=['_keep'])"
COPIES = f"keep or {TRASH_MODULE}._keep(tx, *removal.rows(), batch='b', part=number)"

# What breaks, the file, the text, and what it becomes. Found by `FIRST_TWENTY`.
BREAKS = [
    ("restore: what referred to it does not", TRASH, 'for one in undo["cleared"])', "for one in ())"),
    ("restore: what it superseded stays valid", TRASH, 'in undo["superseded"]:', 'in undo["superseded"][:0]:'),
    ("restore: rows get other ids", KEPT_ROWS, "if column in rows[0])", 'if column in rows[0] and column != "id")'),
    ("restore: the first part alone", TRASH, "for part in reversed(parts)", "for part in parts[:1]"),
    ("restore: turns lose their place", TRASH, "            _order_turns(tx", "            0 and _order_turns(tx"),
    ("restore: a summary stays away", TRASH, "if trash.is_without_summary", "if not one and trash.is_without_summary"),
    (
        "restore: the trash keeps it too",
        TRASH,
        "settings, row, batch) if row",
        f"settings, row, batch) if {KEEPS} and row",
    ),
    ("forget: words stay in the index", ERASURE, "    search.unindex_many(tx, refs)\n", ""),
    ("forget: crystals stay", FORGET, "memories=crystals_without(tx, gone)", "memories=[]"),
    ("forget: summaries stay", FORGET, "        erasure.forget_summaries(tx, self._doomed.memories)\n", ""),
    (
        "forget: one of several is left",
        FORGET,
        "            yield numbers, []",
        "            yield numbers[:-1] or numbers, []",
    ),
    (
        "forget: a copy stays in the trash",
        FORGET,
        "            if keep:\n",
        f"            {COPIES}\n            if keep:\n",
    ),
    ("forget: earlier texts of an update stay", UPDATE, "    updates.forget_versions(tx, number=number)\n", ""),
    ("undo: the last part alone", LIFECYCLE, "            if found is None:", "            if True:"),
    ("undo: the first change of a part is left", RUN, "in reversed(changes):", "in reversed(changes[1:]):"),
    ("undo: changes in their order", RUN, "in reversed(changes):", "in changes:"),
    ("undo: relevance stays", f"{CHANGES}/actions.py", "relevance.save(tx, number, before)", "pass"),
    ("undo: tags of a merge stay", f"{CHANGES}/actions.py", 'tags=undo["tags"]', "tags=[]"),
    ("undo: decisions stay", f"{CHANGES}/crystal_changes.py", "crystals.set_triage(tx, number, before)", "pass"),
    (
        "undo: what was removed stays in the trash",
        REMOVAL,
        'trash.restore_part(tx, undo["batch"], undo["part"])',
        "True",
    ),
    ("undo: once more after a kill", RUN, 'one.get("reverted")', "False"),
]
MEMORY = [(what, file, "", text, broken) for what, file, text, broken in BREAKS]
WITHOUT = [(f"guard: {one.what}", f"../../{one.file}", "", one.text, one.broken, one.test) for one in GUARDS]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutate", description=__doc__.partition("\n")[0])
    parser.add_argument("--number", type=int, default=10, help="how many faults of each file")
    parser.add_argument("--seed", type=int, default=7, help="another one chooses other faults")
    parser.add_argument("--only", metavar="WORD", default="", help="of the declared faults, those that name the word")
    parser.add_argument("--harm", action="store_true", help="the files where a fault does most harm")
    parser.add_argument("file", nargs="?", help="relative to the package: memory/transfer/trash.py")
    parser.add_argument("tests", nargs="*", help="files, or a test by its name")
    given = parser.parse_args()
    chosen = HARM if given.harm else {given.file: given.tests or HARM[given.file]} if given.file else {}
    if not chosen:
        return declared(given.only)
    found = [seeded(file, tests, number=given.number, seed=given.seed) for file, tests in chosen.items()]
    return 0 if min(found) >= FLOOR else 1


def seeded(file: str, tests: Sequence[str], *, number: int, seed: int) -> float:
    """Prints the faults that the tests do not find. Returns how many percent they find."""
    missed, made = mutants.survivors(file, tests, number=number, seed=seed)
    for line in missed:
        print(f"not found  {line}", flush=True)
    print(f"{file}: {made - len(missed)} of {made} faults found", flush=True)
    return 100 * (made - len(missed)) / made


def declared(word: str) -> int:
    """Prints a line for each declared fault that names a word. Returns the exit code."""
    groups = [(FAULTS, MODEL, "sqlite", True), (SPEED, MODEL, "sqlite", False), (MEMORY, FIRST_TWENTY, "sqlite", True)]
    faults = [(fault, tests, on, expected) for some, tests, on, expected in groups for fault in some]
    faults += [(fault[:5], fault[5], "postgres", True) for fault in (*NAMED, *WITHOUT)]
    chosen = [one for one in faults if word in one[0][0]]
    wrong = [
        fault[0]
        for fault, tests, on, expected in chosen
        if not reported(fault, found(fault, tests, on=on), expected=expected)
    ]
    print(f"{len(chosen)} faults; {len(wrong)} unexpected results")
    return 1 if wrong else 0


def reported(fault: Sequence[str], is_found: bool, *, expected: bool) -> bool:
    verdict = "found" if is_found else "not found"
    print(f"{'ok  ' if is_found == expected else 'WRONG'} {verdict:10} {fault[0]}", flush=True)
    return is_found == expected


def found(fault: Sequence[str], tests: str, *, on: str) -> bool:
    """Whether the tests fail on a copy of the package with this fault."""
    _, file, query, text, broken = fault
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        path = source / "jotsam" / "storage" / "sql" / file
        path.write_text(mutated(path.read_text(), query, text, broken))
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "--hypothesis-profile=unshrunk",
        ]
        command += ["--confcutdir", str(ROOT / "tests"), *(str(ROOT / one) for one in tests.split())]
        command += ["-k", on] if tests == MODEL else []
        command += ["-m", ""] if tests == FIRST_TWENTY else []
        environment = {**os.environ, "PYTHONPATH": str(source)}
        ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if ended.returncode not in (0, 1):
        raise SystemExit(ended.stdout + ended.stderr)
    return ended.returncode == 1


def mutated(sql: str, query: str, text: str, broken: str) -> str:
    """The file with one text replaced, inside one query."""
    start = sql.index(f"-- name: {query}\n") if query else 0
    end = sql.find("-- name: ", start + 1) if query else len(sql)
    end = len(sql) if end < 0 else end
    body = sql[start:end]
    if text not in body:
        raise SystemExit(f"{query or 'the schema'} does not hold {text!r} any more: bring tools/mutate.py up to date")
    return sql[:start] + body.replace(text, broken, 1) + sql[end:]


if __name__ == "__main__":
    sys.exit(main())
