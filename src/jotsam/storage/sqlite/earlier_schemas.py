"""Where a column of today is in a file of an earlier development version, for `jotsam salvage`.

Before the first release schemas were changed in place, so such a file cannot be migrated. A table that is not listed
has the name it has today, and so has a column. What an earlier version did not have stays empty.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

TABLES = {
    "allowed_secret": "allowed",
    "daily_spend": "spending",
    "date_range": "period",
    "llm_cache": "reading",
    "pattern_example": "exemplifies",
}

_TENANT = "(select memory.tenant from memory where memory.id = {})"
_UUID = f"""lower({" || '-' || ".join(f"hex(randomblob({size}))" for size in (4, 2, 2, 2, 6))})"""
# What a row of an earlier version has in a column that it does not have by this name, in SQL.
VALUES: dict[tuple[str, str], str] = {
    ("api_token", "purpose"): "'api'",
    ("daily_spend", "reserved_cost"): "0.0",
    ("daily_spend", "reserved_tokens"): "0",
    ("daily_spend", "reserved_until"): "0",
    ("date_range", "tenant"): _TENANT.format("memory_id"),
    ("fact", "uuid"): _UUID,
    ("link", "tenant"): _TENANT.format("source_id"),
    ("llm_cache", "used_at"): "created_at",
    ("memory", "external_id"): "own_id",
    ("mention", "tenant"): _TENANT.format("memory_id"),
    ("pattern_example", "tenant"): _TENANT.format("memory_id"),
    ("queue_clock", "id"): "one",
    ("tombstone_key", "version"): "1",
    ("triage", "judged_by"): "''",
}


def table_of(name: str, existing: Iterable[str]) -> str | None:
    """The table of an earlier file that is this one today; None if it has none."""
    return next((one for one in (name, TABLES.get(name)) if one in set(existing)), None)


def value_of(table: str, column: str, existing: Iterable[str]) -> str | None:
    """SQL for the value of a column in a row of an earlier file; None if such a row has no value for it."""
    if column in set(existing):
        return column
    value = VALUES.get((table, column))
    is_renamed = value is not None and value.isidentifier()
    return None if is_renamed and value not in set(existing) else value
