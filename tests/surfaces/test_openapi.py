"""The OpenAPI document: it is valid, complete, and what a real server answers is as it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from tools.reference import PAGES

from http_server import HttpServer, Response, serving
from jotsam.core.record_types import ERROR_CLASSES
from jotsam.remote.exchange import CLASSES
from jotsam.surfaces.http.openapi import CODES, document
from jotsam.surfaces.http.requests.problem import KINDS
from jotsam.surfaces.http.routes import ROUTES

SECRET = "AKIAIOSFODNN7REALKEY"


@cache
def api() -> dict[str, Any]:
    """Not made on import: each process of the tests imports this file."""
    return document(ROUTES)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("openapi") / "jotsam.db"), worker=True) as running:
        yield running


def test_the_document_is_valid_and_the_server_answers_it_to_everyone(served: HttpServer) -> None:
    validate(api())
    answer = served.get("/openapi.json", token=None)
    assert answer.status == 200
    assert answer.json == json.loads(json.dumps(api()))
    ids = [one["operationId"] for methods in api()["paths"].values() for one in methods.values()]
    assert len(ids) == len(set(ids)) == len(ROUTES)


def test_the_committed_copy_is_up_to_date() -> None:
    assert json.loads((PAGES / "openapi.json").read_text()) == json.loads(json.dumps(api()))


def test_each_route_of_v1_describes_its_answer() -> None:
    bare = [route for route in ROUTES if route.result is None and route.media_type == "application/json"]
    assert [f"{route.method} {route.path}" for route in bare if route.path.startswith("/v1/")] == []


def test_the_client_knows_the_code_of_each_error_that_the_server_names() -> None:
    assert {code for _, _, code in KINDS} <= CLASSES.keys()
    assert {*ERROR_CLASSES, *CLASSES} <= {*CODES}


def check(answer: Response, method: str, template: str) -> None:
    """Whether an answer is as its route says."""
    operation = api()["paths"][template][method.lower()]
    described = operation["responses"].get(str(answer.status))
    assert described is not None, f"{method} {template} answered {answer.status}: {answer}"
    if "$ref" in described:
        described = api()["components"]["responses"][described["$ref"].rpartition("/")[2]]
    media_type = answer.headers.get("content-type", "").partition(";")[0]
    assert media_type in described.get("content", {media_type: {}}), f"{method} {template} answered {media_type}"
    schema = described.get("content", {}).get(media_type, {}).get("schema")
    if schema is not None and media_type in ("application/json", "application/problem+json"):
        whole = {**schema, "components": api()["components"]}
        errors = [
            f"{one.json_path}: {one.message[:200]}" for one in Draft202012Validator(whole).iter_errors(answer.json)
        ]
        assert errors == [], f"{method} {template}"


def test_live_answers_of_each_route_are_as_the_document_says(served: HttpServer) -> None:
    tried: set[tuple[str, str]] = set()

    def call(method: str, path: str, body: Any = None, *, template: str = "", **options: Any) -> Any:
        answer = served.request(method, path, body, **options)
        plain = template or path.partition("?")[0]
        check(answer, method, plain)
        tried.add((method, plain))
        return answer.json if answer.headers.get("content-type") == "application/json" else answer.content

    old = call("POST", "/v1/memories", {"text": "Bob works at Acme.", "type": "Decision", "external_id": "a/b"})["id"]
    new = call("POST", "/v1/memories", {"text": f"Bob uses Redis, {SECRET}."}, headers={"Prefer": "wait=20"})["id"]
    for text in ("The port is 8443.", "The port is 9443.", "The port is 9443."):
        call("PUT", "/v1/memories/by-key/port%2F1", {"text": text}, template="/v1/memories/by-key/{key}")
    call("POST", "/v1/memories/by-key/batch", {"items": [{"key": "batch", "text": "One."}, {"key": "x"}]})
    call("POST", "/v1/memories/batch", {"items": ["Ana prefers tea.", {"text": "Eve.", "importance": 3}]})
    document = call("POST", "/v1/documents", {"text": "# Plan\n\nWe chose SQLite.", "source": "plan.md"})
    call("POST", "/v1/documents/batch", {"items": [{"text": "x"}, {"source": "y"}]})
    call("POST", "/v1/turns", {"text": "Use tabs.", "session": "s", "position": 1})
    assert call("POST", "/v1/wait", {"timeout_ms": 30_000}) == {"done": True}
    for path in ("/v1/status", "/v1/brief", "/v1/jobs", "/v1/jobs/stuck", "/v1/jobs/failures", "/v1/jobs/dead"):
        call("GET", path)
    for path in ("entities", "entities/review", "entities/merge-candidates", "facts", "patterns", "projects", "graph"):
        call("GET", f"/v1/{path}")
    call("GET", "/v1/sessions")
    call("GET", "/v1/sessions/s", template="/v1/sessions/{id}")
    for path in (
        "graph/statistics",
        "graph/preferences",
        "trash",
        "redactions",
        "costs",
        "retention",
        "tokens",
        "audit",
    ):
        call("GET", f"/v1/{path}")
    call("GET", "/v1/memories?limit=2&history=true&since=2020-01-01")
    call("GET", "/v1/recall?question=where&tokens=200")
    for metadata in ('{"size": {"$gte": 3}}', "{", "[]"):
        for path in ("memories", "recall", "graph"):
            call("GET", f"/v1/{path}?metadata={quote(metadata)}")
    call("POST", "/v1/recall", {"question": "where does Bob work?", "expand": ["relations"]})
    memory = "/v1/memories/{id}"
    call("GET", "/v1/memories/a%2Fb", template=memory)
    call("GET", "/v1/memories/nothing", template=memory)
    call("GET", "/v1/memories/by-key/port%2F1", template="/v1/memories/by-key/{key}")
    call("PATCH", f"/v1/memories/{old}", {"importance": 0.7}, template=memory, headers={"If-Match": '"1"'})
    call("PATCH", f"/v1/memories/{old}", {"importance": 0.8}, template=memory, headers={"If-Match": '"1"'})
    for name in ("versions", "graph", "neighbourhood"):
        call("GET", f"/v1/memories/{old}/{name}", template=f"{memory}/{name}")
    call("GET", f"/v1/documents/{document['id']}", template="/v1/documents/{id}")
    call("GET", f"/v1/items/{new}", template="/v1/items/{id}")
    call("GET", f"/v1/jobs/{document['job_id']}", template="/v1/jobs/{id}")
    call("GET", "/v1/entities/bob", template="/v1/entities/{name}")
    call("POST", "/v1/links", {"source": old, "type": "LEADS_TO", "target": new})
    call("POST", "/v1/links/batch", {"items": [{"source": old, "type": "PART_OF", "target": new}, {"source": "x"}]})
    call("POST", "/v1/links/delete", {"source": old, "type": "LEADS_TO", "target": new})
    for name in ("archive", "unarchive"):
        call("POST", f"/v1/memories/{old}/{name}", {}, template=f"{memory}/{name}")
    call("POST", "/v1/supersede", {"old": old, "new": new})
    call("POST", "/v1/supersede/undo", {"old": old, "new": new})
    call("POST", "/v1/entities/merge", {"name": "redis", "into": "acme"})
    call("POST", "/v1/memories", {"text": "Bob likes tabs.", "project": "shop"})
    call("POST", "/v1/projects/rename", {"project": "shop", "label": "Shop"})
    call("POST", "/v1/projects/merge", {"project": "shop", "into": "bank"})
    call("POST", "/v1/projects/split", {"project": "shop"})
    call("POST", "/v1/entities/split", {"name": "redis"})
    call("POST", "/v1/jobs/retry", {"ids": [1], "dry_run": True})
    call("POST", "/v1/jobs/discard", {"ids": [1], "dry_run": True})
    call("POST", "/v1/extract-prompt", {"ids": [old]})
    call("POST", "/v1/extract-apply", {"text": "{}"})
    plan = call("POST", "/v1/reprocess/plan", {"force": True})
    call("POST", "/v1/reprocess", {"plan": plan})
    call("POST", "/v1/wait", {"timeout_ms": 30_000})
    call("GET", "/v1/lifecycle")
    call("POST", "/v1/lifecycle/plan", {"step": "decay"})
    run = call("POST", "/v1/lifecycle/runs", {"step": "decay"})["id"]
    call("POST", "/v1/wait", {"timeout_ms": 30_000})
    call("GET", "/v1/lifecycle/runs?step=decay")
    call("GET", f"/v1/lifecycle/runs/{run[:8]}", template="/v1/lifecycle/runs/{id}")
    call("POST", f"/v1/lifecycle/runs/{run}/undo", {}, template="/v1/lifecycle/runs/{id}/undo")
    call("GET", "/v1/lifecycle/themes?limit=5")
    call("GET", "/v1/lifecycle/links?kind=explains")
    call("POST", "/v1/lifecycle/links/remove", {"kind": "explains"})
    call("GET", "/v1/workflows?since=1577836800000&min_sessions=2")
    call("POST", "/v1/lifecycle/allow-again", {})
    block = "/v1/blocks/{name}"
    call("PUT", "/v1/blocks/style", {"text": "Early returns."}, template=block)
    call("POST", "/v1/blocks/style/append", {"text": "Short names."}, template=f"{block}/append")
    call("GET", "/v1/blocks")
    call("GET", "/v1/blocks/style", template=block)
    call("PUT", "/v1/blocks/style", {"text": "x"}, template=block, headers={"If-Match": '"1"'})
    call("DELETE", "/v1/blocks/style", template=block)
    store = {"namespace": ["users", "ana"], "key": "theme"}
    call("POST", "/v1/store/put", {**store, "value": {"color": "red"}, "ttl_ms": 60_000})
    call("POST", "/v1/store/put-many", {"items": [{**store, "value": None, "text": "dark"}]})
    call("POST", "/v1/store/get", store)
    call("POST", "/v1/store/get-many", {"namespace": ["users", "ana"], "keys": ["theme"]})
    call("POST", "/v1/store/search", {"query": "dark", "filter": {"color": {"$ne": "red"}}, "offset": 0})
    call("POST", "/v1/store/namespaces", {"prefix": ["users"], "depth": 1})
    call("POST", "/v1/store/append", {"namespace": ["session"], "values": ["one", {"two": [2]}]})
    call("POST", "/v1/store/pop", {"namespace": ["session"]})
    call("POST", "/v1/store/clear", {"namespace": ["session"]})
    call("POST", "/v1/store/delete", store)
    note = call("POST", "/v1/notes", {"text": "Tabs for Go."})["id"]
    call("GET", "/v1/notes?kind=rule")
    call("POST", f"/v1/notes/{note}/verdict", {"verdict": "keep"}, template="/v1/notes/{id}/verdict")
    call("POST", f"/v1/notes/{note}/edit", {"text": "Spaces for Go."}, template="/v1/notes/{id}/edit")
    crystal = call("POST", "/v1/crystals", {"id": new, "kind": "fact"})
    call("GET", "/v1/crystals")
    for name in ("retract", "undo-retract"):
        call("POST", f"/v1/crystals/{crystal['id']}/{name}", {}, template=f"/v1/crystals/{{id}}/{name}")
    fingerprint = call("POST", "/v1/allowed-secrets", {"secret": SECRET, "reason": "an example"})["fingerprint"]
    call("GET", "/v1/allowed-secrets")
    call("POST", "/v1/allowed-secrets/forbid", {"fingerprint": fingerprint})
    exported = call("GET", "/v1/export")
    call("POST", "/v1/import", content=exported, headers={"Content-Type": "application/octet-stream"})
    call("POST", "/v1/forget", {"plan": call("POST", "/v1/forget/plan", {"ids": [old]}), "trash": True})
    batch = call("GET", "/v1/trash")["items"][0]["id"]
    call("POST", f"/v1/trash/{batch}/restore", {}, template="/v1/trash/{id}/restore")
    call("DELETE", "/v1/trash")
    call("DELETE", f"/v1/memories/{old}?never_again=true", template=memory)
    call("POST", "/v1/forget/allow-again", {"text": "Bob works at Acme."})
    call("DELETE", f"/v1/documents/{document['id']}", template="/v1/documents/{id}")
    token = call("POST", "/v1/tokens", {"name": "ci", "scope": "read"})
    call("GET", "/v1/status", token=None)
    call("POST", "/v1/memories", {"text": "x"}, token=token["secret"])
    call("DELETE", f"/v1/tokens/{token['token']['id']}", template="/v1/tokens/{id}")
    every = {(route.method, route.path) for route in ROUTES if route.path.startswith("/v1/")}
    assert {one for one in every - tried if "events" not in one[1]} == set()
