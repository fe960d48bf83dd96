"""What concerns the server belongs to its operator: of each route and page, which scope it needs and what it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest

from http_routes import STREAMS, required_body
from http_server import HttpServer, Response, serving
from jotsam import Jotsam
from jotsam.core.settings import Settings
from jotsam.core.token_records import SCOPES
from jotsam.memory.status.health import PausedQueue
from jotsam.storage.costs import ledger
from jotsam.storage.costs.ledger import Spent
from jotsam.surfaces.http.routes import ROUTES
from jotsam.surfaces.web.pages.routes import PAGES
from web_site import Site

# What concerns the server or all its tenants. Any other route must show and do nothing of both.
OPERATORS = {
    "GET /metrics",
    "GET /ui/agents",
    "GET /ui/settings",
    *(f"{method} /ui/queues/{{name}}/{verb}" for verb in ("pause", "resume") for method in ("GET", "POST")),
}
# Texts of this server that no tenant sees: in paths of its files, and in the addresses of its models.
DATABASE, CONFIG, MODEL, EMBEDDER = "canary-data", "canary-config", "canary-llm", "canary-embed"
CANARIES = (DATABASE, CONFIG, MODEL, EMBEDDER)
ORDER = ("GET", "POST", "PUT", "PATCH", "DELETE")  # What is deleted has been shown before.
STATUS_TOOLS = ("memory_status", "check_database_health")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("operator") / DATABASE
    folder.mkdir()
    models = {"llm_url": f"http://127.0.0.1:9/{MODEL}/v1", "embed_url": f"http://127.0.0.1:9/{EMBEDDER}/v1"}
    db = str(folder / "jotsam.db")
    return Settings(db=db, worker="off", worker_idle_ms=0, llm_model="m", embed_model="e", **models)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def jot(settings: Settings) -> Iterator[Jotsam]:
    """The memory of two tenants, with jobs that failed because of the addresses of the server."""
    with Jotsam(settings=settings) as jot:
        jot.scoped(tenant="eve").remember("Eve moved to Porto.")
        jot.remember("Ana leads billing.")
        jot.add("# Plan\n\nMove to Porto.", source="plan.md")
        jot.work()
        yield jot


@pytest.fixture(scope="module")
def served(settings: Settings, jot: Jotsam, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    environ = {
        "XDG_CONFIG_HOME": str(tmp_path_factory.mktemp("home") / CONFIG),
        **{f"JOTSAM_{name.upper()}": getattr(settings, name) for name in ("llm_url", "embed_url")},
        "JOTSAM_LLM_MODEL": "m",
        "JOTSAM_EMBED_MODEL": "e",
    }
    with serving(settings.db, environ=environ) as running:
        yield running


@pytest.fixture(scope="module")
def known(jot: Jotsam) -> SimpleNamespace:
    """Ids for the parameters of paths."""
    memory = jot.list().memories[0]
    document = next(one.document for one in jot.list().memories if one.document)
    failed = next(job for job in jot.admin.jobs() if job.error)
    return SimpleNamespace(memory=memory.id, document=document, job=str(failed.id), name="ana", queue="enrich")


def test_each_route_and_page_needs_the_scope_that_it_must_have(served: HttpServer, jot: Jotsam) -> None:
    tokens = {scope: served.create_token(scope=scope) for scope in SCOPES}
    signed_in = {scope: Site(served, jot).sign_in(scope) for scope in SCOPES}
    of_document = {
        f"{method.upper()} {path}"
        for path, methods in served.get("/openapi.json", token=None).json["paths"].items()
        for method in methods
    }
    assert of_document == {f"{one.method} {re.sub(r':path}', '}', one.path)}" for one in ROUTES}
    wrong = []
    every: list[Any] = [*ROUTES, *PAGES]
    for route in every:
        name = f"{route.method} {route.path}"
        if route.scope is None:
            continue
        if (route.scope == "operator") != (name in OPERATORS):
            wrong.append(f"{name} needs the scope {route.scope}")
        weaker = SCOPES[: SCOPES.index(route.scope)]
        path = re.sub(r"\{[^}]*\}", "x", route.path)
        for scope in weaker:
            if route.path.startswith("/ui/"):
                found: Any = signed_in[scope].get(path) if route.method == "GET" else signed_in[scope].post(path)
            else:
                found = served.request(route.method, path, token=tokens[scope])
            if found.status != 403:
                wrong.append(f"{name} as {scope}: {found}")
    assert wrong == []


def test_nothing_of_the_server_is_shown_to_an_admin_of_its_own_tenant(
    served: HttpServer, jot: Jotsam, known: SimpleNamespace
) -> None:
    """An operator sees each of the canaries, so that not seeing them is no accident."""
    admin, operator = served.create_token(scope="admin"), served.create_token(scope="operator")
    leaks = [(name, text) for name, text in _answers(served, known, admin) if _canaries(text)]
    assert leaks == []
    seen = {one for _, text in _answers(served, known, operator, methods=("GET",)) for one in _canaries(text)}
    pages = _pages(Site(served, jot).sign_in("admin"), known)
    assert [(path, text) for path, text in pages if _canaries(text)] == []
    seen |= {one for _, text in _pages(Site(served, jot).sign_in("operator"), known) for one in _canaries(text)}
    assert seen == set(CANARIES)


def test_the_status_of_a_tenant_has_no_process_place_or_use_of_others(served: HttpServer, jot: Jotsam) -> None:
    with jot.database.transaction(tenant="eve") as tx:
        about, estimate = (
            {"job_id": 1, "model": "m", "purpose": "extraction"},
            Spent(tokens_in=9, tokens_out=0, cost=0.0),
        )
        ledger.reserve(tx, about, estimate=estimate, cap=ledger.Cap(), until=tx.now + 60_000)
    jot.admin.pause("embed", reason="moving to http://10.0.0.7:9000/v2, see /var/lib/jotsam/notes")
    try:
        found = served.get("/v1/status", token=served.create_token(scope="admin")).json
        whole = served.get("/v1/status").json
    finally:
        jot.admin.resume("embed")
    hidden = "moving to (address of the server), see (address of the server)"
    assert PausedQueue(queue="embed", reason=hidden, probe_ms=None).as_dict() in found["paused"]
    assert "http://10.0.0.7:9000/v2" in str(whole["paused"])
    assert (found["worker_pid"], found["capture_off"], found["replicas"]) == (None, [], [])
    assert found["spent"]["tokens_of_all"] == found["spent"]["tokens"] == 0
    assert whole["spent"]["tokens_of_all"] == 9


def test_an_admin_can_neither_pause_for_others_nor_say_that_it_did(served: HttpServer, jot: Jotsam) -> None:
    jot.admin.resume("embed")  # Its endpoint cannot be reached.
    admin = Site(served, jot).sign_in("admin")
    assert "/ui/queues/embed/pause" not in admin.get("/ui/jobs").html
    assert admin.post("/ui/queues/embed/pause").status == 403
    assert "embed" not in [one.queue for one in jot.status().paused]
    operator = Site(served, jot).sign_in("operator")
    assert "/ui/queues/embed/pause" in operator.get("/ui/jobs").html
    assert "Paused the queue embed." in operator.act("/ui/queues/embed/pause").text
    assert "embed" in [one.queue for one in jot.scoped(tenant="eve").status().paused]
    assert "Resumed the queue embed." in operator.act("/ui/queues/embed/resume").text


def test_a_token_grants_and_revokes_at_most_its_own_scope(served: HttpServer, jot: Jotsam) -> None:
    admin, operator = served.create_token(scope="admin"), served.create_token(scope="operator")
    made = served.post("/v1/tokens", {"name": "x", "scope": "operator"}, token=admin)
    assert (made.status, made.json["detail"]) == (
        403,
        "this needs the scope operator; the token has admin",
    )
    own = operator.split("_")[1]
    assert served.request("DELETE", f"/v1/tokens/{own}", token=admin).status == 403
    assert served.get("/metrics", token=operator).status == 200
    page = Site(served, jot).sign_in("admin")
    assert "operator" not in page.get("/ui/tokens/create").html
    assert page.post("/ui/tokens/create", name="x", scope="operator").status == 403
    assert page.post(f"/ui/tokens/{own}/revoke").status == 403
    made = served.post("/v1/tokens", {"name": "x", "scope": "operator"}, token=operator)
    assert served.get("/metrics", token=made.json["secret"]).status == 200
    assert served.request("DELETE", f"/v1/tokens/{own}", token=made.json["secret"]).status == 200


def test_the_admin_token_of_the_settings_is_the_operators(tmp_path: Path) -> None:
    secret = "s" * 40
    with serving(str(tmp_path / "jotsam.db"), environ={"JOTSAM_HTTP_ADMIN_TOKEN": secret}) as server:
        assert server.get("/metrics", token=secret).status == 200
        assert server.get("/v1/tokens", token=secret).status == 200


def _answers(
    served: HttpServer, known: SimpleNamespace, token: str, *, methods: tuple[str, ...] = ORDER
) -> Iterator[tuple[str, str]]:
    """The answers of all routes that end, to real ids."""
    for tool in STATUS_TOOLS:
        profile = "automem" if tool == "check_database_health" else "jotsam"
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}
        answered = served.post(f"/mcp?profile={profile}", message, token=token)
        assert answered.status == 200, answered
        yield f"/mcp {tool}", answered.content.decode()
    for route in sorted(ROUTES, key=lambda one: ORDER.index(one.method)):
        name = f"{route.method} {route.path}"
        if name in STREAMS or route.method not in methods:
            continue
        for path in _paths(route.path, known):
            body = None if route.method == "GET" else required_body(route)
            if path == "/v1/wait":
                body = {"timeout_ms": 0}
            if route.stream:
                continue
            found: Response = served.request(route.method, path, body, token=token)
            yield f"{name} {path} {found.status}", f"{found.headers} {found.content.decode(errors='replace')}"


def _pages(visitor: Site, known: SimpleNamespace) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        if page.method == "GET":
            for path in _paths(page.path, known):
                yield path, visitor.get(path).html


def _paths(path: str, known: SimpleNamespace) -> list[str]:
    if "{" not in path:
        return [path]
    values = [known.queue] if "/queues/" in path else [known.memory, known.document, known.job, known.name]
    return [re.sub(r"\{[^}]*\}", quote(value), path) for value in values]


def _canaries(text: str) -> list[str]:
    return [one for one in CANARIES if one in text]
