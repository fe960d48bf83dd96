"""Endpoint: each HTTP failure, over real HTTP, and the job error it raises."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

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
from tls_front import TlsFront

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


def test_a_post_sends_the_key_and_returns_a_json_object(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    assert "choices" in ask(endpoint)
    assert fake_endpoint.requests[0]["authorization"] == f"Bearer {KEY}"
    assert fake_endpoint.requests[0]["messages"] == BODY["messages"]


def test_the_fake_embeddings_of_similar_texts_are_close(endpoint: Endpoint):
    found = endpoint.post("/embeddings", {"model": "e", "input": ["Redis is fast", "Redis is quick", "a cat"]})
    one, two, other = (row["embedding"] for row in found["data"])
    near, far = (sum(a * b for a, b in zip(one, vector, strict=True)) for vector in (two, other))
    assert near > far


@pytest.mark.parametrize(
    ("behaviour", "kind", "spend", "billed"),
    [
        ("401", ProviderUnavailable, None, False),
        ("402", ProviderUnavailable, None, False),
        ("403", ProviderUnavailable, None, False),
        ("404", ProviderUnavailable, None, False),
        ("405", ProviderUnavailable, None, False),
        ("410", ProviderUnavailable, None, False),
        ("moved", ProviderUnavailable, None, False),
        ("408", RetryJob, True, False),
        ("429:7", RetryJob, False, False),
        ("500", RetryJob, True, False),
        ("502", RetryJob, True, False),
        ("503", RetryJob, True, False),
        ("503:7", RetryJob, False, False),
        ("504", RetryJob, True, False),
        ("529", RetryJob, True, False),
        ("400", Refused, None, False),
        ("422", Refused, None, False),
        ("413", TooLong, None, False),
        ("too-long", TooLong, None, False),
        ("cut-body", NoAnswer, True, True),
        ("no-body", NoAnswer, True, False),
        ("html", Malformed, True, False),
        ('raw:{"choices": [', Malformed, True, True),
        ('raw:{"error": "overloaded"}', Malformed, True, False),
    ],
)
def test_each_failure_raises_its_error_after_one_attempt(
    fake_endpoint: FakeEndpoint,
    endpoint: Endpoint,
    behaviour: str,
    kind: type[JobError],
    spend: bool | None,
    billed: bool,
):
    fake_endpoint.script([behaviour])
    with pytest.raises(JobError) as caught:
        ask(endpoint)
    assert type(caught.value) is kind
    assert getattr(caught.value, "spend", None) is spend
    assert caught.value.may_be_billed is billed
    assert len(fake_endpoint.requests) == 1
    assert fake_endpoint.url in str(caught.value)


def test_a_rate_limit_blocks_further_requests_until_retry_after(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
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


def test_a_retry_after_of_zero_does_not_block_the_next_request(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    fake_endpoint.script(["429:0"])
    with pytest.raises(RetryJob):
        ask(endpoint)
    assert "choices" in ask(endpoint)


def test_a_response_above_the_size_limit_is_refused_and_the_body_of_an_error_cut(fake_endpoint: FakeEndpoint):
    fake_endpoint.script(["raw:" + "x" * 2_000, "status:500:" + "x" * 2_000])
    endpoint = Endpoint(fake_endpoint.url, max_body_bytes=1_000)
    with pytest.raises(Refused, match="exceeds 1,000 bytes") as caught:
        ask(endpoint)
    assert caught.value.may_be_billed
    with pytest.raises(RetryJob, match="returned 500"):
        ask(endpoint)
    endpoint.close()


def test_the_list_of_models_is_read_without_a_post(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    assert endpoint.get("/models")["data"]
    assert fake_endpoint.requests == []


@pytest.mark.parametrize("behaviour", ["hang", "drip"])
def test_the_deadline_covers_slow_servers(fake_endpoint: FakeEndpoint, endpoint: Endpoint, behaviour: str):
    fake_endpoint.script([behaviour])
    before = monotonic_ms()
    with pytest.raises(NoAnswer, match=f"timed out after {SHORT_MS} ms"):
        ask(endpoint, timeout_ms=SHORT_MS)
    assert monotonic_ms() - before < FAR_MS
    until(lambda: fake_endpoint.requests)  # Otherwise the next request could arrive first and hang instead.
    assert "choices" in ask(endpoint)


def test_the_deadline_covers_dripping_headers():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ended = threading.Event()
        dripping = threading.Thread(target=drip_a_head, args=(listener, ended))
        dripping.start()
        endpoint = Endpoint(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        with pytest.raises(NoAnswer, match="timed out after"):
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


def test_a_refused_connection_pauses_the_provider():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # Bound but not listening.
        endpoint = Endpoint(f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
        with pytest.raises(ProviderUnavailable, match="cannot connect to"):
            ask(endpoint)
        endpoint.close()


def test_an_unknown_host_pauses_the_provider():
    endpoint = Endpoint("http://unknown.invalid/v1")
    with pytest.raises(ProviderUnavailable, match="cannot connect to"):
        ask(endpoint)
    endpoint.close()


def test_a_server_whose_certificate_is_not_trusted_is_sent_nothing(fake_endpoint: FakeEndpoint, tmp_path: Path):
    front = TlsFront(tmp_path, port=urlsplit(fake_endpoint.url).port)
    endpoint = Endpoint(f"https://127.0.0.1:{front.port}/v1", timeout_ms=FAR_MS)
    with pytest.raises(ProviderUnavailable, match="certificate verify failed"):
        ask(endpoint)
    endpoint.close()
    front.close()
    assert fake_endpoint.requests == []


def test_an_endpoint_works_after_a_timeout(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    for _ in range(3):
        ask(endpoint)
    fake_endpoint.script(["hang"])
    with pytest.raises(RetryJob):
        ask(endpoint, timeout_ms=SHORT_MS)
    until(lambda: len(fake_endpoint.requests) == 4)
    for _ in range(3):
        assert "choices" in ask(endpoint)


def test_threads_send_requests_concurrently(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    fake_endpoint.hold()
    threads = [threading.Thread(target=ask, args=(endpoint,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    until(lambda: len(fake_endpoint.requests) == 8)
    fake_endpoint.resume()
    for thread in threads:
        thread.join()
    assert fake_endpoint.peak_concurrency == 8


def test_the_key_appears_in_no_message_and_no_repr(fake_endpoint: FakeEndpoint, endpoint: Endpoint):
    assert KEY not in repr(endpoint)
    assert KEY not in str(endpoint._excerpt(f'{{"error": {{"message": "no such key: {KEY}"}}}}'.encode()))
    fake_endpoint.script(["401"])
    with pytest.raises(ProviderUnavailable) as caught:
        ask(endpoint)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("url", ["", "localhost:80", "ftp://a/v1"])
def test_an_invalid_url_is_rejected(url: str):
    with pytest.raises(InvalidInput, match="must start with http"):
        Endpoint(url)


def test_an_invalid_key_is_rejected_without_printing_it():
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
def test_retry_after_is_parsed(seconds: str | None, milliseconds: str | None, expected: int | None):
    assert retry_after_ms(seconds, milliseconds) == expected
