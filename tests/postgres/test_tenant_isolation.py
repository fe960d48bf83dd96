"""Tenant isolation of every public call: a table of attempts on data of another tenant, checked for completeness."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from jotsam import InvalidInput, Jotsam
from jotsam.core.job_records import CommandResult
from jotsam.core.names import STEPS
from jotsam.core.settings import Settings
from jotsam.memory.api.admin_client import Admin
from jotsam.memory.api.crystals import Crystals
from jotsam.memory.api.knowledge import Knowledge
from jotsam.memory.api.lifecycle_client import Lifecycle
from jotsam.memory.api.notes import Notes
from jotsam.memory.api.store import Store
from jotsam.memory.jobs.worker_session import run_worker
from jotsam.memory.writing.blocks import Blocks
from jotsam.models.fake_endpoint import fake_extraction

SECRET = "password: swordfish1"


@pytest.fixture
def ana(url) -> Iterator[Jotsam]:
    """A tenant with something of everything, a dead job, and one that waits."""
    with Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0, tenant="ana", embed_model="hashing")) as jot:
        jot.add("# Notes\n\n## A\nMet with John Smith.\n\n## B\nWe use Redis.\n", source="notes.md", key="d")
        for place in ("kitchen", "hall", "garden"):
            jot.remember(f"We decided to paint the {place} green.", session="s")
        jot.remember("Launch it. The key is AKIAQ3EGRIZ7XT5NVLWB.", tags=["secret"], external_id="n-1", key="k")
        jot.lifecycle.run("decay")
        jot.work()
        jot.knowledge.allow(SECRET, reason="an example")
        jot.admin.create_token(name="laptop", scope="read")
        jot.blocks.set("human", "Ana leads the launch.")
        jot.remember("The launch waits.")
        jot.store.put(["theirs"], "k", {"text": "kitchen"}, vectors=[[1, 1]])
        jot.store.append(["theirs"], ["launch"])
        yield jot


@pytest.fixture
def theirs(ana) -> SimpleNamespace:
    """What another tenant might have heard of."""
    hits = ana.recall("launch Redis kitchen").hits
    ana.remember("The kettle waits.", project="kettle")
    return SimpleNamespace(
        jot=ana,
        project="kettle",
        id=next(hit.id for hit in hits if "Redis" in hit.text),
        document=ana.add("x", key="d").id,
        job=ana.admin.jobs()[0].id,
        run=ana.lifecycle.runs()[0].id,
        fact=ana.knowledge.facts()[0].id if ana.knowledge.facts() else hits[0].id,
        mark=ana.knowledge.redactions()[0].fingerprint,
        plan=ana.plan_reprocess(force=True),
    )


@pytest.fixture
def eve(ana) -> Iterator[Jotsam]:
    with Jotsam(settings=ana.settings.replace(tenant="eve")) as jot:
        yield jot


def test_the_setting_that_shows_tokens_lets_nobody_change_them(ana: Jotsam, eve: Jotsam) -> None:
    """`look_up_token` and `token_tenants` read a token before its tenant is known."""
    (theirs,) = ana.admin.tokens()
    changes = (
        "delete from api_token",
        "update api_token set tenant = 'eve'",
        "update api_token set scope = 'operator', revoked_at = null",
        "update api_token set hash = (select hash from api_token where tenant = 'eve' limit 1)",
    )
    for setting in ("*", theirs.id):
        for change in changes:
            with eve.database.transaction(tenant="eve") as tx:
                tx.execute("select set_config('jotsam.token', :setting, true)", {"setting": setting})
                assert {row["tenant"] for row in tx.execute("select tenant from api_token")} >= {"ana"}
                assert tx.execute(f"{change} returning id") == [], (setting, change)
    assert ana.admin.tokens() == (theirs,)


def refused(call: Callable[..., object], *arguments: object, **options: object) -> None:
    with pytest.raises(LookupError):
        call(*arguments, **options)


def has_nothing(eve: Jotsam) -> None:
    status = eve.status()
    assert (status.memories, status.documents, status.entities, status.depth.live, status.depth.dead) == (0,) * 5


def recalls(eve: Jotsam, theirs: SimpleNamespace) -> None:
    for question in ("", "launch Redis", "n-1", theirs.id, "' or 1=1 --", "we decided to paint the kitchen green"):
        for options in ({}, {"history": True}, {"pinned": [theirs.id]}, {"tags": ["secret"]}, {"session": "s"}):
            answer = eve.recall(question, expand=["entities", "relations"], **options)
            assert (answer.hits, answer.coverage.total) == ((), 0)


def briefs(eve: Jotsam, theirs: SimpleNamespace) -> None:
    assert theirs.jot.brief().lines
    brief = eve.brief()
    empty(brief.lines, brief.text, brief.total, brief.pending, brief.failed, brief.dead)


def links(eve: Jotsam, theirs: SimpleNamespace) -> None:
    own = eve.remember("Mine.").id
    for one, other in ((theirs.id, own), (own, theirs.id)):
        refused(eve.knowledge.link, one, "LEADS_TO", other)
        refused(eve.knowledge.unlink, one, "LEADS_TO", other)


def supersedes(eve: Jotsam, theirs: SimpleNamespace) -> None:
    own = eve.remember("Mine.").id
    for old, new in ((theirs.id, own), (own, theirs.id), (theirs.document, own)):
        refused(eve.supersede, old, new)


def restores(eve: Jotsam, theirs: SimpleNamespace) -> None:
    own = eve.remember("Mine.").id
    for old, new in ((theirs.id, own), (own, theirs.id), (theirs.id, None), (theirs.fact, None)):
        refused(eve.undo_supersede, old, new)


def searched(eve: Jotsam) -> list[object]:
    """By each way in which the store is searched."""
    return [eve.store.search(**by) for by in ({}, {"query": "kitchen launch"}, {"vector": [1, 1]})]


def shows(eve: Jotsam, theirs: SimpleNamespace) -> None:
    for id in (theirs.id, theirs.id[:8], theirs.document, theirs.fact, "n-1", str(theirs.job)):
        refused(eve.show, id)


def changes(eve: Jotsam, theirs: SimpleNamespace) -> None:
    for change in (eve.admin.retry_many, eve.admin.discard_many):
        (one,) = change([theirs.job])
        assert (one.job, type(one.error).__name__) == (None, "NotFound")


def runs_a_command(eve: Jotsam, theirs: SimpleNamespace) -> None:
    sent = eve.admin.send_command(["remember", "launch"])
    ran = []

    def run(command) -> CommandResult:
        ran.append(command.tenant)
        return CommandResult(code=0, stdout="", stderr="")

    run_worker(theirs.jot, commands=run)
    assert ran == ["eve"]
    refused(theirs.jot.show, str(sent.id))


def works(eve: Jotsam, theirs: SimpleNamespace) -> None:
    eve.work()
    has_nothing(eve)
    assert theirs.jot.status().depth.live == 0


def reprocesses(eve: Jotsam, theirs: SimpleNamespace) -> None:
    for clear in (False, True):
        assert eve.reprocess(theirs.plan, clear=clear) == 0


def hands_in(eve: Jotsam, theirs: SimpleNamespace) -> None:
    reading = fake_extraction("Ana uses Redis.")
    with pytest.raises(InvalidInput, match="unknown memory"):
        eve.extract_apply(json.dumps({"extractions": [{"memory": theirs.id, **reading}]}))
    own = eve.remember("Ana uses Redis.").id
    assert eve.extract_apply(json.dumps({"extractions": [{"memory": own, **reading}]}))


def imports(eve: Jotsam, theirs: SimpleNamespace, tmp_path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text(
        json.dumps({"role": "user", "content": "Launch?", "session": "s", "timestamp": 1_750_000_000_000}) + "\n"
    )
    assert theirs.jot.import_sessions([str(file)]).added == 1
    assert eve.import_sessions([str(file)]).added == 1
    assert eve.recall("kitchen").coverage.total == 0


def allows(eve: Jotsam, theirs: SimpleNamespace) -> None:
    eve.knowledge.allow("password: swordfish2", reason="mine")
    assert len(theirs.jot.knowledge.allowed()) == 1


def adds(eve: Jotsam, theirs: SimpleNamespace) -> None:
    assert eve.add(f"Mine. {SECRET}", key="d", source="notes.md").duplicate is False
    assert len(eve.knowledge.redactions()) == 1, "what another tenant has allowed is allowed to nobody else"


def remembers(eve: Jotsam, theirs: SimpleNamespace) -> None:
    assert eve.remember("Mine.", external_id="n-1", key="k").duplicate is False


def lists(eve: Jotsam, theirs: SimpleNamespace) -> None:
    empty(eve.list(history=True).memories, eve.list(tags=["secret"]).memories)
    refused(eve.list, ids=[theirs.id])


def forgets(eve: Jotsam, theirs: SimpleNamespace) -> None:
    refused(eve.plan_forget, ids=[theirs.id])
    refused(eve.plan_forget, document=theirs.document)
    for found in ({"session": "s"}, {"query": "launch Redis"}):
        eve.forget(eve.plan_forget(**found))
    eve.forget(theirs.jot.plan_forget(ids=[theirs.id]))


def forgets_to_trash(theirs: SimpleNamespace) -> tuple[str, str]:
    id = theirs.jot.remember("To the trash.").id
    batch: str = theirs.jot.forget(theirs.jot.plan_forget(ids=[id]), trash=True).trash
    return id, batch


def restores_forgotten(eve: Jotsam, theirs: SimpleNamespace) -> None:
    id, batch = forgets_to_trash(theirs)
    refused(eve.admin.restore_forgotten, batch)
    theirs.jot.admin.restore_forgotten(batch)
    theirs.jot.forget(theirs.jot.plan_forget(ids=[id]))


def empties_trash(eve: Jotsam, theirs: SimpleNamespace) -> None:
    _, batch = forgets_to_trash(theirs)
    eve.admin.empty_trash()
    assert [one.id for one in theirs.jot.admin.trash()] == [batch]
    theirs.jot.admin.empty_trash()


def exports(eve: Jotsam, theirs: SimpleNamespace) -> None:
    file = io.BytesIO()
    assert not any(eve.export(file).counts.values())
    assert theirs.id.encode() not in file.getvalue()


def imports_memories(eve: Jotsam, theirs: SimpleNamespace) -> None:
    """Another tenant's export makes memories of one's own, of the same ids."""
    with tempfile.TemporaryDirectory() as folder:
        theirs.jot.export(f"{folder}/all.jsonl")
        eve.import_memories(f"{folder}/all.jsonl")
    assert eve.get(theirs.id).id == theirs.id


def links_many(eve: Jotsam, theirs: SimpleNamespace) -> None:
    own = eve.remember("Mine.").id
    (one,) = eve.knowledge.link_many([{"source": own, "type": "LEADS_TO", "target": theirs.id}])
    assert type(one.error).__name__ == "NotFound"


def has_no_graph(eve: Jotsam) -> None:
    view, numbers = eve.knowledge.overview(history=True), eve.knowledge.statistics()
    empty(view.memories, view.links, view.total_memories, view.total_links, numbers.memories, numbers.links)


def runs_steps(eve: Jotsam, theirs: SimpleNamespace) -> None:
    """Of their runs, themes and links she sees and takes back nothing."""
    for call in (eve.lifecycle.show, eve.lifecycle.undo, eve.lifecycle.wait):
        for id in (theirs.run, theirs.run[:8]):
            refused(call, id)
    own = eve.lifecycle.run("decay")
    assert [one.id for one in eve.lifecycle.runs()] == [own.id]
    assert {one.last.id for one in eve.lifecycle.steps() if one.last} == {own.id}
    empty(eve.lifecycle.themes(), eve.lifecycle.links(), eve.lifecycle.remove_links(), eve.lifecycle.allow_again())
    empty(*(eve.lifecycle.plan(step).changed for step in STEPS))


def creates_a_token(eve: Jotsam, theirs: SimpleNamespace) -> None:
    eve.admin.create_token(name="laptop", scope="admin")
    assert (len(eve.admin.tokens()), len(eve.admin.audit())) == (1, 1)


def follows(eve: Jotsam, theirs: SimpleNamespace) -> None:
    refused(eve.events, job=theirs.job)
    empty(*(event for event in eve.events(after="1-0-0", idle_ms=0) if event.type != "gap"))


ATTEMPTS: dict[str, Callable[[Jotsam, SimpleNamespace], object]] = {
    "add": adds,
    "add_many": lambda eve, theirs: empty(eve.add_many([{"text": "Mine.", "key": "d"}])[0].error),
    "remember": remembers,
    "upsert": lambda eve, theirs: empty(not eve.upsert("k", "Mine.").created),
    "upsert_many": lambda eve, theirs: empty(
        not eve.upsert_many([{"key": "k", "text": "Mine."}])[0].receipt.created,
    ),
    "remember_many": lambda eve, theirs: empty(eve.remember_many([{"text": "Mine.", "key": "k"}])[0].error),
    "add_turn": lambda eve, theirs: empty(eve.add_turn("Mine.", session="s", key="k").duplicate),
    "sessions": lambda eve, theirs: empty(any("paint" in one.title for one in eve.sessions().sessions)),
    "session": lambda eve, theirs: refused(eve.session, "s"),
    "projects": lambda eve, theirs: empty(eve.projects()),
    "merge_projects": lambda eve, theirs: refused(eve.merge_projects, theirs.project, into="mine"),
    "split_project": lambda eve, theirs: refused(eve.split_project, theirs.project),
    "rename_project": lambda eve, theirs: refused(eve.rename_project, theirs.project, "mine"),
    "list": lists,
    "update": lambda eve, theirs: refused(eve.update, theirs.id, text="Mine."),
    "versions": lambda eve, theirs: refused(eve.versions, theirs.id),
    "allow_again": lambda eve, theirs: empty(eve.allow_again("We decided to paint the kitchen green.")),
    "admin.expired": lambda eve, theirs: empty(any(eve.admin.expired().as_dict().values())),
    "get": lambda eve, theirs: (refused(eve.get, theirs.id), refused(eve.get, key="k")),
    "plan_forget": forgets,
    "forget": forgets,
    "export": exports,
    "import_memories": imports_memories,
    "knowledge.link_many": links_many,
    "recall": recalls,
    "brief": briefs,
    "supersede": supersedes,
    "undo_supersede": restores,
    "show": shows,
    "status": lambda eve, theirs: has_nothing(eve),
    "admin.jobs": lambda eve, theirs: empty(eve.admin.jobs(), eve.admin.jobs(after=theirs.job - 1)),
    "admin.job": lambda eve, theirs: refused(eve.admin.job, theirs.job),
    "admin.stuck": lambda eve, theirs: empty(eve.admin.stuck()),
    "admin.failure_groups": lambda eve, theirs: empty(eve.admin.failure_groups()),
    "admin.dead": lambda eve, theirs: empty(eve.admin.dead(), eve.admin.dead(error="")),
    "admin.retry_many": changes,
    "admin.discard_many": changes,
    "admin.retry": lambda eve, theirs: refused(eve.admin.retry, theirs.job),
    "admin.discard": lambda eve, theirs: refused(eve.admin.discard, theirs.job),
    "admin.send_command": runs_a_command,
    "events": follows,
    "wait": lambda eve, theirs: refused(eve.wait, [theirs.id], timeout_ms=0),
    "work": works,
    "admin.trash": lambda eve, theirs: empty(eve.admin.trash()),
    "admin.restore_forgotten": restores_forgotten,
    "admin.empty_trash": empties_trash,
    "admin.tokens": lambda eve, theirs: empty(eve.admin.tokens()),
    "admin.create_token": creates_a_token,
    "admin.revoke_token": lambda eve, theirs: refused(eve.admin.revoke_token, theirs.jot.admin.tokens()[0].id),
    "admin.audit": lambda eve, theirs: empty(eve.admin.audit()),
    "admin.forget_tenant": lambda eve, theirs: eve.admin.forget_tenant(),
    "plan_reprocess": lambda eve, theirs: refused(eve.plan_reprocess, [theirs.id], force=True),
    "reprocess": reprocesses,
    "extract_prompt": lambda eve, theirs: refused(eve.extract_prompt, [theirs.id]),
    "extract_apply": hands_in,
    "admin.costs": lambda eve, theirs: empty(eve.admin.costs()),
    "close": lambda eve, theirs: eve.close(),
    "knowledge.entities": lambda eve, theirs: empty(eve.knowledge.entities(), eve.knowledge.entities(words="redis")),
    "knowledge.link": links,
    "knowledge.unlink": links,
    "knowledge.merge": lambda eve, theirs: refused(eve.knowledge.merge, "redis", into="john smith"),
    "knowledge.split": lambda eve, theirs: refused(eve.knowledge.split, "redis"),
    "knowledge.facts": lambda eve, theirs: empty(eve.knowledge.facts(), eve.knowledge.facts(history=True)),
    "knowledge.patterns": lambda eve, theirs: empty(eve.knowledge.patterns()),
    "knowledge.graph": lambda eve, theirs: refused(eve.knowledge.graph, theirs.id),
    "knowledge.overview": lambda eve, theirs: has_no_graph(eve),
    "knowledge.neighbourhood": lambda eve, theirs: refused(eve.knowledge.neighbourhood, theirs.id),
    "knowledge.statistics": lambda eve, theirs: has_no_graph(eve),
    "knowledge.preferences": lambda eve, theirs: empty(eve.knowledge.preferences()),
    "knowledge.entity": lambda eve, theirs: refused(eve.knowledge.entity, "redis"),
    "knowledge.merge_candidates": lambda eve, theirs: empty(eve.knowledge.merge_candidates()),
    "knowledge.review_entities": lambda eve, theirs: empty(eve.knowledge.review_entities()),
    "blocks.set": lambda eve, theirs: empty(eve.blocks.set("human", "Mine.").version - 1),
    "blocks.append": lambda eve, theirs: refused(eve.blocks.append, "human", "Mine."),
    "blocks.get": lambda eve, theirs: refused(eve.blocks.get, "human"),
    "blocks.list": lambda eve, theirs: empty(eve.blocks.list()),
    "blocks.delete": lambda eve, theirs: refused(eve.blocks.delete, "human"),
    "archive": lambda eve, theirs: refused(eve.archive, theirs.id),
    "unarchive": lambda eve, theirs: refused(eve.unarchive, theirs.id),
    "distil": lambda eve, theirs: empty(eve.distil().workflows, eve.distil().examined),
    **{f"lifecycle.{name}": runs_steps for name in vars(Lifecycle) if not name.startswith("_")},
    "notes.list": lambda eve, theirs: empty(eve.notes.list(project="p")),
    "notes.add": lambda eve, theirs: eve.notes.add("tabs"),
    "notes.edit": lambda eve, theirs: refused(eve.notes.edit, theirs.id, "tabs"),
    "notes.judge": lambda eve, theirs: refused(eve.notes.judge, theirs.id, verdict="wrong"),
    "crystals.list": lambda eve, theirs: empty(eve.crystals.list()),
    "crystals.confirm": lambda eve, theirs: refused(eve.crystals.confirm, theirs.id),
    "crystals.retract": lambda eve, theirs: refused(eve.crystals.retract, theirs.id),
    "crystals.undo_retract": lambda eve, theirs: refused(eve.crystals.undo_retract, theirs.id),
    "store.put": lambda eve, theirs: eve.store.put(["theirs"], "k", "mine"),
    "store.put_many": lambda eve, theirs: eve.store.put_many([{"namespace": ["theirs"], "key": "k", "value": 1}]),
    "store.get": lambda eve, theirs: refused(eve.store.get, ["theirs"], "k"),
    "store.get_many": lambda eve, theirs: empty(eve.store.get_many(["theirs"], ["k"])),
    "store.delete": lambda eve, theirs: empty(eve.store.delete(["theirs"], "k").number),
    "store.search": lambda eve, theirs: empty(*searched(eve)),
    "store.namespaces": lambda eve, theirs: empty(eve.store.namespaces()),
    "store.append": lambda eve, theirs: eve.store.append(["theirs"], ["mine"]),
    "store.pop": lambda eve, theirs: refused(eve.store.pop, ["theirs"]),
    "store.clear": lambda eve, theirs: empty(eve.store.clear(["theirs"]).number),
    "knowledge.allow": allows,
    "knowledge.allow_redacted": lambda eve, theirs: refused(eve.knowledge.allow_redacted, theirs.mark, reason="x"),
    "knowledge.redactions": lambda eve, theirs: empty(eve.knowledge.redactions()),
    "knowledge.forbid": lambda eve, theirs: eve.knowledge.forbid(theirs.jot.knowledge.allowed()[0].fingerprint),
    "knowledge.allowed": lambda eve, theirs: empty(eve.knowledge.allowed()),
}
WORKER = {"work", "admin.send_command"}
ELSEWHERE = {
    "import_sessions": "a test of its own, for it needs a file",
    "admin.backup": "of a file",
    "admin.engines": "an engine is everybody's, and its own test tells what it holds of each tenant",
    "admin.add_engine": "an engine is everybody's",
    "admin.rebuild_engines": "an engine is everybody's",
    "admin.compare_engines": "an engine is everybody's",
    "admin.remove_engine": "an engine is everybody's",
    "admin.pause": "a queue is everybody's, and so is its pause",
    "admin.resume": "a queue is everybody's, and so is its pause",
    "knowledge": "each of its own calls is in the table",
    "blocks": "each of its own calls is in the table",
    "crystals": "each of its own calls is in the table",
    "notes": "each of its own calls is in the table",
    "store": "each of its own calls is in the table",
    "lifecycle": "each of its own calls is in the table",
    "admin": "each of its own calls is in the table",
    "scoped": "it changes the tenant, as the constructor does",
}


def empty(*found: object) -> None:
    assert not any(found), found


def test_every_public_call_is_tried():
    public = {name for name in dir(Jotsam) if not name.startswith("_")}
    public |= {f"knowledge.{name}" for name in vars(Knowledge) if not name.startswith("_")}
    public |= {f"blocks.{name}" for name in vars(Blocks) if not name.startswith("_")}
    public |= {f"crystals.{name}" for name in vars(Crystals) if not name.startswith("_")}
    public |= {f"notes.{name}" for name in vars(Notes) if not name.startswith("_")}
    public |= {f"store.{name}" for name in vars(Store) if not name.startswith("_")}
    public |= {f"lifecycle.{name}" for name in vars(Lifecycle) if not name.startswith("_")}
    public |= {f"admin.{name}" for name in vars(Admin) if not name.startswith("_")}
    assert public == ATTEMPTS.keys() | ELSEWHERE.keys()


def whole(jot: Jotsam) -> dict[str, list[str]]:
    """Every row that a tenant has, and every job of it."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        names = [
            row["name"]
            for row in tx.execute(
                "select relname as name from pg_class"
                " where relkind in ('r', 'p') and not relispartition and relrowsecurity"
                " and relnamespace = cast(current_schema() as regnamespace)"
            )
        ]
        found = {name: sorted(map(repr, tx.execute(f"select * from {name}"))) for name in names}
        # Any writer of the tenant may merge these rows.
        found["text_count"] = [repr(tx.execute("select sum(memories), sum(documents), sum(words) from text_count"))]
        mine = {"tenant": jot.settings.tenant}
        return found | {"jobs": sorted(map(repr, tx.execute("select * from queue_job where tenant = :tenant", mine)))}


def test_no_call_reads_or_changes_what_is_another_tenants(theirs, subtests):
    """BR-13. Each attempt is made by a tenant of its own."""
    before = whole(theirs.jot)
    assert all(
        before[table] for table in ("memory", "text_index", "entity", "mention", "allowed_secret", "embedding", "jobs")
    )
    for name in sorted(ATTEMPTS.keys() - WORKER):
        with subtests.test(name), Jotsam(settings=theirs.jot.settings.replace(tenant=f"by {name}")) as eve:
            ATTEMPTS[name](eve, theirs)
            assert whole(theirs.jot) == before


@pytest.mark.parametrize("name", sorted(WORKER))
def test_a_worker_does_what_is_waiting_of_every_tenant(name, eve, theirs):
    ATTEMPTS[name](eve, theirs)


def test_the_same_session_of_another_tenant_is_another(eve, theirs, tmp_path):
    imports(eve, theirs, tmp_path)
