"""What each method of `Client.knowledge` sends. The signatures are those of `Knowledge`."""

from __future__ import annotations

import jotsam
from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.remote.request import Request, given, list_of, member, reading, record, segment, tuple_of, writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Unpack

    from jotsam.memory.options import EntityCategory, FactOptions, LinkItem, SelectionOptions

MAX_LINKS = 500


class KnowledgeCalls:
    """The methods of `Knowledge` as requests."""

    def entities(
        self,
        *,
        category: EntityCategory | None = None,
        words: str | None = None,
        actor: str | None = None,
        limit: int = 50,
    ) -> Request[tuple[jotsam.NamedEntity, ...]]:
        query = {"category": category, "words": words, "actor": actor, "limit": limit}
        return reading("/v1/entities", tuple_of(lambda: jotsam.NamedEntity), query)

    def entity(self, name: str) -> Request[jotsam.NamedEntity]:
        return reading(f"/v1/entities/{segment('name', name)}", record(lambda: jotsam.NamedEntity))

    def merge_candidates(self, *, limit: int = 100) -> Request[tuple[jotsam.MergeCandidate, ...]]:
        return reading("/v1/entities/merge-candidates", tuple_of(lambda: jotsam.MergeCandidate), {"limit": limit})

    def review_entities(self, *, limit: int = 2_000) -> Request[tuple[jotsam.ReviewedEntity, ...]]:
        return reading("/v1/entities/review", tuple_of(lambda: jotsam.ReviewedEntity), {"limit": limit})

    def merge(self, name: str, *, into: str) -> Request[str]:
        return writing("/v1/entities/merge", member("entity", str), {"name": name, "into": into})

    def split(self, name: str) -> Request[str]:
        return writing("/v1/entities/split", member("entity", str), {"name": name})

    def facts(self, *, limit: int = 50, **options: Unpack[FactOptions]) -> Request[list[jotsam.Fact]]:
        return reading("/v1/facts", list_of(lambda: jotsam.Fact), {"limit": limit, **options})

    def patterns(
        self, *, type: str | None = None, actor: str | None = None, limit: int = 50
    ) -> Request[tuple[jotsam.Pattern, ...]]:
        query = {"type": type, "actor": actor, "limit": limit}
        return reading("/v1/patterns", tuple_of(lambda: jotsam.Pattern), query)

    def graph(self, id: str, *, actor: str | None = None) -> Request[jotsam.MemoryGraph]:
        path = f"/v1/memories/{segment('id', id)}/graph"
        return reading(path, record(lambda: jotsam.MemoryGraph), {"actor": actor})

    def overview(
        self, *, limit: int = 500, history: bool = False, **selection: Unpack[SelectionOptions]
    ) -> Request[jotsam.GraphOverview]:
        query = {"limit": limit, "history": history, **selection}
        return reading("/v1/graph", record(lambda: jotsam.GraphOverview), query)

    def neighbourhood(
        self, id: str, *, types: Iterable[str] = (), depth: int = 1, limit: int = 100, similar: int = 5
    ) -> Request[jotsam.Neighbourhood]:
        query = {"types": validate.check_list("types", types), "depth": depth, "limit": limit, "similar": similar}
        path = f"/v1/memories/{segment('id', id)}/neighbourhood"
        return reading(path, record(lambda: jotsam.Neighbourhood), query)

    def statistics(self) -> Request[jotsam.KnowledgeStatistics]:
        return reading("/v1/graph/statistics", record(lambda: jotsam.KnowledgeStatistics))

    def preferences(self, *, actor: str | None = None, limit: int = 10) -> Request[tuple[jotsam.StatedPreference, ...]]:
        query = {"actor": actor, "limit": limit}
        return reading("/v1/graph/preferences", tuple_of(lambda: jotsam.StatedPreference), query)

    def link(
        self,
        source: str,
        type: str,
        target: str,
        *,
        weight: float = 1.0,
        properties: Mapping[str, Any] | None = None,
    ) -> Request[jotsam.Link]:
        body = {"source": source, "type": type, "target": target, "weight": weight, **given(properties=properties)}
        return writing("/v1/links", record(lambda: jotsam.Link), body)

    def link_many(self, items: Iterable[LinkItem]) -> Request[list[jotsam.ItemResult]]:
        found = validate.check_list("items", items)
        if len(found) > MAX_LINKS:
            raise InvalidInput(f"invalid items: {len(found):,} are given: must be at most {MAX_LINKS} a call")
        return writing("/v1/links/batch", _results, {"items": found})

    def unlink(self, source: str, type: str, target: str) -> Request[jotsam.Link]:
        body = {"source": source, "type": type, "target": target}
        return writing("/v1/links/delete", record(lambda: jotsam.Link), body)

    def allow(self, secret: str, *, reason: str) -> Request[str]:
        return writing("/v1/allowed-secrets", member("fingerprint", str), {"secret": secret, "reason": reason})

    def allow_redacted(self, prefix: str, *, reason: str) -> Request[str]:
        return writing("/v1/allowed-secrets", member("fingerprint", str), {"fingerprint": prefix, "reason": reason})

    def redactions(self, *, limit: int = 50) -> Request[tuple[jotsam.Redaction, ...]]:
        return reading("/v1/redactions", tuple_of(lambda: jotsam.Redaction), {"limit": limit})

    def forbid(self, prefix: str) -> Request[int]:
        return writing("/v1/allowed-secrets/forbid", member("forbidden", int), {"fingerprint": prefix})

    def allowed(self) -> Request[tuple[jotsam.AllowedSecret, ...]]:
        return reading("/v1/allowed-secrets", tuple_of(lambda: jotsam.AllowedSecret))


_results = list_of(lambda: jotsam.ItemResult)
