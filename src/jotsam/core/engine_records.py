"""What operators see of engines. Times are milliseconds since 1970, UTC."""

from __future__ import annotations

from jotsam.core.records import Record


class EngineStatus(Record):
    """An engine, and how far it is. The counts are of all tenants."""

    name: str
    address: str
    version: str  # of its server
    problem: str | None  # why it cannot be used now; None: it replied
    memories: int  # in the database
    held: int | None  # in the engine; None: it did not reply, or is a folder that another process has open
    pending: int  # memories that changed, or were never written, since the engine was updated
    oldest: int | None  # when the first of these changes was made
    paused: str | None  # why its jobs do not run
    probe_at: int | None  # when they are tried again
    error: str | None  # the last error about a single memory or job
    created_at: int

    @property
    def lacking(self) -> int:
        """Memories that the engine does not hold, and that no job will write."""
        return 0 if self.held is None else max(0, self.memories - self.pending - self.held)


class EngineDifference(Record):
    """A memory that an engine does not hold as it is."""

    tenant: str
    id: str
    kind: str  # `missing`, `left over` or `differs`
    fields: tuple[str, ...] = ()  # that differ


class TenantComparison(Record):
    """A tenant in the database and in an engine. What is `pending` is not counted as a difference."""

    tenant: str
    memories: int
    held: int
    missing: int = 0
    left_over: int = 0
    differing: int = 0
    pending: int = 0


class EngineComparison(Record):
    """An engine compared with the database."""

    name: str
    tenants: tuple[TenantComparison, ...]
    differences: tuple[EngineDifference, ...]  # the first of them
    sampled: int  # memories that were read back with all fields
    repaired: int  # differences that a worker will end

    @property
    def is_equal(self) -> bool:
        """Whether the engine holds the memories as they are, but for what is pending."""
        return not any(one.missing or one.left_over or one.differing for one in self.tenants)
