"""Every route, asked by a tenant with what it knows of another: nothing is read, and nothing is changed.

A route that is added needs an entry in `ATTEMPTS`. Routes of AutoMem get the ids of the other tenant in every field.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from http_routes import STREAMS, name_of, path_of
from http_server import HttpServer, serving
from jotsam import Jotsam
from jotsam.core.settings import Settings
from jotsam.surfaces.http.requests.route import Route
from jotsam.surfaces.http.routes import ROUTES

MARK = "swordfish"  # in everything that the other tenant has
FOUND, MISSING, WRONG = (200, 201, 202, 207), (404,), (400,)
Body = Callable[[SimpleNamespace], Any]


def nothing(theirs: SimpleNamespace) -> None:
    """No body."""


# The expected statuses, and the body, of each route. Ids in paths are those of the other tenant.
ATTEMPTS: dict[str, tuple[tuple[int, ...], Body]] = {
    "GET /v1/status": (FOUND, nothing),
    "POST /v1/memories": (FOUND, lambda theirs: {"text": "Mine.", "key": "k", "external_id": "n-1"}),
    "POST /v1/memories/batch": (FOUND, lambda theirs: {"items": [{"text": "Mine.", "key": "k2"}]}),
    "GET /v1/memories": (FOUND, nothing),
    "GET /v1/memories/{id}": (MISSING, nothing),
    "PATCH /v1/memories/{id}": (MISSING, lambda theirs: {"text": "Mine."}),
    "POST /v1/memories/{id}/archive": (MISSING, lambda theirs: {}),
    "POST /v1/memories/{id}/unarchive": (MISSING, lambda theirs: {}),
    "DELETE /v1/memories/{id}": (MISSING, nothing),
    "GET /v1/memories/{id}/versions": (MISSING, nothing),
    "GET /v1/memories/{id}/graph": (MISSING, nothing),
    "GET /v1/memories/{id}/neighbourhood": (MISSING, nothing),
    "GET /v1/memories/by-key/{key}": (MISSING, nothing),
    "PUT /v1/memories/by-key/{key}": (FOUND, lambda theirs: {"text": "Mine too."}),
    "POST /v1/memories/by-key/batch": (FOUND, lambda theirs: {"items": [{"key": "k", "text": "Mine again."}]}),
    "POST /v1/documents": (FOUND, lambda theirs: {"text": "Mine.", "key": "d", "source": "notes.md"}),
    "POST /v1/documents/batch": (FOUND, lambda theirs: {"items": ["Mine."]}),
    "GET /v1/documents/{id}": (MISSING, nothing),
    "DELETE /v1/documents/{id}": (MISSING, nothing),
    "POST /v1/turns": (FOUND, lambda theirs: {"text": "Mine.", "session": "s", "position": 1}),
    "POST /v1/recall": (FOUND, lambda theirs: {"question": MARK, "pinned": [theirs.memory], "history": True}),
    "GET /v1/recall": (FOUND, nothing),
    "GET /v1/brief": (FOUND, nothing),
    "GET /v1/jobs": (FOUND, nothing),
    "GET /v1/jobs/stuck": (FOUND, nothing),
    "GET /v1/jobs/failures": (FOUND, nothing),
    "GET /v1/jobs/dead": (FOUND, nothing),
    "POST /v1/jobs/retry": (FOUND, lambda theirs: {"ids": [theirs.job]}),
    "POST /v1/jobs/discard": (FOUND, lambda theirs: {"ids": [theirs.job]}),
    "GET /v1/jobs/{id}": (MISSING, nothing),
    "GET /v1/jobs/{id}/events": (MISSING, nothing),
    "GET /v1/items/{id}": (MISSING, nothing),
    "POST /v1/wait": (MISSING, lambda theirs: {"ids": [theirs.memory], "timeout_ms": 0}),
    "GET /v1/entities": (FOUND, nothing),
    "GET /v1/entities/merge-candidates": (FOUND, nothing),
    "GET /v1/entities/review": (FOUND, nothing),
    "GET /v1/entities/{name}": (MISSING, nothing),
    "POST /v1/entities/merge": (MISSING, lambda theirs: {"name": "john-smith", "into": "ana-berg"}),
    "POST /v1/entities/split": (MISSING, lambda theirs: {"name": "john-smith"}),
    "GET /v1/facts": (FOUND, nothing),
    "GET /v1/patterns": (FOUND, nothing),
    "POST /v1/links": (MISSING, lambda theirs: link(theirs)),
    "POST /v1/links/batch": ((207,), lambda theirs: {"items": [link(theirs)]}),
    "POST /v1/links/delete": (MISSING, lambda theirs: link(theirs)),
    "GET /v1/graph": (FOUND, nothing),
    "GET /v1/graph/statistics": (FOUND, nothing),
    "GET /v1/graph/preferences": (FOUND, nothing),
    "GET /v1/projects": (FOUND, nothing),
    "GET /v1/sessions": (FOUND, nothing),
    "GET /v1/sessions/{id}": (MISSING, nothing),
    "POST /v1/projects/merge": (MISSING, lambda theirs: {"project": MARK, "into": "mine"}),
    "POST /v1/projects/split": (MISSING, lambda theirs: {"project": MARK}),
    "POST /v1/projects/rename": (MISSING, lambda theirs: {"project": MARK, "label": "mine"}),
    "POST /v1/supersede": (MISSING, lambda theirs: {"old": theirs.memory, "new": theirs.other}),
    "POST /v1/supersede/undo": (MISSING, lambda theirs: {"old": theirs.memory, "new": theirs.other}),
    "POST /v1/forget/plan": (MISSING, lambda theirs: {"ids": [theirs.memory, theirs.document]}),
    "POST /v1/forget": (FOUND, lambda theirs: {"plan": {"memories": [theirs.memory], "documents": [theirs.document]}}),
    "POST /v1/forget/allow-again": (FOUND, lambda theirs: {"text": f"Forgotten for good: {MARK}."}),
    "POST /v1/reprocess/plan": (MISSING, lambda theirs: {"ids": [theirs.memory], "force": True}),
    "POST /v1/reprocess": (FOUND, lambda theirs: {"plan": {"due": [theirs.memory], "documents": []}, "clear": True}),
    "GET /v1/notes": (FOUND, nothing),
    "POST /v1/notes": (FOUND, lambda theirs: {"text": "tabs"}),
    "POST /v1/notes/{id}/edit": (MISSING, lambda theirs: {"text": "tabs"}),
    "POST /v1/notes/{id}/verdict": (MISSING, lambda theirs: {"verdict": "wrong"}),
    "GET /v1/crystals": (FOUND, nothing),
    "POST /v1/crystals": (MISSING, lambda theirs: {"id": theirs.memory}),
    "POST /v1/crystals/{id}/retract": (MISSING, lambda theirs: {}),
    "POST /v1/crystals/{id}/undo-retract": (MISSING, lambda theirs: {}),
    "GET /v1/lifecycle": (FOUND, nothing),
    "POST /v1/lifecycle/plan": (FOUND, lambda theirs: {"step": "decay"}),
    "POST /v1/lifecycle/runs": ((202,), lambda theirs: {"step": "decay"}),
    "GET /v1/lifecycle/runs": (FOUND, nothing),
    "GET /v1/lifecycle/runs/{id}": (MISSING, nothing),
    "POST /v1/lifecycle/runs/{id}/undo": (MISSING, lambda theirs: {}),
    "GET /v1/lifecycle/themes": (FOUND, nothing),
    "GET /v1/lifecycle/links": (FOUND, nothing),
    "POST /v1/lifecycle/links/remove": (FOUND, lambda theirs: {}),
    "GET /v1/workflows": (FOUND, nothing),
    "POST /v1/lifecycle/allow-again": (FOUND, lambda theirs: {}),
    "GET /v1/trash": (FOUND, nothing),
    "POST /v1/trash/{id}/restore": (MISSING, lambda theirs: {}),
    "DELETE /v1/trash": (FOUND, nothing),
    "POST /v1/extract-prompt": (MISSING, lambda theirs: {"ids": [theirs.memory]}),
    "POST /v1/extract-apply": (WRONG, lambda theirs: {"text": json.dumps([{"id": theirs.memory, "facts": []}])}),
    "GET /v1/export": (FOUND, nothing),
    "POST /v1/import": (WRONG, nothing),
    "GET /v1/redactions": (FOUND, nothing),
    "GET /v1/allowed-secrets": (FOUND, nothing),
    "POST /v1/allowed-secrets": (MISSING, lambda theirs: {"fingerprint": theirs.mark, "reason": "x"}),
    "POST /v1/allowed-secrets/forbid": (FOUND, lambda theirs: {"fingerprint": theirs.allowed}),
    "GET /v1/costs": (FOUND, nothing),
    "GET /v1/retention": (FOUND, nothing),
    "GET /v1/tokens": (FOUND, nothing),
    "POST /v1/tokens": (FOUND, lambda theirs: {"name": "mine"}),
    "DELETE /v1/tokens/{id}": (MISSING, nothing),
    "GET /v1/audit": (FOUND, nothing),
    "GET /v1/blocks": (FOUND, nothing),
    "GET /v1/blocks/{name}": (MISSING, nothing),
    "PUT /v1/blocks/{name}": ((200, 201, 202), lambda theirs: {"text": "Mine."}),
    "POST /v1/blocks/{name}/append": ((200, 201, 202, 404), lambda theirs: {"text": "Mine."}),
    "DELETE /v1/blocks/{name}": ((200, 404), nothing),
    "POST /v1/store/put": (FOUND, lambda theirs: {**item(), "value": "Mine."}),
    "POST /v1/store/put-many": (FOUND, lambda theirs: {"items": [{**item(), "value": "Mine."}]}),
    "POST /v1/store/get": (MISSING, lambda theirs: item()),
    "POST /v1/store/get-many": (FOUND, lambda theirs: {"namespace": ["theirs"], "keys": ["k"]}),
    "POST /v1/store/delete": (FOUND, lambda theirs: item()),
    "POST /v1/store/search": (FOUND, lambda theirs: {"namespace": [], "query": MARK}),
    "POST /v1/store/namespaces": (FOUND, lambda theirs: {}),
    "POST /v1/store/append": (FOUND, lambda theirs: {"namespace": ["theirs"], "values": ["Mine."]}),
    "POST /v1/store/pop": (MISSING, lambda theirs: {"namespace": ["theirs"]}),
    "POST /v1/store/clear": (FOUND, lambda theirs: {"namespace": ["theirs"]}),
    "POST /mcp": (FOUND, lambda theirs: {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    "GET /metrics": ((403,), nothing),
}
# Open to everyone: they know no tenant.
OPEN = {name_of(route) for route in ROUTES if route.scope is None}


def item() -> dict[str, Any]:
    """What the other tenant has in its store."""
    return {"namespace": ["theirs"], "key": "k"}


def link(theirs: SimpleNamespace) -> dict[str, Any]:
    return {"source": theirs.memory, "type": "LEADS_TO", "target": theirs.other}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("tenants") / "jotsam.db")


@pytest.fixture(scope="module")
def theirs(db: str) -> Iterator[SimpleNamespace]:
    """What a tenant has: something of everything that a route names."""
    with Jotsam(settings=Settings(db=db, worker="off", worker_idle_ms=0, tenant="ana")) as jot:
        document = jot.add(f"# Notes\n\nMet with John Smith about {MARK}.\n", source="notes.md", key="d").id
        memory = jot.remember(f"The {MARK} uses Redis.", key="k", external_id="n-1", project=MARK).id
        other = jot.remember(f"Ana Berg decided about {MARK}. The key is AKIAQ3EGRIZ7XT5NVLWB.").id
        run = jot.lifecycle.run("decay").id
        jot.work()
        jot.knowledge.link(memory, "LEADS_TO", other)
        good = jot.remember(f"Forgotten for good: {MARK}.").id
        jot.forget(jot.plan_forget(ids=[good]), never_again=True)
        batch = jot.forget(jot.plan_forget(ids=[jot.remember(f"To the trash: {MARK}.").id]), trash=True).trash
        job = jot.remember(f"It waits for {MARK}.").job_id
        jot.store.put(["theirs"], "k", {"text": MARK})
        jot.store.append(["theirs"], [MARK])
        yield SimpleNamespace(
            jot=jot,
            document=document,
            memory=memory,
            other=other,
            job=job,
            batch=batch,
            run=run,
            token=jot.admin.create_token(name=MARK, scope="admin").id,
            mark=jot.knowledge.redactions()[0].fingerprint,
            allowed=jot.knowledge.allow(f"password: {MARK}", reason="an example"),
        )


@pytest.fixture(scope="module")
def served(db: str, theirs: SimpleNamespace) -> Iterator[HttpServer]:
    """The server has the settings of the same tenant: a route that forgets that of its token has them in its answer."""
    with serving(db, environ={"JOTSAM_TENANT": "ana"}) as running:
        yield running


def values_for(route: Route, theirs: SimpleNamespace) -> dict[str, str]:
    """Path parameters that name something of the other tenant."""
    place = next(
        (name for name in ("jobs", "tokens", "trash", "runs", "documents") if f"/{name}/" in route.path), "memory"
    )
    ids = {"jobs": theirs.job, "tokens": theirs.token, "trash": theirs.batch, "documents": theirs.document}
    ids["runs"] = theirs.run
    id = str(ids.get(place, theirs.memory))
    return {"id": id, "memory_id": id, "name": "john-smith", "slug": "john-smith", "key": "k", "path": "x"}


def guessed_body(route: Route, theirs: SimpleNamespace) -> dict[str, Any]:
    """A body of a route of AutoMem with ids of the other tenant wherever one may be."""
    names = [field.encode_name for field in structs.fields(route.body)] if route.body else []
    found: dict[str, Any] = {}
    for name in names:
        if name.endswith("ids"):
            found[name] = [theirs.memory]
        elif "id" in name.split("_") or name.endswith("_id"):
            found[name] = theirs.other if "2" in name else theirs.memory
        elif name in ("content", "query", "text"):
            found[name] = "Mine."
        elif name in ("type", "strength"):
            found[name] = {"type": "RELATES_TO", "strength": 0.5}[name]
    return found


def rows(jot: Jotsam) -> dict[str, list[str]]:
    """Every row of the tenant, and every job of it."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        tables = [row["name"] for row in tx.execute("select name from sqlite_master where type = 'table'")]
        columns = {name: {row["name"] for row in tx.execute(f"pragma table_info('{name}')")} for name in tables}
        return {
            name: sorted(map(repr, tx.execute(f"select * from {name} where tenant = 'ana'")))
            for name in tables
            if "tenant" in columns[name]
        }


