"""A row in each table of the lifecycle, for tests of what holds for all tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

TABLES = (
    *("lifecycle_schedule", "lifecycle_run", "lifecycle_change", "lifecycle_refusal", "lifecycle_pair"),
    *("relevance", "theme", "theme_member", "triage", "identity"),
)

ROWS = (
    "insert into lifecycle_schedule (tenant, step, due_at) values (:tenant, 'decay', 5)",
    "insert into lifecycle_run (uuid, tenant, step, origin, state, job_id, options, created_at)"
    " values (:tenant || '-run', :tenant, 'decay', 'request', 'done', 0, '{}', 5)",
    "insert into lifecycle_change (tenant, run_id, part, changes)"
    " select tenant, id, 0, '[]' from lifecycle_run where tenant = :tenant",
    "insert into lifecycle_refusal (tenant, hash, created_at) values (:tenant, 'h', 5)",
    "insert into lifecycle_pair (tenant, run_id, first_id, second_id, likeness)"
    " select tenant, id, 1, 2, 0.9 from lifecycle_run where tenant = :tenant",
    "insert into relevance (tenant, memory_id, relevance) select tenant, max(id), 0.5 from memory"
    " where tenant = :tenant group by tenant",
    "insert into theme (uuid, tenant, name, terms, summary_id, created_at)"
    " select :tenant || '-theme', tenant, 'launch', 'launch', max(id), 5 from memory"
    " where tenant = :tenant group by tenant",
    "insert into theme_member (tenant, theme_id, memory_id)"
    " select t.tenant, t.id, t.summary_id from theme t where t.tenant = :tenant",
    "insert into triage (tenant, memory_id, version, text_version, state, crystal_id, judged_by)"
    " select tenant, summary_id, 1, 1, 'none', summary_id, 'rules' from theme where tenant = :tenant",
    "insert into identity (tenant, entity_id, body, sources, hash, made_by, changed_at)"
    " select tenant, max(id), 'A launch.', '[]', 'h', 'rules', 5 from entity where tenant = :tenant group by tenant",
)


def fill_lifecycle(tx: Transaction) -> None:
    """Needs a memory and an entity. The relevance of a memory, too, may be there already."""
    for table in reversed(TABLES):
        tx.execute(f"delete from {table} where tenant = :tenant")
    for sql in ROWS:
        tx.execute(sql)
    tx.execute("update memory set archived_at = 5, archived_by = id where id = (select max(summary_id) from theme)")
