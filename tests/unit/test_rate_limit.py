"""The token bucket of the HTTP API."""

from __future__ import annotations

import hypothesis
from hypothesis import strategies as st

from jotsam.surfaces.http.server.limits import RateLimit

HOUR_MS = 3_600_000


def allowed(limit: RateLimit, times: list[int], *, rate: float, key: str = "a") -> int:
    return sum(limit.allow(key, rate=rate, now_ms=at) is None for at in times)


def test_the_requests_of_one_second_may_come_at_once_and_then_at_the_rate():
    limit = RateLimit()
    assert allowed(limit, [0] * 20, rate=5) == 5
    assert limit.allow("a", rate=5, now_ms=0) == 200
    assert limit.allow("a", rate=5, now_ms=150) == 50
    assert limit.allow("a", rate=5, now_ms=201) is None
    assert allowed(limit, [HOUR_MS] * 20, rate=5) == 5, "a pause saves the requests of one second"


def test_a_rate_below_one_a_second_allows_one_and_tells_the_wait():
    limit = RateLimit()
    assert limit.allow("a", rate=0.1, now_ms=0) is None
    assert limit.allow("a", rate=0.1, now_ms=2_500) == 7_500
    assert limit.allow("a", rate=0.1, now_ms=10_000) is None


def test_a_refused_request_costs_nothing():
    limit = RateLimit()
    allowed(limit, [0] * 1_000, rate=1)
    assert limit.allow("a", rate=1, now_ms=1_000) is None


def test_each_key_has_its_own_bucket_and_their_number_is_bounded():
    limit = RateLimit(max_keys=3)
    assert [limit.allow(key, rate=1, now_ms=0) for key in "abc"] == [None] * 3
    assert limit.allow("a", rate=1, now_ms=1) == 999
    assert limit.allow("d", rate=1, now_ms=1) is None, "b, which was not used for longest, is forgotten"
    assert len(limit._buckets) == 3
    assert limit.allow("b", rate=1, now_ms=1) is None


def test_a_clock_that_goes_back_gives_no_request_away():
    limit = RateLimit()
    assert allowed(limit, [10_000] * 3, rate=2) == 2
    assert allowed(limit, [0, 5_000, 9_999, 10_000], rate=2) == 0
    assert limit.allow("a", rate=2, now_ms=10_500) is None


@hypothesis.given(st.lists(st.integers(0, 30_000), max_size=200).map(sorted), st.floats(0.01, 1_000, allow_nan=False))
def test_no_more_than_the_rate_and_one_second_of_it(times, rate):
    if times:
        most = max(1, rate) + (times[-1] - times[0]) * rate / 1_000
        assert allowed(RateLimit(), times, rate=rate) <= most + 1e-6


@hypothesis.given(st.integers(0, 50), st.floats(0.01, 1_000, allow_nan=False))
def test_after_the_time_to_wait_a_request_is_allowed(more, rate):
    limit = RateLimit()
    allowed(limit, [0] * (int(rate) + 2 + more), rate=rate)
    wait = limit.allow("a", rate=rate, now_ms=0)
    assert wait is not None
    assert limit.allow("a", rate=rate, now_ms=wait + 1) is None
