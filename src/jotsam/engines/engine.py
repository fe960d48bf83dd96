"""The contract of an engine: another database that holds a copy of the memories, kept up by `mirror` jobs.

An engine keeps tenants apart. It knows nothing of SQL and of jobs. Every call may be repeated: it is safe to do it
twice, or after a part of it was done. Calls raise `ProviderUnavailable` if the server cannot be reached or is starting,
and other errors of the package for what retrying cannot help. Objects are thread-safe; making one connects nowhere.
"""

from __future__ import annotations

from jotsam.core.errors import ProviderUnavailable

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from jotsam.core.mirror_records import MirroredMemory

    class Engine(Protocol):
        """`version` rises with each batch of a tenant: an earlier version overwrites nothing of a later one."""

        def prepare(self) -> str:
            """Create what is missing (indexes, collections), delete what belongs to no memory, as entities that none
            mentions, and return the server's version, for people.
            """
            ...

        def upsert(self, tenant: str, memories: Sequence[MirroredMemory], *, version: int) -> None:
            """Make the engine hold exactly these memories: fields, mentions, facts, outgoing links, vector.

            A link whose target is not there yet is kept until it comes.
            """
            ...

        def delete(self, tenant: str, ids: Iterable[str]) -> None:
            """Remove memories with everything that belongs to them alone. Ids that are not there are passed over."""
            ...

        def forget_tenant(self, tenant: str) -> None: ...

        def tenants(self) -> list[str]:
            """Tenants of which anything is held."""
            ...

        def count(self, tenant: str) -> int:
            """Memories held of a tenant."""
            ...

        def digests(self, tenant: str, *, after: str, limit: int) -> list[tuple[str, str]]:
            """Ids and digests of memories, in order of id, after an id ("" is the beginning)."""
            ...

        def read_memories(self, tenant: str, ids: Iterable[str]) -> dict[str, MirroredMemory]:
            """Memories as they are held, read back from the engine's own data and not from a copy of what was sent."""
            ...

        def close(self) -> None: ...

    class VectorEngine(Engine, Protocol):
        """An engine that compares vectors."""

        def nearest(
            self, tenant: str, query: bytes, *, embedder: str, limit: int, projects: Sequence[str] | None
        ) -> dict[str, float]:
            """The nearest memories by cosine, best first: UUIDs and cosines. `projects` None: all of the tenant.

            What is superseded or no longer valid may be among them: the caller asks SQL what may be shown.
            """
            ...


class EngineInUse(ProviderUnavailable):
    """Another process has the engine open, and only one can."""
