"""What may happen on the way to a model, each over real HTTP, and what becomes of it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import (
    InvalidInput,
    JobError,
    Malformed,
    NoAnswer,
    ProviderUnavailable,
    Refused,
    RetryJob,
    TooLong,
)
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.models.openai_endpoint import Endpoint, retry_after_ms
from processes import PATIENCE, until

KEY = "sk-very-secret-0123456789"
SHORT_MS = 300
FAR_MS = PATIENCE * 1_000
BODY = {"model": "m", "messages": [{"role": "user", "content": "<text>\nWe use Redis.\n</text>"}]}


@pytest.fixture
def endpoint(fake_endpoint: FakeEndpoint) -> Iterator[Endpoint]:
    endpoint = Endpoint(fake_endpoint.url, key=KEY, timeout_ms=FAR_MS)
    yield endpoint
    endpoint.close()


def ask(endpoint: Endpoint, timeout_ms: int | None = None) -> dict[str, object]:
    return endpoint.post("/chat/completions", BODY, timeout_ms=timeout_ms)


def test_an_answer_is_a_json_object_and_the_key_went_along(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    assert "choices" in ask(endpoint)
    assert fake_endpoint.requests[0]["authorization"] == f"Bearer {KEY}"
    assert fake_endpoint.requests[0]["messages"] == BODY["messages"]


def test_embeddings_go_the_same_way(endpoint: Endpoint):
    found = endpoint.post("/embeddings", {"model": "e", "input": ["Redis is fast", "Redis is quick", "a cat"]})
    one, two, other = (row["embedding"] for row in found["data"])
    near, far = (sum(a * b for a, b in zip(one, vector, strict=True)) for vector in (two, other))
    assert near > far


@pytest.mark.parametrize(
    ("word", "kind", "spend"),
    [
        ("401", ProviderUnavailable, None),
        ("402", ProviderUnavailable, None),
        ("403", ProviderUnavailable, None),
        ("404", ProviderUnavailable, None),
        ("405", ProviderUnavailable, None),
        ("410", ProviderUnavailable, None),
        ("moved", ProviderUnavailable, None),
        ("408", RetryJob, True),
        ("429:7", RetryJob, False),
        ("500", RetryJob, True),
        ("502", RetryJob, True),
        ("503", RetryJob, True),
        ("503:7", RetryJob, False),
        ("504", RetryJob, True),
        ("529", RetryJob, True),
        ("400", Refused, None),
        ("422", Refused, None),
        ("413", TooLong, None),
        ("too-long", TooLong, None),
        ("cut-body", NoAnswer, True),
        ("no-body", NoAnswer, True),
        ("html", Malformed, True),
    ],
)
def test_every_failure_has_its_outcome_after_one_try(
    fake_endpoint: FakeEndpoint, endpoint: Endpoint, word: str, kind: type[JobError], spend: bool | None
):
    fake_endpoint.script([word])
    with pytest.raises(JobError) as caught:
        ask(endpoint)
    assert type(caught.value) is kind
    assert getattr(caught.value, "spend", None) is spend
    assert len(fake_endpoint.requests) == 1
    assert fake_endpoint.url in str(caught.value)


def test_a_rate_limit_says_when_and_keeps_the_others_from_asking(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    fake_endpoint.script(["429:60"])
    with pytest.raises(RetryJob) as first:
        ask(endpoint)
    with pytest.raises(RetryJob) as second:
        ask(endpoint)
    assert first.value.after_ms == 60_000
    assert second.value.after_ms is not None
    assert 0 < second.value.after_ms <= 60_000
    assert not second.value.spend
    assert len(fake_endpoint.requests) == 1


def test_a_wait_of_nothing_lets_the_next_request_through(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    fake_endpoint.script(["429:0"])
    with pytest.raises(RetryJob):
        ask(endpoint)
    assert "choices" in ask(endpoint)


def test_a_reply_of_more_bytes_than_are_taken_in_is_no_answer(fake_endpoint: FakeEndpoint):
    fake_endpoint.script(["raw:" + "x" * 2_000])
    endpoint = Endpoint(fake_endpoint.url, longest_body=1_000)
    with pytest.raises(NoAnswer, match="more than 1,000 bytes"):
        ask(endpoint)
    endpoint.close()


def test_which_models_there_are_is_asked_without_a_request_that_costs(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    assert endpoint.get("/models")["data"]
    assert fake_endpoint.requests == []


@pytest.mark.parametrize("word", ["hang", "drip"])
def test_one_deadline_holds_for_everything(fake_endpoint: FakeEndpoint, endpoint: Endpoint, word: str):
    fake_endpoint.script([word])
    before = monotonic_ms()
    with pytest.raises(NoAnswer, match=f"did not answer within {SHORT_MS} ms"):
        ask(endpoint, timeout_ms=SHORT_MS)
    assert monotonic_ms() - before < FAR_MS
    until(lambda: fake_endpoint.requests)  # Else the next request might be faster, and hang in its place.
    assert "choices" in ask(endpoint)


def test_a_server_that_drips_its_head_is_late_too():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ended = threading.Event()
        dripping = threading.Thread(target=drip_a_head, args=(listener, ended))
        dripping.start()
        endpoint = Endpoint(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        with pytest.raises(NoAnswer, match="did not answer within"):
            ask(endpoint, timeout_ms=SHORT_MS)
        ended.set()
        dripping.join()
        endpoint.close()


def drip_a_head(listener: socket.socket, ended: threading.Event) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.sendall(b"HTTP/1.1 200 OK\r\nx-slow: ")
        while not ended.wait(0.02):
            try:
                connection.sendall(b"a")
            except OSError:
                return


def test_nobody_there_pauses_the_provider():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))  # It is ours, and nobody listens.
        endpoint = Endpoint(f"http://127.0.0.1:{door.getsockname()[1]}/v1")
        with pytest.raises(ProviderUnavailable, match="cannot be reached"):
            ask(endpoint)
        endpoint.close()


def test_a_name_that_nobody_has_pauses_the_provider():
    endpoint = Endpoint("http://nobody.invalid/v1")
    with pytest.raises(ProviderUnavailable, match="cannot be reached"):
        ask(endpoint)
    endpoint.close()


def test_one_connection_serves_many_requests_and_survives_a_deadline(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    for _ in range(3):
        ask(endpoint)
    fake_endpoint.script(["hang"])
    with pytest.raises(RetryJob):
        ask(endpoint, timeout_ms=SHORT_MS)
    until(lambda: len(fake_endpoint.requests) == 4)
    for _ in range(3):
        assert "choices" in ask(endpoint)


def test_many_threads_ask_at_once(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    fake_endpoint.hold()
    threads = [threading.Thread(target=ask, args=(endpoint,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    until(lambda: len(fake_endpoint.requests) == 8)
    fake_endpoint.resume()
    for thread in threads:
        thread.join()
    assert fake_endpoint.peak_concurrency == 8


def test_the_key_is_in_no_message_and_no_repr(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    assert KEY not in repr(endpoint)
    assert KEY not in str(endpoint._shown(f'{{"error": {{"message": "no such key: {KEY}"}}}}'.encode()))
    fake_endpoint.script(["401"])
    with pytest.raises(ProviderUnavailable) as caught:
        ask(endpoint)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("url", ["", "localhost:80", "ftp://a/v1"])
def test_what_is_no_address_of_a_server_is_refused(url: str):
    with pytest.raises(InvalidInput, match="give one such as"):
        Endpoint(url)


def test_a_key_that_http_cannot_send_is_refused_without_showing_it():
    with pytest.raises(InvalidInput) as caught:
        Endpoint("http://127.0.0.1/v1", key="secret\nline")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("seconds", "milliseconds", "expected"),
    [
        ("2", None, 2_000),
        ("1.5", None, 1_500),
        ("60", "250", 250),
        ("-3", None, 0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", None, 0),
        ("soon", None, None),
        (None, None, None),
        ("inf", None, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(seconds: str | None, milliseconds: str | None, expected: int | None):
    assert retry_after_ms(seconds, milliseconds) == expected
