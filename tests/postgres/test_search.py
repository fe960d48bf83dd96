"""Searches under row-level security use the index and read only matching texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from jotsam import Jotsam
from jotsam.core.answers import Terms
from jotsam.core.settings import Settings
from jotsam.storage import connect
from jotsam.storage.recall import search
from jotsam.storage.statements import statement

if TYPE_CHECKING:
    from jotsam.storage.database import Database, Transaction

MANY = 300
ASKED = {"asked": '["x"]', "terms": "[]", "match": "'x'", "shares": None, "tenant": "eve", "most": 9, "least": 0.5}
ASKED |= {
    "project": None,
    "actor": None,
    "narrowed": None,
    "history": 0,
    "archived": 0,
    "with_archived": 0,
    "past": 0,
    "at": 0,
    "embedder_id": 1,
    "listed": "[1, 0]",
}
BY_NUMBER = [
    "search.ranking_fields",
    "search.details",
    "search.predecessors",
    "search.mentioned_dates",
    "search.sharing_entity",
    "search.titled_as_entity",
]
BY_NUMBER += ["search.unmatched", "vectors.visibility", "vectors.states", "vectors.cosines"]

LOOKED = """
select
  (
    select sum(pg_stat_get_xact_numscans(one))
    from (
      select relid as one from pg_partition_tree('text_index_lexemes') union select 'text_index_lexemes'::regclass
    ) indexes
  ) as scans,
  (
    select sum(pg_stat_get_xact_tuples_fetched(one) + pg_stat_get_xact_tuples_returned(one))
    from (select relid as one from pg_partition_tree('text_index') union select 'text_index'::regclass) tables
  ) as texts
"""

RELATED = (
    "insert into embedding (memory_id, tenant, wanted) select id, tenant, 0 from memory",
    "insert into embedding_index (memory_id, tenant, embedder_id, value) select id, tenant, 1, '[1, 0]' from memory",
    "insert into date_range (memory_id, tenant, first, until) select id, tenant, id, id + 1 from memory",
    "insert into entity (tenant, category, slug, name) select tenant, 'tools', id || 's', id || 's' from memory",
    "insert into mention (tenant, memory_id, entity_id)"
    " select m.tenant, m.id, e.id from memory m join entity e on e.slug = m.id || 's'",
    "update memory set superseded_by = id",
    *(f"analyze {table}" for table in ("memory", "embedding", "embedding_index", "date_range", "entity", "mention")),
)
"""What gives each table enough rows for an index to be worth it."""


@pytest.fixture
def eve(url) -> Iterator[Jotsam]:
    with Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0, tenant="eve")) as jot:
        yield jot


def fill(jot: Jotsam) -> None:
    for number in range(MANY):
        jot.remember(f"The wall number n{number} is green.")


def fetched(database: Database, words: str, tenant: str = "eve") -> tuple[int, int, int]:
    """How often a search asks the index, how many texts it looks at, and how many it finds."""
    with database.snapshot(tenant=tenant) as tx:
        before = tx.execute(LOOKED)[0]
        found = searched(tx, words, tenant)
        after = tx.execute(LOOKED)[0]
    return after["scans"] - before["scans"], after["texts"] - before["texts"], found


def searched(tx: Transaction, words: str, tenant: str) -> int:
    scope = search.Scope(tenant=tenant, at=tx.now)
    return len(search.match_text(tx, scope, asked=search.expression(tx, Terms(words=tuple(words.split()))), limit=MANY))


@pytest.mark.parametrize(("words", "finds"), [("n7", 1), ("n7 n8", 2), ("absent", 0), ("green", MANY)])
def test_a_search_looks_at_what_it_finds_and_at_nothing_else(words, finds, eve):
    fill(eve)
    assert fetched(eve.database, words) == (len(words.split()), finds, finds)


def test_it_does_so_too_on_a_connection_that_asked_when_there_was_nothing(eve, url):
    """Its plan is kept, and nobody has told the planner since that there is anything."""
    reader = connect(url)
    try:
        for _ in range(20):
            assert fetched(reader, "n7") == (1, 0, 0)
        fill(eve)
        assert fetched(reader, "n7") == (1, 1, 1)
    finally:
        reader.close()


def test_what_is_common_among_others_costs_a_tenant_nothing(eve):
    fill(eve)
    with Jotsam(settings=eve.settings.replace(tenant="ana")) as ana:
        ana.remember("A green door.")
        assert fetched(ana.database, "green", "ana") == (1, 1, 1)


def test_the_index_is_used_for_a_role_that_owns_nothing(eve, guest):
    fill(eve)
    assert fetched(guest(), "n7") == (1, 1, 1)


def test_a_superuser_who_passes_through_the_wall_finds_the_same(eve, url, server):
    fill(eve)
    ((superuser,),) = server.execute("select current_user")
    with Jotsam(settings=eve.settings.replace(tenant="ana")) as ana:
        ana.remember("Another green wall with a 7.")
    root = connect(server.url(url.rpartition("schema=")[2], role=str(superuser)), migrate=False)
    try:
        assert fetched(root, "n7") == (1, 1, 1)
        assert fetched(root, "green") == (1, MANY, MANY)
    finally:
        root.close()


@pytest.mark.parametrize("query", BY_NUMBER)
def test_what_is_asked_for_by_its_number_is_found_by_it(query, eve):
    """A cast from text could tell what it fails on, so the planner uses none in an index behind a wall."""
    fill(eve)
    params = {**ASKED, **dict.fromkeys(("refs", "memories", "documents"), json.dumps([1, 2, 3]))}
    with eve.database.transaction(tenant="eve") as tx:
        for sql in RELATED:
            tx.execute(sql)
        for way in ("hashjoin", "mergejoin", "material"):  # Else there would have to be many thousands.
            tx.execute(f"set local enable_{way} = off")
        (row,) = tx.execute(f"explain (format json) {statement('postgres', query)}", params)
    plan = row["QUERY PLAN"]
    steps = [(json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]]
    for step in steps:
        steps += step.get("Plans", ())
    assert any(wanted in step.get("Index Cond", "") for step in steps for wanted in ("= asked.ref", "(id = ANY ("))


@pytest.mark.parametrize("length", [1_990, 2_040, 2_046, 2_047, 5_000])
def test_a_word_of_any_length_is_accepted_and_asked_for(length, eve):
    eve.remember(f"Zebra {'x' * length} lion")
    assert eve.recall(f"lion {'x' * length}").coverage.total == 1
    assert eve.recall("zebra").coverage.total == 1
