"""How JSON is asked for, in which order, and what an answer costs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from jotsam.core.errors import Malformed, NoAnswer, Refused, TooLong
from jotsam.models.chat import Chat, said
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.models.openai_endpoint import Endpoint

MESSAGES = [{"role": "user", "content": "<text>\nMarcus uses Redis.\n</text>"}]


@pytest.fixture
def chat(fake_endpoint: FakeEndpoint) -> Iterator[Chat]:
    chat = Chat(
        Endpoint(fake_endpoint.url), model="m", schema={"type": "object"}, name="reading", most_output_tokens=77
    )
    yield chat
    chat.close()


def formats(fake_endpoint: FakeEndpoint) -> list[str | None]:
    return [(asked.get("response_format") or {}).get("type") for asked in fake_endpoint.requests]


def test_the_strictest_way_comes_first_and_its_cost_is_told(fake_endpoint: FakeEndpoint, chat: Chat):
    answer = chat.ask(MESSAGES)
    assert '"Redis"' in answer.text
    assert (answer.tokens_in, answer.finish) == (len(MESSAGES[0]["content"]) // 4, "stop")
    assert answer.tokens_out > 0
    assert formats(fake_endpoint) == ["json_schema"]
    assert fake_endpoint.requests[0]["max_tokens"] == 77


@pytest.mark.parametrize(
    ("word", "rungs"),
    [("no-schema", ["json_schema", "json_object"]), ("no-json", ["json_schema", "json_object", None])],
)
def test_what_a_server_does_not_know_is_asked_more_plainly_and_remembered(
    fake_endpoint: FakeEndpoint, chat: Chat, word: str, rungs: list[str | None]
):
    fake_endpoint.script([word] * 10)
    chat.ask(MESSAGES)
    chat.ask(MESSAGES)
    assert formats(fake_endpoint) == [*rungs, rungs[-1]]


def test_all_ways_of_asking_together_have_one_deadline(fake_endpoint: FakeEndpoint):
    """What the first took, the second has not."""
    chat = Chat(Endpoint(fake_endpoint.url, timeout_ms=3_000), model="m", schema={"type": "object"}, name="reading")
    chat.ask(MESSAGES)  # The first request takes its time to load what it needs.
    fake_endpoint.script(["no-json", "hang"])
    fake_endpoint.latency_ms = 500
    with pytest.raises(NoAnswer) as late:
        chat.ask(MESSAGES)
    granted = re.search(r"did not answer within (\d+) ms", str(late.value))
    assert granted is None or int(granted[1]) <= 2_500
    chat.close()


def test_a_parameter_that_a_model_refuses_is_given_up(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(["no-max-tokens", "no-temperature", "ok"])
    chat.ask(MESSAGES)
    chat.ask(MESSAGES)
    assert [("max_tokens" in r, "temperature" in r) for r in fake_endpoint.requests] == [
        (True, True),
        (False, True),
        (False, False),
        (False, False),
    ]
    assert formats(fake_endpoint) == ["json_schema"] * 4


def test_a_refusal_of_the_text_itself_is_not_remembered_against_the_server(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(["400", "400", "400"])
    with pytest.raises(Refused):
        chat.ask(MESSAGES)
    assert chat.rung == "json_schema"
    assert len(fake_endpoint.requests) == 3


def test_a_text_that_is_too_long_is_not_asked_again(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(["too-long"])
    with pytest.raises(TooLong):
        chat.ask(MESSAGES)
    assert len(fake_endpoint.requests) == 1


def test_an_answer_that_was_cut_off_says_so(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(["length"])
    assert chat.ask(MESSAGES).is_cut_off


def test_an_answer_without_text_is_malformed(fake_endpoint: FakeEndpoint, chat: Chat):
    fake_endpoint.script(["empty"])
    with pytest.raises(Malformed, match="no text"):
        chat.ask(MESSAGES)


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
        said(found, MESSAGES)


def test_a_refusal_in_words_is_a_refusal():
    with pytest.raises(Refused, match="I cannot"):
        said({"choices": [{"message": {"content": None, "refusal": "I cannot"}}]}, MESSAGES)


def test_tokens_are_estimated_where_a_server_counts_none():
    answer = said(
        {"choices": [{"message": {"content": [{"type": "text", "text": "abcdefgh"}]}}], "usage": None}, MESSAGES
    )
    assert (answer.text, answer.tokens_out) == ("abcdefgh", 2)
    assert answer.tokens_in == len(MESSAGES[0]["content"]) // 4


def test_what_the_provider_had_cached_is_told():
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 8}}
    answer = said({"choices": [{"message": {"content": "x"}}], "usage": usage}, MESSAGES)
    assert (answer.tokens_in, answer.tokens_cached, answer.tokens_out) == (10, 8, 2)
