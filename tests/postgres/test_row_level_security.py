"""Row-level security: a query without its tenant finds nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jotsam import Jotsam
from jotsam.core.answers import Terms
from jotsam.core.errors import JotsamError
from jotsam.core.records import Fact
from jotsam.core.settings import Settings
from jotsam.core.token_records import AuditEntry
from jotsam.memory.access.idempotency import KeptReply, run_once
from jotsam.memory.access.tokens import create_token, find_principal
from jotsam.storage import events, tables
from jotsam.storage.access import audits
from jotsam.storage.costs import ledger
from jotsam.storage.engines import mirror
from jotsam.storage.graph import facts
from jotsam.storage.memories import given_texts
from jotsam.storage.recall import hints, recall_counts, search
from lifecycle_rows import fill_lifecycle

TABLES = tuple(name for name, table in tables.TABLES.items() if table.is_of_tenant and name != "text_index_waiting")
"""Without the one that only a file has."""
SHARED = {"daily_spend", "embedder", "engine", "held_job", "model_use", "recording", "tenant_move"}
"""What a day and a model have cost all tenants together, because the bill is one; the embedders and engines; which
tenants move, and their jobs; and until when servers record events."""

NOTES = "# Notes\n\n## A\nMet with John Smith.\n\n## B\nWe use Redis. The port is now 81.\n"


@pytest.fixture
def ana(url) -> Iterator[Jotsam]:
    """A tenant with something in every table, and something that waits."""
    with Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0, tenant="ana", embed_model="hashing")) as jot:
        fill(jot)
        yield jot


def fill(jot: Jotsam) -> None:
    """Something in every table, and something that waits."""
    with jot.database.transaction() as tx:
        events.keep_recording(tx, until=tx.now + 3_600_000)
    jot.add(NOTES, source="notes.md")
    jot.remember(
        "Launch Project Launchpad on 2026-05-01.", tags=["secret"], external_id="n-1", key="k", metadata={"team": "sea"}
    )
    jot.update("n-1", importance=0.5)
    for place in ("kitchen", "hall", "garden"):
        jot.remember(f"We decided to paint the {place} green.")
    jot.remember("Never launch on a Friday.", session="s", actor="user")
    jot.work()
    jot.add("The launch is on Friday. The key is AKIAQ3EGRIZ7XT5NVLWB.", project="launch")
    id = jot.remember("Forgotten for good.").id
    jot.forget(jot.plan_forget(ids=[id]), never_again=True)
    id = jot.remember("Forgotten to the trash.").id
    jot.forget(jot.plan_forget(ids=[id]), trash=True)
    jot.knowledge.allow("password: swordfish1", reason="an example")
    jot.blocks.set("human", "Ana leads the launch.")
    jot.store.put(["users", "ana"], "role", {"leads": "the launch"}, vectors=[[1, 2]])
    reply = KeptReply(status=202, body="{}")
    run_once(jot.database, jot.settings, key="k", fingerprint="f", write=lambda _: reply)
    create_token(jot.database, tenant=jot.settings.tenant, name="laptop", scope="read")
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        given_texts.add(tx, "s", kind=given_texts.START, text="Never launch on a Friday.", ids=[])
        fill_lifecycle(tx)
        audits.add(tx, AuditEntry(tenant=jot.settings.tenant, request="r", name="laptop", action="POST /v1/turns"))
        (row,) = tx.execute("select id, uuid from memory limit 1")
        recall_counts.add(tx, {row["uuid"]: 1}, at=tx.now)
        hints.replace(tx, number=row["id"], words=["oven"])
        fact = Fact(subject="we", predicate="uses", object="Redis")
        facts.save(tx, number=row["id"], memory=row["uuid"], facts=[fact])
        ledger.save_reply(tx, key="k", body="{}", extractor="llm:m", memory=row["id"])
        about = {"job_id": 1, "model": "m", "purpose": "extraction"}
        spent = ledger.Spent(tokens_in=1, tokens_out=1, cost=0.0)
        ledger.reserve(tx, about, estimate=spent, cap=ledger.Cap(), until=tx.now + 60_000)
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        events.prune(tx, before=0, kept=1)
        mirror.fill(tx, engine="qdrant")
        mirror.log(tx, {row["uuid"]: row["id"]}, engine="qdrant")


def count(tx, table: str) -> int:
    return tx.execute(f"select count(*) as n from {table}")[0]["n"]


def test_a_transaction_sees_its_own_tenant_alone_and_without_a_tenant_nothing(ana):
    for tenant in ("ana", "eve", "", "ana' or '1'='1"):
        with ana.database.snapshot(tenant=tenant) as tx:
            seen = {table for table in TABLES if count(tx, table)}
        assert seen == (set(TABLES) if tenant == "ana" else set()), tenant


def test_a_tenant_changes_and_deletes_no_row_of_another(ana):
    changed = "document", "memory", "entity", "fact", "llm_cache", "ledger", "pattern", "pattern_terms", "date_range"
    changed += "api_token", "audit"
    with ana.database.snapshot(tenant="ana") as tx:
        before = {table: count(tx, table) for table in TABLES}
    for table in changed:
        with ana.database.transaction(tenant="eve") as tx:
            tx.execute(f"update {table} set tenant = 'eve'")
        with pytest.raises(JotsamError, match="row-level security"), ana.database.transaction(tenant="ana") as tx:
            tx.execute(f"update {table} set tenant = 'eve'")
    for table in TABLES:
        with ana.database.transaction(tenant="eve") as tx:
            tx.execute(f"delete from {table}")
    with ana.database.snapshot(tenant="ana") as tx:
        assert {table: count(tx, table) for table in TABLES} == before


REFERENCES = """
select c.relname as table, a.attname as column, p.relname as parent
from pg_constraint f
join pg_class c on c.oid = f.conrelid
join pg_class p on p.oid = f.confrelid
join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
where f.contype = 'f' and f.conparentid = 0 and p.relname <> 'embedder'
  and c.relnamespace = current_schema()::regnamespace
