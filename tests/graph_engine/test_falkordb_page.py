"""What a worker writes to a FalkorDB, and the Cypher on docs/engines.md, which prints what the page shows."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from falkordb_server import FalkorDBServer
from jotsam import Jotsam
from jotsam.engines.falkordb import FalkorDBEngine
from jotsam.memory.engines import engines
from jotsam.storage.engines import mirror

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "engines.md"

sys.path.insert(0, str(ROOT / "tests" / "docs"))
from doc_pages import blocks  # noqa: E402


def test_each_query_of_the_page_prints_what_it_shows(new_server: Callable[..., FalkorDBServer], jot: Jotsam) -> None:
    server = new_server()
    shown = blocks(PAGE)
    stored = next(json.loads(f"[{','.join(one.text.splitlines())}]") for one in shown if "for billing" in one.text)
    new, old, _ = [one.receipt.id for one in jot.remember_many(stored) if one.receipt]
    jot.knowledge.link(old, "INVALIDATED_BY", new, properties={"reason": "ACID"})
    engines.add(jot.database, jot.settings, server.address)
    jot.work()
    graph, wrong, queries = server.graph("jotsam:default"), [], 0
    for query, answer in pairwise(shown):
        if query.language == "cypher":
            queries += 1
            rows = graph.ro_query(query.text).result_set
            printed = "\n".join(" | ".join(map(str, row)) for row in rows)
            if printed != answer.text.strip():
                wrong.append(f"{query.where}\n{printed}")
    assert not wrong, "\n\n".join(wrong)
    assert queries >= 4


def test_each_change_of_a_memory_reaches_the_graph(new_server: Callable[..., FalkorDBServer], jot: Jotsam) -> None:
    server = new_server()
    engine = FalkorDBEngine(server.address)
    engines.add(jot.database, jot.settings, server.address)

    def check() -> None:
        jot.work()
        with jot.database.snapshot(tenant="default") as tx:
            stored = mirror.read_memories(tx, mirror.uuids(tx))
        assert engine.read_memories("default", stored) == {id: one.replace(vector=None) for id, one in stored.items()}
        assert engine.digests("default", after="", limit=100) == [(id, stored[id].digest) for id in sorted(stored)]

    ids = [jot.remember(f"Ana chose PostgreSQL {number} for 'billing' at Acme.").id for number in range(3)]
    check()
    jot.knowledge.link(ids[0], "PREFERS_OVER", ids[1], weight=1 / 3, properties={"reason": 'a "quote"', "context": "x"})
    jot.update(ids[2], text="Bob moved to Lisbon in March 2026.", metadata={"n": [1, None]}, importance=0.1 + 0.2)
    check()
    jot.supersede(ids[1], ids[2])
    check()
    jot.forget(jot.plan_forget(ids=[ids[0]]))
    check()
    assert engine.count("default") == 2
