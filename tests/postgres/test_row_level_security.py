"""Row-level security: a query without its tenant finds nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jotsam import Jotsam
from jotsam.core.answers import Terms
from jotsam.core.errors import JotsamError
from jotsam.core.records import Fact
from jotsam.core.settings import Settings
from jotsam.storage import facts, ledger, search

TABLES = (
    "document",
    "memory",
    "memory_tag",
    "metadata_index",
    "entity",
    "mention",
    "title",
    "link",
    "text_index",
    "fact",
)
TABLES += (
    "llm_cache",
    "ledger",
    "date_range",
    "pattern_terms",
    "pattern_lock",
    "pattern",
    "pattern_example",
    "allowed_secret",
    "redaction",
)
TABLES += ("embedding", "embedding_index")
SHARED = {"daily_spend", "embedder"}
"""What a day has cost all tenants together, for the bill is one; and the models that have made vectors, by name."""

NOTES = "# Notes\n\n## A\nMet with John Smith.\n\n## B\nWe use Redis.\n"


@pytest.fixture
def ana(url) -> Iterator[Jotsam]:
    """A tenant with something in every table, and something that waits."""
    with Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0, tenant="ana", embed_model="hashing")) as jot:
        jot.add(NOTES, source="notes.md")
        jot.remember("Launch Project Launchpad.", tags=["secret"], external_id="n-1", key="k", metadata={"team": "sea"})
        for place in ("kitchen", "hall", "garden"):
            jot.remember(f"We decided to paint the {place} green.")
        jot.work()
        jot.add("The launch is on Friday. The key is AKIAQ3EGRIZ7XT5NVLWB.")
        jot.knowledge.allow("password: swordfish1", reason="an example")
        with jot.database.transaction(tenant="ana") as tx:
            (row,) = tx.execute("select id, uuid from memory limit 1")
            fact = Fact(subject="we", predicate="uses", object="Redis")
            facts.save(tx, number=row["id"], memory=row["uuid"], facts=[fact])
            ledger.save_reply(tx, key="k", body="{}", extractor="llm:m")
            ledger.reserve(
                tx,
                job_id=1,
                model="m",
                purpose="extraction",
                estimate=ledger.Spent(tokens_in=1, tokens_out=1, cost=0.0),
                cap=ledger.Cap(),
            )
        yield jot


def count(tx, table: str) -> int:
    return tx.execute(f"select count(*) as n from {table}")[0]["n"]


@pytest.mark.parametrize("table", TABLES)
def test_a_transaction_that_names_no_tenant_sees_nothing(table, ana):
    with ana.database.snapshot() as tx:
        assert count(tx, table) == 0


@pytest.mark.parametrize("table", TABLES)
def test_a_transaction_sees_its_own_tenant_alone(table, ana):
    for tenant, sees in (("ana", True), ("eve", False), ("", False), ("ana' or '1'='1", False)):
        with ana.database.snapshot(tenant=tenant) as tx:
            assert (count(tx, table) > 0) == sees


@pytest.mark.parametrize("table", TABLES)
def test_nobody_changes_or_removes_what_is_behind_the_wall(table, ana):
    with ana.database.transaction(tenant="eve") as tx:
        tx.execute(f"delete from {table}")
    with ana.database.snapshot(tenant="ana") as tx:
        assert count(tx, table) > 0


@pytest.mark.parametrize(
    "table", ["document", "memory", "entity", "fact", "llm_cache", "ledger", "pattern", "pattern_terms", "date_range"]
)
def test_nothing_can_be_pushed_through_the_wall(table, ana):
    with ana.database.transaction(tenant="eve") as tx:
        tx.execute(f"update {table} set tenant = 'eve'")
    with pytest.raises(JotsamError, match="row-level security"), ana.database.transaction(tenant="ana") as tx:
        tx.execute(f"update {table} set tenant = 'eve'")


def test_a_link_needs_both_its_ends_on_this_side(ana, url):
    with Jotsam(settings=ana.settings.replace(tenant="eve")) as eve:
        mine = eve.remember("Mine.")
        with eve.database.transaction(tenant="ana") as tx:
            theirs = tx.execute("select id from memory limit 1")[0]["id"]
            tx.set_tenant("eve")
            own = tx.execute("select id from memory where uuid = :id", {"id": mine.id})[0]["id"]
        with pytest.raises(JotsamError, match="row-level security"), eve.database.transaction(tenant="eve") as tx:
            tx.execute(
                "insert into link (source_id, target_id, type, weight, created_at) values (:own, :theirs, 'X', 1, 0)",
                {"own": own, "theirs": theirs},
            )


def test_a_connection_that_served_another_tenant_brings_nothing_along(ana):
    """From the pool: the same connection, used by both."""
    backends = set()
    for tenant in ("ana", "eve", "ana", None):
        with ana.database.snapshot() as tx:
            backends.add(tx.execute("select pg_backend_pid() as pid")[0]["pid"])
            if tenant:
                tx.set_tenant(tenant)
            assert (count(tx, "memory") > 0) == (tenant == "ana")
    assert len(backends) == 1


def test_a_transaction_that_failed_leaves_no_tenant_behind(ana):
    with pytest.raises(ZeroDivisionError), ana.database.transaction(tenant="ana") as tx:
        raise ZeroDivisionError
    with ana.database.snapshot() as tx:
        assert count(tx, "memory") == 0


SOUGHT = ["'launch'", "!'x'", "!!'-'", "'launch':*", "'launch' | !'launch'", "", "{tag}"]


@pytest.mark.parametrize("sought", SOUGHT)
def test_whatever_is_sought_is_sought_on_this_side(sought, ana):
    with ana.database.snapshot(tenant="ana") as tx:
        sought = sought.format(tag=f"'{tx.execute('select tenant_prefix() as tag')[0]['tag']}launch'")
        for tenant in ("ana", "eve", ""):
            tx.set_tenant(tenant)
            seek(tx, sought)
            rows = tx.execute("select tenant from text_index")
            assert {row["tenant"] for row in rows} <= {tenant} - {""}
            if sought.endswith("launch'") and tenant == "ana" and len(sought) > len("'launch'"):
                assert rows


@pytest.mark.parametrize("sought", ["'", "launch &", "' or 1=1 --", "(", "launch'; reset jotsam.tenant; '"])
@pytest.mark.parametrize("tenant", ["eve", "ana"])
def test_what_is_no_search_is_refused_and_tells_nothing(sought, tenant, ana):
    with pytest.raises(JotsamError, match="in tsquery") as refused, ana.database.snapshot(tenant=tenant) as tx:
        seek(tx, sought)
        tx.execute("select lexemes from text_index")
    assert "launch" not in str(refused.value).replace(sought, "")


def test_a_search_leaves_nothing_behind_that_hides_a_word(ana):
    """In its own transaction, and in the next on the same connection: what is forgotten is forgotten whole."""
    with ana.database.transaction(tenant="ana") as tx:
        every = count(tx, "text_index")
        asked = search.expression(tx, Terms(words=("launch", "redis")))
        assert search.match_text(tx, search.Scope(tenant="ana", at=tx.now), asked=asked, limit=9)
        assert count(tx, "text_index") == every
    assert ana.recall("kitchen").hits
    with ana.database.snapshot(tenant="ana") as tx:
        assert count(tx, "text_index") == every
    with pytest.raises(JotsamError), ana.database.transaction(tenant="ana") as tx:
        seek(tx, "'launch'")
        tx.execute("select 1 / 0")
    ana.admin.forget_tenant()
    with ana.database.snapshot(tenant="ana") as tx:
        assert count(tx, "text_index") == 0


def seek(tx, sought: str) -> None:
    tx.execute("select set_config('jotsam.search', :sought, true)", {"sought": sought})


NAMES = ["eve", "ana'; set jotsam.tenant = 'ana", "ana' or '1'='1", "' or 1=1 --", "%", "ANA"]


@pytest.mark.parametrize("name", NAMES)
def test_no_public_call_crosses_it_whatever_the_tenant_calls_itself(name, ana):
    """BR-13."""
    theirs = ana.recall().hits
    with Jotsam(settings=ana.settings.replace(tenant=name)) as eve:
        for question in ("launch Redis", "n-1", theirs[0].id, "' or 1=1 --", "secret"):
            assert eve.recall(question).coverage.total == 0
        assert eve.recall(tags=["secret"]).hits == eve.recall().hits == ()
        for id in (theirs[0].id, theirs[0].id[:8], "n-1", "1"):
            with pytest.raises(LookupError):
                eve.show(id)
        assert eve.admin.jobs() == []
        for verb in (eve.admin.retry, eve.admin.discard):
            with pytest.raises(LookupError):
                verb(ana.admin.jobs()[0].id)
        assert eve.remember("Mine.", external_id="n-1", key="k").duplicate is False
        assert eve.status().memories == 1
        eve.admin.forget_tenant()
    assert ana.status().memories == 6


def test_it_stands_for_a_role_that_owns_nothing(ana, guest):
    database = guest()
    for table in TABLES:
        for tenant, sees in (("ana", True), ("eve", False)):
            with database.snapshot(tenant=tenant) as tx:
                assert (count(tx, table) > 0) == sees


def test_every_table_of_memory_stands_behind_it_and_none_of_the_queue(ana):
    with ana.database.snapshot() as tx:
        rows = tx.execute(
            "select relname, relrowsecurity and relforcerowsecurity as walled from pg_class"
            " where relkind = 'r' and relnamespace = current_schema()::regnamespace"
        )
    walled = {row["relname"] for row in rows if row["walled"]}
    assert walled == set(TABLES)
    open_to_all = {row["relname"] for row in rows} - walled - {"jotsam_migration"} - SHARED
    assert all(name.startswith("queue_") for name in open_to_all)


def test_a_worker_handles_each_job_inside_its_own_tenant(ana):
    with Jotsam(settings=ana.settings.replace(tenant="eve")) as eve:
        eve.remember("Met with Jane Doe.")
        ana.work()
        assert (eve.status().enriched, eve.status().entities) == (1, 1)
