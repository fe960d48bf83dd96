"""How many requests a model server gets at a time, by the speed of servers of several kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from jotsam.core.errors import NoAnswer, RetryJob
from jotsam.models.request_limit import TRY_AGAIN, RequestLimit

MOST = 32
TOKENS = 100


class Server:
    """The tokens per second that it makes in sum, by the number of requests at a time."""

    def __init__(self, speed: Callable[[int], float]) -> None:
        self.speed = speed
        self.now = 0
        self.limit = RequestLimit(MOST, now=lambda: self.now)

    def rounds(self, count: int) -> Counter[int]:
        """Answer as many requests as the limit allows, all at once, so many times. Returns how often each limit was."""
        seen: Counter[int] = Counter()
        for _ in range(count):
            at_once = self.limit.value
            seen[at_once] += 1
            with ExitStack() as running:
                counts = [running.enter_context(self.limit.request()) for _ in range(at_once)]
                self.now += round(1_000 * TOKENS * at_once / self.speed(at_once))
                for count in counts:
                    count(TOKENS)
            self.now += 3_600_000  # A pause is no time of the server.
        return seen


def test_a_server_with_room_gets_twice_as_many_requests_after_each_round():
    server = Server(lambda at_once: 50 * at_once)
    assert server.rounds(5) == dict.fromkeys((1, 2, 4, 8, 16), 1)
    assert server.limit.value == MOST
    server.rounds(20)
    assert server.limit.value == MOST


def test_a_server_that_is_busy_with_one_request_gets_one_at_a_time_and_two_now_and_then():
    seen = Server(lambda at_once: 20).rounds(200)
    assert set(seen) == {1, 2}
    assert seen[2] <= 2 * 200 / TRY_AGAIN


def test_a_server_gets_no_more_requests_than_make_it_faster():
    server = Server(lambda at_once: 20 * min(at_once, 2))
    seen = server.rounds(100)
    assert (max(seen), seen[4]) == (4, 1)
    assert seen[2] > 80


def test_a_server_that_is_rarely_asked_twice_at_a_time_gets_no_more_than_two():
    server = Server(lambda at_once: 50 * at_once)
    for _ in range(100):
        with server.limit.request() as count:
            server.now += 2_000
            count(TOKENS)
    assert server.limit.value == 2


@pytest.mark.parametrize("error", [NoAnswer("late"), RetryJob("429", spend=False)])
def test_a_timeout_and_a_refusal_halve_the_number(error: Exception):
    server = Server(lambda at_once: 50 * at_once)
    server.rounds(5)
    with pytest.raises(type(error)), server.limit.request():
        raise error
    assert server.limit.value == MOST // 2
    server.rounds(1)
    assert server.limit.value == MOST // 2
    server.rounds(6)
    assert server.limit.value == MOST


def test_an_error_of_the_text_changes_nothing():
    server = Server(lambda at_once: 50 * at_once)
    server.rounds(5)
    with pytest.raises(RetryJob), server.limit.request():
        raise RetryJob("500")
    assert server.limit.value == MOST


def test_a_request_that_finds_no_place_in_time_is_not_sent_and_is_no_failure_of_the_server():
    server = Server(lambda at_once: 20)
    with server.limit.request():
        with pytest.raises(RetryJob, match="busy") as refused, server.limit.request(wait_ms=0):
            raise AssertionError("there is no place")
        assert not refused.value.spend
    with server.limit.request(wait_ms=0) as count:
        count(TOKENS)
    assert server.limit.value == 2  # It grows as after any reply; after a failure it would not.