order by 1, 2
"""
COPIED = """
select string_agg(quote_ident(attname), ', ') as columns
from pg_attribute
where attrelid = cast(:table as regclass) and attnum > 0 and attidentity = '' and attname <> all (:but)
"""
FRESH = {"uuid": "gen_random_uuid()", "slug": "gen_random_uuid()", "key": "gen_random_uuid()", "external_id": "null"}
FRESH |= {"position": "1000", "predicate": "gen_random_uuid()"}
MISSING = 10**9


def test_a_row_refers_to_no_row_of_another_tenant_and_ids_cannot_be_probed(ana, guest):
    """As a role that owns nothing: another tenant's id gives the same error as one that does not exist."""
    with Jotsam(settings=ana.settings.replace(tenant="eve")) as eve:
        fill(eve)
    database, told_apart, tried = guest(), [], set()
    with database.snapshot(tenant="ana") as tx:
        references = tx.execute(REFERENCES)
        columns = {"memory": "id", "document": "id", "entity": "id", "pattern": "id", "embedding": "memory_id"}
        columns |= {"lifecycle_run": "id", "theme": "id", "item": "id"}
        theirs = {name: tx.execute(f"select {id} as id from {name} limit 1")[0]["id"] for name, id in columns.items()}
    for row in references:
        table, column, parent = row["table"], row["column"], row["parent"]
        # A memory has one row there, so a copy of it is refused before its references are looked at.
        said = "duplicate key" if (table, column) == ("triage", "crystal_id") else "violates foreign key"
        one = f"where ctid = (select ctid from {table} limit 1)"
        for sql in (f"update {table} set {column} = :id {one}", copied(database, table, column)):
            errors = [refused(database, sql, id=id) for id in (theirs[parent], MISSING)]
            tried.add(table)
            wanted = said if sql.startswith("insert") else "violates foreign key"
            if errors[0] != errors[1] or wanted not in errors[0]:
                told_apart.append((sql, *errors))
    assert told_apart == []
    refer_to_nothing = {
        "tombstone",
        "tombstone_key",
        "trash",
        "memory_block",
        "item",
        "project",
        "kept_reply",
        "given_text",
        "api_token",
        "audit",
        "event",
        "event_pruned",
        "ledger",
        "pattern_lock",
        "allowed_secret",
        "pattern",
        "text_index",
        "mirror_change",
        "mirror_progress",
        "text_count",
        "lifecycle_schedule",
        "lifecycle_run",
        "lifecycle_refusal",
    }
    assert tried == set(TABLES) - refer_to_nothing


def copied(database, table: str, column: str) -> str:
    """An insert of the rows of a table again, with another value of a column."""
    with database.snapshot(tenant="eve") as tx:
        there = set(tx.execute(f"select * from {table} limit 1")[0]) & FRESH.keys() - {column}
        same = tx.execute(COPIED, {"table": table, "but": [column, *there]})[0]["columns"]
    fresh = "".join(f", {name}" for name in sorted(there)), "".join(f", {FRESH[name]}" for name in sorted(there))
    return f"insert into {table} ({column}, {same}{fresh[0]}) select :id, {same}{fresh[1]} from {table} limit 1"


