"""An engine in the memory of this process: it can be away, slow or hold a batch back, as a test needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from jotsam.core.errors import ProviderUnavailable, Refused
from jotsam.core.mirror_records import MirroredMemory
from jotsam.engines import falkordb


class EngineInMemory:
    """See `jotsam.engines.engine.Engine`."""

    def __init__(self) -> None:
        self.held: dict[str, dict[str, tuple[int, MirroredMemory]]] = {}
        self.is_away = False
        self.refused: set[str] = set()
        self.before_upsert: Callable[[], None] = lambda: None

    def memories(self, tenant: str = "default") -> dict[str, MirroredMemory]:
        return {id: memory for id, (_, memory) in self.held.get(tenant, {}).items()}

    def _reach(self) -> None:
        if self.is_away:
            raise ProviderUnavailable("memory:// does not reply")

    def prepare(self) -> str:
        self._reach()
        return "1.0"

    def upsert(self, tenant: str, memories: Sequence[MirroredMemory], *, version: int) -> None:
        self._reach()
        self.before_upsert()
        if refused := self.refused & {memory.id for memory in memories}:
            raise Refused(f"invalid point {sorted(refused)}", status=400)
        there = self.held.setdefault(tenant, {})
        for memory in memories:
            if memory.id not in there or there[memory.id][0] <= version:
                there[memory.id] = (version, memory)

    def delete(self, tenant: str, ids: Iterable[str]) -> None:
        self._reach()
        for id in ids:
            self.held.get(tenant, {}).pop(id, None)

    def forget_tenant(self, tenant: str) -> None:
        self._reach()
        self.held.pop(tenant, None)

    def tenants(self) -> list[str]:
        self._reach()
        return sorted(tenant for tenant, there in self.held.items() if there)

    def count(self, tenant: str) -> int:
        self._reach()
        return len(self.held.get(tenant, {}))

    def digests(self, tenant: str, *, after: str, limit: int) -> list[tuple[str, str]]:
        self._reach()
        found = sorted((id, memory.digest) for id, memory in self.memories(tenant).items())
        return [one for one in found if one[0] > after][:limit]

    def read_memories(self, tenant: str, ids: Iterable[str]) -> dict[str, MirroredMemory]:
        self._reach()
        there = self.memories(tenant)
        return {id: there[id] for id in ids if id in there}

    def nearest(self) -> None:
        raise NotImplementedError  # It says that vectors are held.

    def close(self) -> None:
        pass


@contextmanager
def engine_in_memory() -> Iterator[EngineInMemory]:
    """Every address of a FalkorDB leads to it."""
    engine = EngineInMemory()
    before = falkordb.FalkorDBEngine
    falkordb.FalkorDBEngine = lambda address, *, password, ca_file: engine  # type: ignore[assignment,misc]
    try:
        yield engine
    finally:
        falkordb.FalkorDBEngine = before  # type: ignore[misc]
