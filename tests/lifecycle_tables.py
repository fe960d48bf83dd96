"""Every row that a tenant's memory consists of, so that a test can tell whether an undo has left a trace."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from jotsam.memory.lifecycle import lifecycle
from jotsam.worker.lifecycle.steps import lifecycle_steps

if TYPE_CHECKING:
    from jotsam import Jotsam
    from jotsam.core.lifecycle_records import LifecyclePlan, LifecycleRun

# Tables with traces of work, not with what is known.
WORK = ("lifecycle_", "queue_", "event", "mirror_", "jotsam_", "recording", "worker_lease", "embedder", "ledger")
# The version of a vector tells the copies in memory that it was written since they were read.
TIMES = {"": ("created_at", "changed_at"), "embedding": ("version",)}

TABLES = {
    True: "select name from sqlite_schema where type = 'table'"
    " and name not glob 'text_index*' and name not glob 'sqlite_*'",
    False: "select relname as name from pg_class where relkind in ('r', 'p') and not relispartition"
    " and relname <> 'text_count' and relnamespace = cast(current_schema() as regnamespace)",
}
# Which texts the index holds, and how long they are together.
INDEX = {
    True: "select count(*) as entries, coalesce(sum(length(sz)), 0) as size from text_index_docsize",
    False: "select sum(memories) as memories, sum(documents) as documents, sum(words) as words from text_count",
}


def memory_rows(jot: Jotsam) -> dict[str, list[str]]:
    """All rows of the tenant by table, without the times of changes, and what the text index holds."""
    is_file = jot.database.is_file
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        names = sorted(row["name"] for row in tx.execute(TABLES[is_file]))
        found = {}
        for name in names:
            if not name.startswith(WORK):
                rows, times = tx.execute(f"select * from {name}"), (*TIMES[""], *TIMES.get(name, ()))
                found[name] = sorted(str({k: v for k, v in row.items() if k not in times}) for row in rows)
        found["the text index"] = [str(row) for row in tx.execute(INDEX[is_file])]
    return found


def plan(jot: Jotsam, step: str) -> LifecyclePlan:
    """The dry run of a step."""
    return lifecycle.plan(jot.database, jot.settings, step, lifecycle_steps(jot.settings), limit=1_000)


def run(jot: Jotsam, step: str) -> LifecycleRun:
    """Run a step in this process until it has ended."""
    asked = lifecycle.request(jot.database, jot.settings, step)
    jot.work()
    ended = lifecycle.show(jot.database, asked.id, tenant=jot.settings.tenant).run
    assert ended.state == "done", ended
    return ended


def undo(jot: Jotsam, ended: LifecycleRun) -> LifecycleRun:
    return lifecycle.undo(jot.database, ended.id, tenant=jot.settings.tenant)


def in_small_parts(size: int) -> None:
    """Let each run have several parts: of so many memories. `step.PART` is imported by name."""
    for name, module in [*sys.modules.items()]:
        if name.startswith("jotsam.worker.lifecycle."):
            for limit in {"PART", "REMOVALS"} & vars(module).keys():
                setattr(module, limit, size)
