"""The rate shown by progress bars: it appears once it can be estimated, and covers recent work only."""

from __future__ import annotations

from jotsam.surfaces.cli.progress import RATE_AFTER_MS, RATE_WINDOW_MS, Rate


def test_no_rate_is_shown_before_it_can_be_estimated():
    rate = Rate()
    assert rate(0, 100, at=0) == ""
    assert rate(1, 99, at=RATE_AFTER_MS - 1) == ""
    assert Rate()(5, 5, at=10**9) == ""


def test_rate_and_remaining_time_are_shown():
    rate = Rate()
    rate(0, 1_000, at=0)
    assert rate(25, 975, at=10_000) == " · 2.5/s · about 6 min left"
    assert rate(1_000, 0, at=20_000) == " · 50/s"


def test_only_recent_work_counts():
    rate = Rate()
    rate(0, 1_000, at=0)
    rate(900, 100, at=1_000)
    assert rate(900, 100, at=RATE_WINDOW_MS) == " · 30/s · about 3 s left"
    assert rate(900, 100, at=RATE_WINDOW_MS + 2_000) == ""
    assert rate(930, 70, at=2 * RATE_WINDOW_MS) == " · 1.0/s · about 1 min left"
