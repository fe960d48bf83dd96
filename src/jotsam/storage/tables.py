"""The registry of tables: one record each, in the order of their references. What handles all tables reads it.

Partitions, copies of a database, tenants that move, salvage, the trash, forgetting a tenant and the check of row-level
security do. What the catalogue of a database says is not repeated here: columns, primary keys, references, and what
goes with a row that is deleted. A test compares both. This module must not import anything slow.
"""

from __future__ import annotations

from jotsam.core.records import Record

# Who a row belongs to, unless it belongs to a row of the table that is named.
TENANT = "a tenant"
# A worker claims across tenants, so there is no row-level security, also not for a column `tenant`.
QUEUE = "the queue"
SHARED = "all tenants"
DATABASE = "the database"

# What `forget` deletes. Rows of the tables that belong to them go too, by `on delete cascade`, and are in the trash.
FORGOTTEN = ("document", "memory", "entity", "pattern")

_WORK = "it is about work, not about what is known"
_COMPUTED = "it is computed again"
_RUNS = "it is about runs of the lifecycle"
_MONEY = "it is about costs"
_ACCESS = "it is about who may use this database"


class Table(Record):
    """A table, and what happens to its rows."""

    name: str
    owner: str  # one of the four above, or a table
    key: tuple[str, ...] = ()  # the columns by which rows of others find the same thing when it has another id
    partitioned: bool = False  # on a server: those that grow with the memories; others would only cost locks
    line: str = ""  # the kind of line of an export that has its rows
    not_exported: str = ""  # why there is none
    left_out: str = ""  # why it is neither copied to another database nor moved with a tenant
    is_rebuilt: bool = False  # made again from other rows: when they are copied, salvaged or restored from the trash
    summed: tuple[str, ...] = ()  # several rows may have the same values in these; the other columns are added up
    replaced_by: tuple[str, ...] = ()  # references to what replaces the row, which the trash does not restore blindly

    @property
    def is_of_tenant(self) -> bool:
        """Whether every row has a tenant, and row-level security hides it from others."""
        return self.owner == TENANT or self.owner in TABLES

    @property
    def is_local(self) -> bool:
        """Whether rows of a tenant are removed when it moves, and not copied."""
        return self.owner == TENANT and bool(self.left_out) and not self.is_rebuilt

    @property
    def is_kept(self) -> bool:
        """Whether the trash keeps rows that are forgotten."""
        return not self.is_rebuilt and (self.name in FORGOTTEN or self.owner in FORGOTTEN)


