"""Replies of reranking servers, in each form that servers have."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from jotsam.admin.checks.service_checks import check_reranker
from jotsam.core.errors import Malformed, Refused
from jotsam.core.settings import Settings
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.models.openai_endpoint import Endpoint
from jotsam.models.remote_reranker import RemoteReranker

TEXTS = ["the cat sat", "a dog ran", "the mat"]
TEI_REFUSAL = "status:422:Failed to deserialize the JSON body into the target type: missing field `texts` at line 1"
COUNTED: list[int] = []


@pytest.fixture
def reranker(fake_endpoint: FakeEndpoint) -> Iterator[RemoteReranker]:
    COUNTED.clear()
    endpoint = Endpoint(fake_endpoint.url, timeout_ms=30_000)
    yield RemoteReranker(endpoint, model="m")
    endpoint.close()


def score(reranker: RemoteReranker) -> list[float]:
    return reranker.score("the cat", TEXTS, meter=lambda estimate: nullcontext(COUNTED.append))


def test_a_question_and_its_texts_are_scored_in_one_request(reranker: RemoteReranker, fake_endpoint: FakeEndpoint):
    assert score(reranker) == [1.0, 0.0, 0.5]
    (request,) = fake_endpoint.requests
    assert (request["path"], request["model"], request["query"]) == ("/v1/rerank", "m", "the cat")
    assert request["documents"] == TEXTS
    assert [sum(map(len, TEXTS)) // 4] == COUNTED


@pytest.mark.parametrize("name", ["relevance_score", "score"])
@pytest.mark.parametrize("field", ["results", "data"])
def test_the_fields_of_each_server_are_read(
    reranker: RemoteReranker, fake_endpoint: FakeEndpoint, field: str, name: str
):
    items = [{"index": 2, name: 0.9}, {"index": 0, name: -1, "document": {"text": "the cat sat"}}]
    fake_endpoint.script([f"raw:{json.dumps({field: items, 'meta': {}})}"])
    assert score(reranker) == [-1.0, -math.inf, 0.9]


def test_a_server_with_another_field_for_texts_is_asked_in_its_form_from_then_on(
    reranker: RemoteReranker, fake_endpoint: FakeEndpoint
):
    reply = json.dumps([{"index": index, "score": index / 10} for index in range(3)])
    fake_endpoint.script([TEI_REFUSAL, f"raw:{reply}", f"raw:{reply}"])
    assert score(reranker) == score(reranker) == [0.0, 0.1, 0.2]
    assert ["documents" in request for request in fake_endpoint.requests] == [True, False, False]
    assert fake_endpoint.requests[-1]["texts"] == TEXTS
    assert fake_endpoint.requests[-1]["truncate"] is True


def test_any_other_refusal_is_raised_and_nothing_is_asked_again(reranker: RemoteReranker, fake_endpoint: FakeEndpoint):
    fake_endpoint.script(["status:422:unknown model"])
    with pytest.raises(Refused, match="unknown model"):
        score(reranker)
    assert len(fake_endpoint.requests) == 1


@pytest.mark.parametrize(
    ("served", "text"),
    [
        ({"/info": {"model_id": "bge", "max_input_length": 512}}, "bge at {url}: reachable"),
        ({"/models": {"data": [{"id": "a"}, {"id": "b"}]}}, "a, b at {url}: reachable"),
        ({}, "its model at {url}: reachable, but it does not list its models"),
    ],
)
def test_the_models_of_each_server_are_listed_for_doctor(served: dict[str, object], text: str):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = json.dumps(served.get(self.path, {})).encode()
            self.send_response(200 if self.path in served else 404)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        (found,) = check_reranker(Settings(rerank_url=url))
        server.shutdown()
    assert (found.level, found.text.partition(";")[0]) == ("ok", text.format(url=url))


@pytest.mark.parametrize(
    "results",
    [
        [],
        {"0": 1},
        [{"index": 3, "score": 1}],
        [{"index": -1, "score": 1}],
        [{"index": True, "score": 1}],
        [{"index": 0}],
        [{"index": 0, "score": "high"}],
        [{"index": 0, "score": None}],
        [1, 2, 3],
    ],
)
def test_a_reply_without_valid_scores_is_malformed(
    reranker: RemoteReranker, fake_endpoint: FakeEndpoint, results: object
):
    fake_endpoint.script([f"raw:{json.dumps({'results': results})}"])
    with pytest.raises(Malformed, match=r"no scores|invalid score"):
        score(reranker)
