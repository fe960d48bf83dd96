"""Many users over HTTP: memory by key, and blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from http_server import HttpServer, serving
from jotsam import Client
from jotsam.surfaces.http.routes import ROUTES


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("users") / "jotsam.db")) as running:
        yield running


def test_a_memory_is_created_and_changed_by_its_key(served: HttpServer) -> None:
    path = "/v1/memories/by-key/ana%2Feditor"
    first = served.request("PUT", path, {"text": "Ana uses Vim.", "actor": "ana"})
    assert (first.status, first.json["created"], first.json["version"]) == (202, True, 1)
    assert first.headers["location"] == f"/v1/jobs/{first.json['job_id']}"
    second = served.request("PUT", path, {"text": "Ana uses Helix."})
    assert (second.json["id"], second.json["created"], second.json["version"]) == (first.json["id"], False, 2)
    same = served.request("PUT", path, {"text": "Ana uses Helix."})
    assert (same.status, same.json["version"], "location" in same.headers) == (202, 2, False)
    with Client(served.url, token=served.token) as client:
        assert client.upsert("ana/editor", "Ana uses Zed.").version == 3
    read = served.get(path)
    assert (read.json["id"], read.json["text"], read.headers["etag"]) == (first.json["id"], "Ana uses Zed.", '"3"')
    assert (served.get(f"{path}?actor=bob").status, served.get("/v1/memories/by-key/versions").status) == (404, 404)
    assert served.request("PUT", path, {"text": "x", "actor": "bob"}).status == 400
    assert served.request("PUT", path, {"text": "x", "key": "other"}).status == 400
    other = served.create_token(tenant="other")
    assert served.request("PUT", path, {"text": "Mine."}, token=other).json["created"]
    reader = served.create_token(scope="read")
    assert served.request("PUT", path, {"text": "x"}, token=reader).status == 403


def test_blocks_are_read_and_changed_over_http(served: HttpServer) -> None:
    path = "/v1/blocks/human?actor=ana"
    assert served.get(path).status == 404
    made = served.request("PUT", path, {"text": "Ana.", "limit": 40, "pinned": False})
    assert (made.status, made.json["version"], made.headers["etag"]) == (200, 1, '"1"')
    too_long = served.request("PUT", path, {"text": "x" * 41})
    assert (too_long.status, "41 characters" in too_long.json["detail"]) == (400, True)
    added = served.post("/v1/blocks/human/append?actor=ana", {"text": "A doctor."}, headers={"If-Match": '"1"'})
    assert added.json["text"] == "Ana.\nA doctor."
    for method, body in (("PUT", {"text": "x"}), ("DELETE", None)):
        assert served.request(method, path, body, headers={"If-Match": '"1"'}).status == 412
        assert served.request(method, path, body, headers={"If-Match": "one"}).status == 400
    assert [one["name"] for one in served.get("/v1/blocks?actor=ana").json["items"]] == ["human"]
    assert served.get("/v1/blocks?actor=bob").json["items"] == []
    other = served.create_token(tenant="other")
    assert served.get(path, token=other).status == 404
    assert served.request("DELETE", path, token=other).status == 404
    with Client(served.url, token=served.token) as client:
        ana = client.scoped(actor="ana")
        assert ana.blocks.get("human").version == 2
        assert ana.blocks.set("human", "Ana.", version=2).version == 3
        assert [block.actor for block in ana.blocks.list()] == ["ana"]
        assert ana.blocks.delete("human", version=3).text == "Ana."
    assert served.get(path).status == 404


def test_every_reading_route_shows_one_actor_alone(served: HttpServer) -> None:
    token = served.create_token(tenant="actors")
    ids = {}
    for name in ("ana", "bob"):
        body = {"text": f"We use Redis at the {name} office.", "actor": name}
        ids[name] = served.post("/v1/memories", body, token=token).json["id"]
    mine, theirs = ids["ana"], ids["bob"]
    served.post("/v1/links", {"source": mine, "type": "LEADS_TO", "target": theirs}, token=token)
    lists = (
        "recall?question=Redis&",
        "brief?",
        "memories?",
        "entities?",
        "facts?",
        "patterns?",
        "graph?",
        "export?",
        "graph/preferences?",
    )
    for path in (f"/v1/{name}actor=ana" for name in lists):
        found = served.get(path, token=token)
        assert (found.status, theirs.encode() in found.content, b"bob office" in found.content) == (
            200,
            False,
            False,
        ), path
    for path in ("/v1/memories/{}", "/v1/memories/{}/versions", "/v1/memories/{}/graph", "/v1/items/{}"):
        own = served.get(f"{path.format(mine)}?actor=ana", token=token)
        assert (own.status, theirs.encode() in own.content) == (200, False), path
        assert served.get(f"{path.format(theirs)}?actor=ana", token=token).status == 404, path
        assert served.get(f"{path.format(mine)}?actor=", token=token).status == 400, path


def test_an_actor_filters_or_is_refused_on_every_route(served: HttpServer) -> None:
    """Ignored, it would show or delete what others said."""
    filters = {route.path for route in ROUTES if "actor" in getattr(route.query, "__struct_fields__", ())}
    ignoring = []
    for route in ROUTES:
        if route.scope and route.path not in filters and route.method in ("GET", "DELETE"):
            path = re.sub(r"\{.*?\}", "1", route.path)
            refused = served.request(route.method, f"{path}?actor=ana")
            if refused.status != 400 or b"actor" not in refused.content:
                ignoring.append(f"{route.method} {route.path} {refused}")
    assert ignoring == []


def test_a_path_without_its_last_part_is_not_another_path(served: HttpServer) -> None:
    for path in ("/v1/blocks/", "/v1/memories/by-key/"):
        assert served.request("PUT", path, {"text": "x"}).json["code"] == "not-found"
