"""Chat client: how JSON is requested, fallbacks for unsupported parameters, and token counts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product

import pytest

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import Malformed, NoAnswer, Refused, RetryJob, TooLong
from jotsam.models.chat import Chat, parse_completion
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.models.openai_endpoint import Endpoint

SILENCE_MS = 600
MESSAGES = [{"role": "user", "content": "<text>\nMarcus uses Redis.\n</text>"}]


@pytest.fixture
def chat(fake_endpoint: FakeEndpoint) -> Iterator[Chat]:
    chat = Chat(Endpoint(fake_endpoint.url), model="m", schema={"type": "object"}, name="reading", max_output_tokens=77)
    yield chat
    chat.close()


def formats(fake_endpoint: FakeEndpoint) -> list[str | None]:
    return [(asked.get("response_format") or {}).get("type") for asked in fake_endpoint.requests]


def test_json_schema_is_requested_first_and_tokens_are_reported(fake_endpoint: FakeEndpoint, chat: Chat):
    answer = chat.complete(MESSAGES)
    assert '"Redis"' in answer.text
    assert (answer.tokens_in, answer.finish) == (len(MESSAGES[0]["content"]) // 4, "stop")
    assert answer.tokens_out > 0
    assert formats(fake_endpoint) == ["json_schema"]
    assert fake_endpoint.requests[0]["max_tokens"] == 77


@pytest.mark.parametrize(
    ("word", "modes"),
    [("no-schema", ["json_schema", "json_object"]), ("no-json", ["json_schema", "json_object", None])],
)
def test_an_unsupported_response_format_is_replaced_and_remembered(
    fake_endpoint: FakeEndpoint, chat: Chat, word: str, modes: list[str | None]
):
    fake_endpoint.script([word] * 10)
    chat.complete(MESSAGES)
    chat.complete(MESSAGES)
    assert formats(fake_endpoint) == [*modes, modes[-1]]


def test_all_forms_of_a_request_share_one_deadline(fake_endpoint: FakeEndpoint):
    """The time of the first form is not available to the second."""
    chat = Chat(Endpoint(fake_endpoint.url, timeout_ms=3_000), model="m", schema={"type": "object"}, name="reading")
    chat.complete(MESSAGES)  # The first request loads the HTTP library.
    fake_endpoint.script(["no-json", "hang"])
    fake_endpoint.latency_ms = 500
    with pytest.raises(NoAnswer) as late:
        chat.complete(MESSAGES, deadline=monotonic_ms() + 3_000)
    timeout = re.search(r"timed out after (\d+) ms", str(late.value))
    assert timeout is None or int(timeout[1]) <= 2_500
    chat.close()


def test_a_rejected_parameter_is_dropped(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(["no-max-tokens", "no-temperature", "ok"])
    chat.complete(MESSAGES)
    chat.complete(MESSAGES)
    assert [("max_tokens" in r, "temperature" in r) for r in fake_endpoint.requests] == [
        (True, True),
        (False, True),
        (False, False),
        (False, False),
    ]
    assert formats(fake_endpoint) == ["json_schema"] * 4


REJECTIONS = {
    "invalid parameter: temperature": ({"temperature"}, {"max_tokens", "response_format"}),
    "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.": (
        {"max_tokens"},
        {"max_completion_tokens", "temperature"},
    ),
    "Unsupported value: 'response_format.type'": (set(), {"response_format", "max_tokens", "temperature"}),
}
FORMS = (
    ("400", "{{{error}}}"),
    ("422", '{{"detail": [{{"loc": ["body"], "msg": {message}}}]}}'),
    ("500", "{{{error}}}"),
    ("200", "{{{error}}}"),
    ("400", '{{"error": {message}}}'),
)


def test_a_parameter_that_an_error_names_is_left_out_once(fake_endpoint: FakeEndpoint):
    """In each form in which servers report it: status, and shape of the body."""
    for (message, (left_out, kept)), (status, form) in product(REJECTIONS.items(), FORMS):
        text = json.dumps(message)
        body = form.format(message=text, error=f'"error": {{"message": {text}, "type": "fake"}}')
        chat = Chat(Endpoint(fake_endpoint.url), model="m", schema={"type": "object"}, name="reading")
        fake_endpoint.requests.clear()
        fake_endpoint.script([f"status:{status}:{body}"])
        assert chat.complete(MESSAGES).text
        assert chat.complete(MESSAGES).text
        first, second, third = fake_endpoint.requests
        assert left_out & second.keys() == set(), (status, body)
        assert second.keys() >= kept
        assert second != first
        assert third == second
        chat.close()


def test_a_streamed_reply_may_take_longer_than_the_limit_for_silence(fake_endpoint: FakeEndpoint, chat: Chat):
    expected = chat.complete(MESSAGES)
    slow = Chat(Endpoint(fake_endpoint.url, timeout_ms=SILENCE_MS), model="m", schema={}, name="reading")
    fake_endpoint.script(["slow"])
    began = monotonic_ms()
    assert slow.complete(MESSAGES) == expected
    assert monotonic_ms() - began > SILENCE_MS
    slow.close()


@pytest.mark.parametrize(("behaviour", "why"), [("stall", "sent nothing for"), ("stop", "cut off")])
def test_a_reply_that_stops_counts_the_tokens_that_arrived(fake_endpoint: FakeEndpoint, behaviour: str, why: str):
    chat = Chat(Endpoint(fake_endpoint.url, timeout_ms=SILENCE_MS), model="m", schema={}, name="reading")
    whole = chat.complete(MESSAGES)
    fake_endpoint.script([behaviour])
    reply = chat.complete(MESSAGES)
    assert why in reply.stopped
    assert reply.tokens_in == whole.tokens_in
    assert whole.tokens_out // 2 - 3 <= reply.tokens_out <= whole.tokens_out // 2 + 3
    with pytest.raises(NoAnswer):
        reply.require_text()
    assert chat.complete(MESSAGES) == whole
    chat.close()


@pytest.mark.parametrize("behaviour", ["whole", "no-stream", "no-stream-options"])
def test_a_server_that_does_not_stream_replies_as_well(fake_endpoint: FakeEndpoint, chat: Chat, behaviour: str):
    expected = chat.complete(MESSAGES)
    fake_endpoint.script([behaviour] * 3)
    assert chat.complete(MESSAGES).text == expected.text
    assert chat.complete(MESSAGES).text == expected.text
    streams = [(asked.get("stream"), "stream_options" in asked) for asked in fake_endpoint.requests[2:]]
    assert (
        set(streams)
        == {
            "whole": {(True, True)},
            "no-stream": {(None, False)},
            "no-stream-options": {(True, False)},
        }[behaviour]
    )


def test_an_error_about_the_stream_of_a_server_does_not_end_streaming(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(['status:502:{"error": {"message": "the stream ended unexpectedly"}}'])
    with pytest.raises(RetryJob):
        chat.complete(MESSAGES)
    chat.complete(MESSAGES)
    assert [asked.get("stream") for asked in fake_endpoint.requests] == [True, True]


def test_a_refusal_of_the_text_does_not_change_later_requests(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(["400", "400", "400"])
    with pytest.raises(Refused):
        chat.complete(MESSAGES)
    assert chat.json_mode == "json_schema"
    assert len(fake_endpoint.requests) == 3


def test_a_text_that_is_too_long_is_not_sent_again(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(["too-long"])
    with pytest.raises(TooLong):
        chat.complete(MESSAGES)
    assert len(fake_endpoint.requests) == 1


def test_a_reply_at_the_token_limit_is_marked_as_cut_off(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(["length"])
    assert chat.complete(MESSAGES).is_cut_off


def test_a_reply_without_text_is_malformed(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(["empty"])
    with pytest.raises(Malformed, match="no text"):
        chat.complete(MESSAGES).require_text()


@pytest.mark.parametrize(
    "found",
    [
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{}]},
        {"choices": [{"message": {"content": 7}}]},
    ],
)
def test_a_reply_of_another_shape_is_malformed(found: dict[str, object]):
    with pytest.raises(Malformed):
        parse_completion(found, MESSAGES).require_text()


def test_a_refusal_raises_refused_and_has_a_cost():
    usage = {"prompt_tokens": 10, "completion_tokens": 2}
    answer = parse_completion({"choices": [{"message": {"refusal": "I cannot"}}], "usage": usage}, MESSAGES)
    assert (answer.tokens_in, answer.tokens_out) == (10, 2)
    with pytest.raises(Refused, match="I cannot"):
        answer.require_text()


def test_tokens_are_estimated_if_the_server_reports_none():
    answer = parse_completion(
        {"choices": [{"message": {"content": [{"type": "text", "text": "abcdefgh"}]}}], "usage": None}, MESSAGES
    )
    assert (answer.text, answer.tokens_out) == ("abcdefgh", 2)
    assert answer.tokens_in == len(MESSAGES[0]["content"]) // 4


def test_cached_tokens_are_reported():
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 8}}
    answer = parse_completion({"choices": [{"message": {"content": "x"}}], "usage": usage}, MESSAGES)
    assert (answer.tokens_in, answer.tokens_cached, answer.tokens_out) == (10, 8, 2)
