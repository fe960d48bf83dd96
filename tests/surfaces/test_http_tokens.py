"""Tokens over HTTP: their limits, their revocation, and the audit of what they changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from http_routes import name_of
from http_server import HttpServer, serving
from jotsam import Jotsam
from jotsam.core.token_records import Principal
from jotsam.memory.access.tokens import list_tokens, revoke_token
from jotsam.surfaces.http.requests.access import in_tenant
from jotsam.surfaces.http.requests.route import Call
from jotsam.surfaces.http.routes import ROUTES
from processes import until


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("tokens") / "jotsam.db")) as running:
        yield running


@pytest.fixture
def jot(served: HttpServer) -> Iterator[Jotsam]:
    with Jotsam(served.db, worker="off") as jot:
        yield jot


def test_a_token_beyond_its_rate_gets_the_time_to_try_again(served: HttpServer) -> None:
    slow = served.create_token(scope="write", rate=0.01)
    assert served.get("/v1/status", token=slow).status == 200
    refused = served.post("/v1/memories", {"text": "Too much."}, token=slow)
    assert (refused.status, refused.json["code"]) == (429, "rate-limited")
    assert 90 <= int(refused.headers["retry-after"]) <= 100
    assert served.get("/v1/status").status == 200, "another token is not limited"


def test_a_body_beyond_the_limit_of_its_token_is_refused(served: HttpServer) -> None:
    small = served.create_token(scope="write", max_bytes=100)
    assert served.post("/v1/memories", {"text": "x" * 50}, token=small).status == 202
    assert served.post("/v1/memories", {"text": "x" * 100}, token=small).status == 413


def test_a_token_is_refused_as_soon_as_it_is_revoked_and_its_use_is_noted(served: HttpServer, jot: Jotsam) -> None:
    secret = served.create_token(scope="read", tenant="shop")
    (token,) = list_tokens(jot.database, tenant="shop")
    assert token.last_used_at is None
    assert served.get("/v1/status", token=secret).status == 200
    until(lambda: list_tokens(jot.database, tenant="shop")[0].last_used_at is not None)
    revoke_token(jot.database, tenant="shop", id=token.id)
    assert served.get("/v1/status", token=secret).status == 401


def test_every_route_but_those_that_read_is_audited(jot: Jotsam) -> None:
    """A route that only reads has the method GET or the scope read."""
    own = Principal(token="t", name="t", tenant="default", scope="operator")
    call = Call(path={}, query=None, body=None, headers={}, request_id="r", server=None, jot=jot, principal=own)  # type: ignore[arg-type]
    sent = [route for route in ROUTES if route.scope and route.method != "GET"]
    reading = {name_of(one) for one in sent if type(in_tenant(call, one).jot.database) is type(jot.database)}
    assert reading == {
        "POST /mcp",  # audited for each tool that is called
        *("POST /v1/extract-prompt", "POST /v1/forget/plan", "POST /v1/lifecycle/plan"),
        *("POST /v1/recall", "POST /v1/wait"),
        *(f"POST /v1/store/{call}" for call in ("get", "get-many", "namespaces", "search")),
    }


def test_each_request_that_changes_something_is_in_the_audit_and_no_other(served: HttpServer, jot: Jotsam) -> None:
    secret = served.create_token(tenant="audited", scope="write")
    (token,) = list_tokens(jot.database, tenant="audited")
    view = jot.scoped(tenant="audited")

    def call(tool: str, **arguments: object) -> int:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        return served.post("/mcp", message, token=secret).status

    made = served.post("/v1/memories", {"text": "We use Redis."}, token=secret, headers={"X-Request-Id": "r-1"})
    id = made.json["id"]
    assert served.get(f"/v1/memories/{id}", token=secret).status == 200
    assert served.post("/v1/recall", {"question": "Redis"}, token=secret).status == 200
    assert served.post("/v1/memories", {"text": 5}, token=secret).status == 400
    assert served.request("PUT", "/v1/memories/by-key/cache", {"text": 5}, token=secret).status == 400
    assert call("recall", query="Redis") == 200
    assert call("remember", text="We use tabs.") == 200
    assert served.request("PUT", "/v1/memories/by-key/cache", {"text": "Valkey."}, token=secret).status == 202
    assert served.request("DELETE", "/v1/memories/nope", token=secret).status == 404
    assert served.request("DELETE", f"/v1/memories/{id}", token=secret).status == 200

    own = [one for one in reversed(view.admin.audit()) if one.token]
    assert [(one.action, one.subject) for one in own] == [
        ("POST /v1/memories", ""),
        ("POST /mcp remember", ""),
        ("PUT /v1/memories/by-key/{key}", "cache"),
        ("DELETE /v1/memories/{id}", id),
    ]
    assert (own[0].request, own[0].token, own[0].name, own[0].address) == ("r-1", token.id, "test", "127.0.0.1")
