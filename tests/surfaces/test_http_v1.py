"""`/v1` of a real server with a worker: accept, follow, read, change, forget, export."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec import structs

from http_server import HttpServer, Response, serving
from jotsam.memory import options
from jotsam.surfaces.http.routes import ROUTES

NOTE = "# Cache\n\nWe chose Redis for the cache.\n\n# Mail\n\nJohn Smith chose Postfix for the mail.\n"
WAIT = {"Prefer": "wait=30"}
# What a worker finds.
STALE = ("/v1/entities", "/v1/facts", "/v1/patterns", "/v1/crystals", "/v1/graph", "/v1/graph/statistics")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("v1") / "jotsam.db"), worker=True) as running:
        yield running


@pytest.fixture
def alone(served: HttpServer, request: pytest.FixtureRequest) -> HttpServer:
    """The same server, with the token of a new tenant."""
    token = served.create_token(tenant=request.node.name[:100])
    other = object.__new__(HttpServer)
    other.__dict__ = {**served.__dict__, "token": token}
    return other


def code(response: Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status, response.json["code"]


def test_what_is_accepted_can_be_followed_and_waited_for(alone: HttpServer) -> None:
    accepted = alone.post("/v1/memories", {"text": "We use tabs.", "tags": ["style"]})
    receipt = accepted.json
    assert (accepted.status, accepted.headers["location"]) == (202, f"/v1/jobs/{receipt['job_id']}")
    assert accepted.headers["retry-after"] == "2"
    assert alone.post("/v1/wait", {"ids": [receipt["id"]], "timeout_ms": 30_000}).json == {"done": True}
    job = alone.get(accepted.headers["location"]).json
    assert (job["state"], job["memories"], job["deliveries"][0]["outcome"]) == ("done", [receipt["id"]], "done")
    waited = alone.post("/v1/documents", {"text": NOTE, "source": "note.md"}, headers=WAIT)
    assert (waited.status, waited.headers["preference-applied"]) == (200, "wait=30")
    assert len(alone.get(f"/v1/documents/{waited.json['id']}").json["memories"]) == 2
    assert alone.get(f"/v1/items/{waited.json['job_id']}").json["kind"] == "job"
    turn = alone.post("/v1/turns", {"text": "Tabs it is.", "session": "s", "position": 1}, headers=WAIT).json
    assert alone.get(f"/v1/memories/{turn['id']}").json["session"] == "s"
    assert alone.post("/v1/wait", {}).json == {"done": True}
    assert code(alone.post("/v1/wait", {"ids": ["00000000"]})) == (404, "not-found")


def test_an_idempotency_key_has_one_effect_and_one_reply(alone: HttpServer) -> None:
    key = {"Idempotency-Key": '"k-1"'}
    routes: dict[str, dict[str, object]] = {
        "/v1/memories": {"text": "We use tabs."},
        "/v1/documents": {"text": NOTE},
        "/v1/turns": {"text": "Yes.", "session": "s"},
        "/v1/memories/batch": {"items": ["One.", {"text": "Two.", "tags": 5}]},
        "/v1/documents/batch": {"items": [NOTE]},
    }
    for number, (path, body) in enumerate(routes.items()):
        sent = {"Idempotency-Key": f'"{number}"'}
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(lambda _, p=path, b=body, s=sent: alone.post(p, b, headers=s), range(8)))
        assert len({(reply.status, reply.content, reply.headers.get("location")) for reply in replies}) == 1, path
        assert sorted(reply.headers.get("idempotency-replayed", "") for reply in replies) == [""] + ["true"] * 7, path
        bare = alone.post(path, body, headers={"Idempotency-Key": str(number)})
        assert bare.headers["idempotency-replayed"] == "true"
        assert code(alone.post(path, {**body, "text": "Other."}, headers=sent))[0] in (400, 422)
    assert code(alone.post("/v1/memories", {"text": "Other."}, headers={"Idempotency-Key": "0"})) == (422, "key-reused")
    assert code(alone.post("/v1/documents", {"text": "We use tabs."}, headers={"Idempotency-Key": "0"}))[0] == 422
    for wrong in ("", '"', "k" * 501):
        assert code(alone.post("/v1/memories", {"text": "x"}, headers={"Idempotency-Key": wrong}))[0] == 400, wrong
    append = {"namespace": ["s"], "values": ["one"]}
    with ThreadPoolExecutor(8) as pool:
        sent = {"Idempotency-Key": "append"}
        replies = list(pool.map(lambda _: alone.post("/v1/store/append", append, headers=sent), range(8)))
    assert {(reply.status, reply.json["position"], reply.headers.get("retry-after")) for reply in replies} == {
        (200, 0, None)
    }
    assert alone.post("/v1/store/append", append).json["position"] == 1
    upserts = [
        alone.request("PUT", "/v1/memories/by-key/port", {"text": text}, headers={"Idempotency-Key": "up"})
        for text in ("8080.", "8080.", "9090.")
    ]
    assert [reply.status for reply in upserts] == [202, 202, 422]
    assert upserts[0].json == upserts[1].json, "a repetition creates it again"
    status = alone.get("/v1/status").json
    assert (status["documents"], alone.post("/v1/memories", {"text": "New."}, headers=key).status) == (2, 202)


def test_a_batch_says_of_each_item_what_became_of_it(alone: HttpServer) -> None:
    mixed = alone.post("/v1/memories/batch", {"items": ["One.", {"text": "Two.", "importance": 7}, 3, {"key": "k"}]})
    assert mixed.status == 207
    assert [bool(one["receipt"]) for one in mixed.json["items"]] == [True, False, False, False]
    assert {one.get("code") for one in mixed.json["items"][1:]} == {"invalid-input"}
    secret = alone.post("/v1/memories/batch", {"items": [{"text": "x", "type": 7, "key": "AKIAQ3EGRIZ7XT5NVLWB"}]})
    assert "AKIA" not in secret.content.decode()
    assert alone.post("/v1/memories/batch", {"items": ["x"] * 500}).status == 202
    too_many = alone.post("/v1/documents/batch", {"items": ["x"] * 501})
    assert code(too_many)[0] == 400
    assert "501" in too_many.json["detail"]


def test_a_memory_is_changed_only_in_the_version_that_was_read(alone: HttpServer) -> None:
    id = alone.post("/v1/memories", {"text": "We use tabs.", "external_id": "n/1 ü"}, headers=WAIT).json["id"]
    read = alone.get(f"/v1/memories/{id}")
    assert read.headers["etag"] == '"1"'
    changed = alone.request("PATCH", f"/v1/memories/{id}", {"importance": 0.9}, headers={"If-Match": '"1"'})
    assert (changed.status, changed.headers["etag"]) == (200, '"2"')
    late = alone.request("PATCH", f"/v1/memories/{id}", {"importance": 0.1}, headers={"If-Match": '"1"'})
    assert code(late) == (412, "conflict")
    assert code(alone.request("PATCH", f"/v1/memories/{id}", {}, headers={"If-Match": "new"}))[0] == 400
    assert alone.get(f"/v1/memories/{id}").json["importance"] == 0.9
    assert [one["version"] for one in alone.get(f"/v1/memories/{id}/versions").json["items"]] == [1]
    assert alone.request("PATCH", f"/v1/memories/{id}", {"importance": None}).json["version"] == 3
    assert alone.get("/v1/memories/n%2F1%20%C3%BC").json["id"] == id, "by external id"
    assert code(alone.get(f"/v1/memories/{id}?actor=bob"))[0] == 404
    missing = alone.get("/v1/memories/n%2F2")
    assert (code(missing)[0], missing.json["instance"]) == (404, "/v1/memories/n%2F2")
    for version, status in (('"2"', 412), ('"2", "3"', 400), ('W/"3"', 200)):
        assert alone.request("DELETE", f"/v1/memories/{id}", headers={"If-Match": version}).status == status, version


def test_lists_go_on_where_the_cursor_says(alone: HttpServer) -> None:
    alone.post("/v1/memories/batch", {"items": [f"Number {at}." for at in range(5)]})
    for path, size in (("/v1/memories", 5), ("/v1/jobs?state=ready", None)):
        mark = "&" if "?" in path else "?"
        seen, cursor = [], ""
        while True:
            page = alone.get(f"{path}{mark}limit=2{cursor}").json
            seen += [one["id"] for one in page["items"]]
            if page["next_cursor"] is None:
                break
            cursor = f"&cursor={page['next_cursor']}"
        assert len(seen) == len(set(seen)), path
        assert size is None or len(seen) == size
    for path in ("/v1/memories", "/v1/jobs", "/v1/jobs/dead", "/v1/jobs/stuck"):
        assert code(alone.get(f"{path}?cursor=!"))[0] == 400, path


def test_an_answer_says_what_it_does_not_cover_yet(served: HttpServer, tmp_path) -> None:
    with serving(str(tmp_path / "jotsam.db")) as idle:
        idle.post("/v1/memories", {"text": "We use tabs.", "project": "shop"})
        for found in (idle.post("/v1/recall", {"question": "tabs"}), idle.get("/v1/recall?question=tabs")):
            assert found.headers["x-pending-ingests"] == "1"
            assert (found.json["staleness"]["pending"], found.json["staleness"]["complete"]) == (1, False)
        brief = idle.get("/v1/brief?project=shop")
        assert (brief.json["staleness"]["pending"], brief.headers["x-pending-ingests"]) == (1, "1")
        made = {path: idle.get(path) for path in STALE}
        assert {
            path: (one.json["staleness"]["pending"], one.headers["x-pending-ingests"]) for path, one in made.items()
        } == dict.fromkeys(STALE, (1, "1"))
        job = idle.post("/v1/documents", {"text": NOTE}, headers={"Prefer": "wait=1"})
        assert job.status == 202, "nothing is done without a worker"
        assert idle.get("/v1/memories").headers["x-pending-ingests"] == "1"
        assert idle.post("/v1/wait", {"timeout_ms": 10}).json == {"done": False}
        ids = [one["id"] for one in idle.get("/v1/jobs").json["items"]]
        gone = idle.post("/v1/jobs/discard", {"ids": [*ids, 10**6]}).json["items"]
        assert [one.get("code") for one in gone] == [None, None, "not-found"]


def test_knowledge_is_read_and_changed(alone: HttpServer) -> None:
    texts = ["John Smith met Ana Berg. We use Redis.", "John Smith uses Redis in Berlin."]
    one, other = (alone.post("/v1/memories", {"text": text}, headers=WAIT).json["id"] for text in texts)
    assert {"john-smith"} <= {entity["slug"] for entity in alone.get("/v1/entities").json["items"]}
    assert alone.get("/v1/facts?subject=we").json["items"]
    link = {"source": one, "type": "LEADS_TO", "target": other}
    assert alone.post("/v1/links", {**link, "weight": 0.5}).json["weight"] == 0.5
    assert alone.get(f"/v1/memories/{one}/graph").json["neighbours"]
    assert alone.get("/v1/graph").json["links"]
    assert alone.post("/v1/links/delete", link).status == 200
    assert code(alone.post("/v1/links/delete", link))[0] == 404
    assert alone.post("/v1/links/batch", {"items": [link, {**link, "type": "NO"}]}).status == 207
    assert alone.post("/v1/entities/merge", {"name": "ana-berg", "into": "john-smith"}).json["entity"]
    assert alone.post("/v1/entities/split", {"name": "ana-berg"}).json["entity"]
    assert alone.post("/v1/supersede", {"old": one, "new": other}).json["old"] == one
    assert alone.post("/v1/supersede/undo", {"old": one, "new": other}).json["since"] is None


def test_forgetting_is_planned_first_and_can_be_taken_back(alone: HttpServer) -> None:
    id = alone.post("/v1/memories", {"text": "We use tabs.", "tags": ["style"]}, headers=WAIT).json["id"]
    plan = alone.post("/v1/forget/plan", {"tags": ["style"]}).json
    assert plan["memories"] == [id]
    receipt = alone.post("/v1/forget", {"plan": plan, "trash": True}).json
    assert (receipt["memories"], code(alone.get(f"/v1/memories/{id}"))[0]) == (1, 404)
    (batch,) = alone.get("/v1/trash").json["items"]
    assert alone.post(f"/v1/trash/{batch['id']}/restore").json["memories"] == 1
    assert alone.request("DELETE", f"/v1/memories/{id}?never_again=true").json["refused"] == 1
    assert code(alone.request("DELETE", f"/v1/memories/{id}")) == (404, "not-found")
    assert alone.post("/v1/memories", {"text": "We use tabs."}).json["forgotten"]
    assert alone.post("/v1/forget/allow-again", {"text": "We use tabs."}).json == {"allowed": 1}
    note = alone.post("/v1/documents", {"text": NOTE}, headers=WAIT).json["id"]
    assert code(alone.request("DELETE", f"/v1/memories/{note}"))[0] == 404, "it is a document"
    again = alone.post("/v1/reprocess/plan", {"ids": [note], "force": True}).json
    assert alone.post("/v1/reprocess", {"plan": again}).json == {"queued": 2}
    assert alone.request("DELETE", f"/v1/documents/{note}").json["memories"] == 2
    assert "erased" in alone.request("DELETE", "/v1/trash").json
    assert alone.post("/v1/extract-prompt", {"ids": []}).status in (200, 400)


def test_a_person_is_forgotten_everywhere(alone: HttpServer) -> None:
    alone.post("/v1/memories", {"text": "Wanda Quixley works at Globex."}, headers=WAIT)
    alone.request("PUT", "/v1/blocks/persona", {"text": "Wanda Quixley pays."})
    plan = alone.post("/v1/forget/plan", {"person": ["Wanda Quixley"]}).json
    assert {"mentions": 1, "blocks": 1}.items() <= {
        one["place"]: one["number"] for one in plan["person"]["places"]
    }.items()
    assert alone.post("/v1/forget", {"plan": plan}).json["left"] == []
    assert alone.get("/v1/blocks").json["items"] == []
    assert code(alone.post("/v1/forget/plan", {"person": ["Wanda"], "project": "x"}))[0] == 400
    assert code(alone.post("/v1/forget/plan", {"person": []}))[0] == 400


def test_an_export_is_streamed_and_can_be_imported_again(alone: HttpServer) -> None:
    items = [{"text": f"Number {at}: {'word ' * 400}", "tags": ["many"]} for at in range(500)]
    alone.post("/v1/memories/batch", {"items": items})
    exported = alone.get("/v1/export")
    assert (exported.headers["cache-control"], exported.headers["content-type"]) == ("no-store", "application/x-ndjson")
    lines = exported.content.splitlines()
    assert json.loads(lines[-1])["counts"]["memory"] == 500
    again = alone.request("POST", "/v1/import", content=exported.content, headers={"Content-Type": "a/b"})
    assert again.json["duplicates"]["memory"] == 500, again
    alone.post("/v1/forget", {"plan": alone.post("/v1/forget/plan", {"tags": ["many"]}).json})
    done = alone.request("POST", "/v1/import?dry_run=true", content=exported.content)
    assert done.json["added"]["memory"] == 500, done
    assert code(alone.get("/v1/export?document=00000000"))[0] == 404
    cut = alone.request("POST", "/v1/import", content=exported.content[:-5])
    assert code(cut)[0] == 400
    assert "/" not in cut.json["detail"].replace("/v1/import", ""), "no path of the server"


def test_a_client_that_leaves_ends_its_export(alone: HttpServer) -> None:
    alone.post("/v1/memories/batch", {"items": [f"Number {at}: {'word ' * 4_000}" for at in range(500)]})
    connection = alone.connection()
    connection.request("GET", "/v1/export", headers={"Authorization": f"Bearer {alone.token}"})
    assert connection.getresponse().read(10)
    connection.close()
    assert alone.get("/v1/status").status == 200


def test_secrets_tokens_and_costs_are_for_admins(alone: HttpServer, served: HttpServer) -> None:
    alone.post("/v1/memories", {"text": "The key is AKIAQ3EGRIZ7XT5NVLWB."})
    mark = alone.get("/v1/redactions").json["items"][0]["fingerprint"]
    allowed = alone.post("/v1/allowed-secrets", {"fingerprint": mark[:12], "reason": "an example"})
    assert allowed.json == {"fingerprint": mark}
    assert alone.post("/v1/allowed-secrets/forbid", {"fingerprint": mark}).json == {"forbidden": 1}
    assert code(alone.post("/v1/allowed-secrets", {"reason": "neither"}))[0] == 400
    made = alone.post("/v1/tokens", {"name": "reader", "scope": "read"})
    assert made.status == 201
    assert alone.get("/v1/status", token=made.json["secret"]).status == 200
    assert code(alone.get("/v1/tokens", token=made.json["secret"])) == (403, "forbidden")
    assert made.json["secret"].split("_", 2)[2] not in alone.get("/v1/tokens").content.decode()
    assert alone.request("DELETE", f"/v1/tokens/{made.json['id']}").json["revoked_at"]
    assert code(alone.get("/v1/status", token=made.json["secret"])) == (401, "unauthorized")
    assert (alone.get("/v1/costs").status, alone.get("/v1/retention").json["trash"]) == (200, 0)


def test_bodies_and_parameters_have_the_fields_of_the_python_options() -> None:
    """A new option of a Python call is one of its route too."""
    pairs = {
        "POST /v1/memories": (options.MemoryItem, set[str]()),
        "PATCH /v1/memories/{id}": (options.UpdateOptions, {"forget_history"}),
        "POST /v1/documents": (options.DocumentItem, set[str]()),
        "POST /v1/turns": (options.TurnOptions, {"text", "session", "key"}),
        "POST /v1/recall": (options.RecallOptions, {"question", "tokens", "limit"}),
        "GET /v1/export": (options.SelectionOptions, {"vectors"}),
        "GET /v1/facts": (options.FactOptions, {"limit"}),
        "POST /v1/links": (options.LinkItem, set[str]()),
        "POST /v1/reprocess/plan": (options.ReprocessOptions, {"ids", "force"}),
    }
    taken = {f"{route.method} {route.path}": route.body or route.query for route in ROUTES}
    for route, (option, more) in pairs.items():
        struct = taken[route]
        assert struct is not None
        assert {field.name for field in structs.fields(struct)} == {*option.__annotations__, *more}, route