def test_every_route_has_an_entry() -> None:
    known = ATTEMPTS.keys() | OPEN | STREAMS
    missing = [name_of(route) for route in ROUTES if route.errors == "problem" and name_of(route) not in known]
    assert missing == []


def test_no_route_reads_or_changes_what_another_tenant_has(served: HttpServer, theirs: SimpleNamespace) -> None:
    before, wrong = rows(theirs.jot), []
    assert all(
        before[name]
        for name in ("memory", "document", "fact", "entity", "link", "trash", "queue_job", "redaction", "item")
    )
    for number, route in enumerate(ROUTES):
        name = name_of(route)
        if name in STREAMS or route.scope is None:
            continue
        expected, body = ATTEMPTS.get(name, ((), lambda theirs, route=route: guessed_body(route, theirs)))
        token = served.create_token(tenant=f"eve {number}")
        sent = None if route.raw or not (route.body or route.undecoded) else body(theirs)
        found = served.request(route.method, path_of(route, values_for(route, theirs)), sent, token=token)
        text = found.content.decode(errors="replace")
        if expected and found.status not in expected:
            wrong.append(f"{name}: {found}")
        if MARK in text.replace(f"'{MARK}'", "") and name != "POST /v1/recall":
            wrong.append(f"{name} reads: {found}")
        if route.errors == "automem" and found.status >= 500 and found.status not in (501, 503):
            wrong.append(f"{name} fails: {found}")
    assert wrong == []
    after = rows(theirs.jot)
    assert {name: rows for name, rows in after.items() if rows != before[name]} == {}
    # A token of each tenant was used on one route: what a tenant has was made by it, and must be in its audit.
    changed, audited = changed_tenants(theirs.jot)
    assert {name_of(ROUTES[int(tenant.split()[1])]) for tenant in changed - audited} == set()
    assert len(changed) >= 9


def changed_tenants(jot: Jotsam) -> tuple[set[str], set[str]]:
    """The tenants that have rows beside their tokens, and those for which a request is in the audit."""
    with jot.database.snapshot() as tx:
        names = [row["name"] for row in tx.execute("select name from sqlite_master where type = 'table'")]
        with_tenant = [
            name for name in names if "tenant" in {row["name"] for row in tx.execute(f"pragma table_info('{name}')")}
        ]
        kept = [name for name in with_tenant if name not in ("audit", "api_token", "event")]
        found = {row["tenant"] for name in kept for row in tx.execute(f"select distinct tenant from {name}")}
        audited = {row["tenant"] for row in tx.execute("select distinct tenant from audit where token <> ''")}
    return {tenant for tenant in found if tenant.startswith("eve ")}, audited


def test_recall_finds_nothing_of_another_tenant(served: HttpServer, theirs: SimpleNamespace) -> None:
    token = served.create_token(tenant="eve")
    for body in ({"question": MARK}, {"question": ""}, {"question": "x", "pinned": [theirs.memory]}, {"project": MARK}):
        found = served.post("/v1/recall", {**body, "history": True}, token=token).json
        assert (found["hits"], found["facts"], found["coverage"]["total"]) == ([], [], 0), body