def refused(database, sql: str, **params: object) -> str:
    """The error of a statement of tenant eve, or that there is none."""
    try:
        with database.transaction(tenant="eve") as tx:
            tx.execute(sql, params)
            raise ZeroDivisionError
    except JotsamError as error:
        return str(error)
    except ZeroDivisionError:
        return "nothing is refused"


def test_what_one_tenant_writes_keeps_no_id_from_another(ana, guest):
    """Ids come from a sequence of all tenants: a row with a future id blocks it for nobody, nor tells of a past one."""
    database = guest()
    with database.snapshot(tenant="ana") as tx:
        newest = tx.execute("select max(id) as id, max(uuid) as uuid from memory")[0]
    with database.transaction(tenant="eve") as tx:
        for number in range(9):
            uuid = newest["uuid"] if number == 0 else f"{number}"
            tx.execute(
                "insert into memory (id, uuid, tenant, body, job_id, created_at) overriding system value"
                " values (:id, :uuid, 'eve', 'Mine.', 0, 0)",
                {"id": newest["id"] + number, "uuid": uuid},
            )
            tx.execute(
                "insert into text_index (ref, part, lexemes, length) values (:ref, 0, '', 0), (:ref, 1, '', 0)",
                {"ref": newest["id"] + number},
            )
    for number in range(4):
        ana.remember(f"Orchard number {number}.")
    ana.work()
    assert ana.recall("orchard").coverage.total == 4


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


def test_whatever_is_sought_is_sought_on_this_side(ana):
    for sought in SOUGHT:
        with ana.database.snapshot(tenant="ana") as tx:
            sought = sought.format(tag=f"'{tx.execute('select tenant_prefix() as tag')[0]['tag']}launch'")
            for tenant in ("ana", "eve", ""):
                tx.set_tenant(tenant)
                seek(tx, sought)
                rows = tx.execute("select tenant from text_index")
                assert {row["tenant"] for row in rows} <= {tenant} - {""}, sought
                if sought.endswith("launch'") and tenant == "ana" and len(sought) > len("'launch'"):
                    assert rows, sought


def test_what_is_no_search_is_refused_and_tells_nothing(ana):
    for sought in ("'", "launch &", "' or 1=1 --", "(", "launch'; reset jotsam.tenant; '"):
        for tenant in ("eve", "ana"):
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


def test_no_public_call_crosses_it_whatever_the_tenant_calls_itself(ana):
    """BR-13."""
    for name in NAMES:
        call_as(name, ana)
        assert ana.status().memories == 7, name


def call_as(name: str, ana: Jotsam) -> None:
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


def test_it_stands_for_a_role_that_owns_nothing(ana, guest):
    database = guest()
    for table in TABLES:
        for tenant, sees in (("ana", True), ("eve", False)):
            with database.snapshot(tenant=tenant) as tx:
                assert (count(tx, table) > 0) == sees


def test_every_table_of_memory_stands_behind_it_and_none_of_the_queue(ana):
    with ana.database.snapshot() as tx:
        rows = tx.execute(
            "select coalesce(cast(cast(pg_partition_root(oid) as regclass) as text), relname) as relname,"
            " bool_and(relrowsecurity and relforcerowsecurity) as walled from pg_class"
            " where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace group by 1"
        )
    walled = {row["relname"] for row in rows if row["walled"]}
    assert walled == set(TABLES)
    open_to_all = {row["relname"] for row in rows} - walled - {"jotsam_migration"} - SHARED
    assert [name for name in sorted(open_to_all) if not name.startswith("queue_")] == []


def test_a_worker_handles_each_job_inside_its_own_tenant(ana):
    with Jotsam(settings=ana.settings.replace(tenant="eve")) as eve:
        eve.remember("Met with Jane Doe.")
        ana.work()
        assert (eve.status().enriched, eve.status().entities) == (1, 1)


def test_a_request_finds_the_one_token_that_it_names_and_nothing_else_of_its_tenant(ana, guest):
    """As a role that owns nothing."""
    database = guest()
    new = create_token(database, tenant="ana", name="phone", scope="read")
    assert find_principal(database, new.secret).tenant == "ana"
    for tenant in ("", "eve"):
        with database.snapshot(tenant=tenant) as tx:
            assert [row["id"] for row in tx.execute("select * from look_up_token(:id)", {"id": new.id})] == [new.id]
            assert (count(tx, "api_token"), count(tx, "memory"), count(tx, "audit")) == (0, 0, 0)
            assert tx.execute("select * from look_up_token('*')") == []