_ALL = (
    Table(name="jotsam_migration", owner=DATABASE, not_exported=_WORK, left_out="each database has its own migrations"),
    Table(name="jotsam_copy", owner=DATABASE, not_exported=_WORK, left_out="the progress of a copy"),
    Table(name="embedder", owner=SHARED, key=("name",), line="memory"),
    Table(name="daily_spend", owner=SHARED, not_exported=_MONEY),
    Table(name="model_use", owner=SHARED, not_exported=_MONEY),
    Table(name="project", owner=TENANT, line="project"),
    Table(name="document", owner=TENANT, partitioned=True, line="document", replaced_by=("superseded_by",)),
    Table(
        name="memory",
        owner=TENANT,
        partitioned=True,
        line="memory",
        replaced_by=("superseded_by", "archived_by"),
    ),
    Table(name="memory_version", owner="memory", partitioned=True, line="memory"),
    Table(name="recall_count", owner="memory", partitioned=True, line="memory"),
    Table(name="memory_tag", owner="memory", partitioned=True, line="memory"),
    Table(name="metadata_index", owner="memory", partitioned=True, not_exported=_COMPUTED),
    Table(name="date_range", owner="memory", partitioned=True, line="memory"),
    Table(name="redaction", owner="memory", partitioned=True, line="memory"),  # or it belongs to a document
    Table(name="entity", owner=TENANT, key=("category", "slug"), partitioned=True, line="entity"),
    Table(name="mention", owner="memory", partitioned=True, line="memory"),
    Table(name="title", owner="memory", partitioned=True, line="memory"),
    Table(name="link", owner="memory", partitioned=True, line="link"),
    Table(name="change_word", owner="memory", partitioned=True, not_exported=_COMPUTED),
    Table(name="hint_word", owner="memory", partitioned=True, not_exported="a model is asked again"),
    Table(name="pattern", owner=TENANT, key=("type", "slug"), line="pattern"),
    Table(name="pattern_terms", owner="memory", partitioned=True, line="memory"),
    Table(name="pattern_example", owner="memory", partitioned=True, line="memory"),
    Table(name="pattern_lock", owner=TENANT, not_exported=_WORK),
    Table(name="fact", owner="memory", partitioned=True, line="memory", replaced_by=("superseded_by",)),
    Table(name="embedding", owner="memory", partitioned=True, line="memory"),
    Table(
        name="embedding_index",
        owner="embedding",
        partitioned=True,
        not_exported=_COMPUTED,
        left_out="the copy for pgvector is rebuilt from the vectors",
        is_rebuilt=True,
    ),
    Table(
        name="text_index",
        owner=TENANT,
        partitioned=True,
        not_exported=_COMPUTED,
        left_out="it is rebuilt from the texts",
        is_rebuilt=True,
    ),
    Table(
        name="text_index_waiting",
        owner="document",
        not_exported=_COMPUTED,
        left_out="the text index is rebuilt with these texts",
        is_rebuilt=True,
    ),
    Table(
        name="text_count",
        owner=TENANT,
        not_exported=_COMPUTED,
        left_out="it is rebuilt with the text index",
        is_rebuilt=True,
    ),
    Table(name="llm_cache", owner="memory", partitioned=True, not_exported="a model is asked again"),
    Table(name="relevance", owner="memory", partitioned=True, not_exported=_COMPUTED),
    Table(name="theme", owner=TENANT, partitioned=True, not_exported=_COMPUTED),
    Table(name="theme_member", owner="memory", partitioned=True, not_exported=_COMPUTED),
    Table(name="triage", owner="memory", partitioned=True, not_exported=_COMPUTED),
    Table(name="identity", owner="entity", partitioned=True, not_exported=_COMPUTED),
    Table(name="note", owner="memory", partitioned=True, line="note", replaced_by=("ended_by",)),
    Table(name="memory_block", owner=TENANT, line="block"),
    Table(name="item", owner=TENANT, line="item"),
    Table(name="item_field", owner="item", not_exported=_COMPUTED),
    Table(name="item_word", owner="item", not_exported=_COMPUTED),
    Table(name="item_vector", owner="item", line="item"),
    Table(name="allowed_secret", owner=TENANT, line="allowed_secret"),
    Table(name="tombstone", owner=TENANT, not_exported="another database may have what was forgotten in this one"),
    Table(name="tombstone_key", owner=TENANT, not_exported="it is secret"),
    Table(name="trash", owner=TENANT, partitioned=True, not_exported="an export has nothing that was forgotten"),
    Table(name="given_text", owner=TENANT, not_exported="it repeats what memories say"),
    Table(name="kept_reply", owner=TENANT, not_exported=_WORK),
    Table(name="ledger", owner=TENANT, not_exported=_MONEY),
    Table(name="api_token", owner=TENANT, not_exported=_ACCESS),
    Table(name="audit", owner=TENANT, not_exported=_ACCESS),
    Table(name="lifecycle_schedule", owner=TENANT, not_exported=_RUNS),
    Table(name="lifecycle_run", owner=TENANT, not_exported=_RUNS),
    Table(name="lifecycle_change", owner="lifecycle_run", not_exported=_RUNS),
    Table(name="lifecycle_refusal", owner=TENANT, not_exported=_RUNS),
    Table(name="lifecycle_pair", owner="lifecycle_run", not_exported=_RUNS),
    Table(name="event", owner=TENANT, not_exported=_WORK, left_out="what happened on the source is not news elsewhere"),
    Table(name="event_pruned", owner=TENANT, not_exported=_WORK, left_out="it describes the events"),
    Table(name="recording", owner=DATABASE, not_exported=_WORK, left_out="the server that records runs on the source"),
    Table(name="engine", owner=DATABASE, not_exported=_WORK, left_out="an engine belongs to one database"),
    Table(
        name="mirror_progress",
        owner=TENANT,
        not_exported=_WORK,
        left_out="it describes what engines of the source hold",
    ),
    Table(
        name="mirror_change", owner=TENANT, not_exported=_WORK, left_out="it describes what engines of the source lack"
    ),
    Table(
        name="worker_lease",
        owner=DATABASE,
        not_exported=_WORK,
        left_out="the lease belongs to a process on the source",
    ),
    Table(
        name="tenant_move",
        owner=DATABASE,
        not_exported=_WORK,
        left_out="it describes how the source and a third database divide their tenants",
    ),
    Table(name="held_job", owner=QUEUE, not_exported=_WORK, left_out="no tenant moves while a database is copied"),
    Table(name="queue_attempt", owner=QUEUE, not_exported=_WORK),
    Table(name="queue_clock", owner=QUEUE, not_exported=_WORK),
    Table(name="queue_control", owner=QUEUE, not_exported=_WORK),
    Table(name="queue_count", owner=QUEUE, not_exported=_WORK, summed=("queue", "tenant", "kind", "hour")),
    Table(name="queue_key", owner=QUEUE, not_exported=_WORK),
    Table(name="queue_payload", owner=QUEUE, not_exported=_WORK),
    Table(name="queue_result", owner=QUEUE, not_exported=_WORK),
    Table(name="queue_tenant", owner=QUEUE, not_exported=_WORK),
    Table(name="queue_worker", owner=QUEUE, not_exported=_WORK),
    Table(name="queue_job", owner=QUEUE, not_exported=_WORK),  # last: copying it ends a copy
)
TABLES = {table.name: table for table in _ALL}


def left_out() -> set[str]:
    """The tables that are not copied."""
    return {table.name for table in _ALL if table.left_out}
