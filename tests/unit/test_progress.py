"""The pace on the line of progress: as soon as it can be said, and of what was done lately."""

from __future__ import annotations

from jotsam.surfaces.cli.progress import LOOK_BACK_MS, SURE_AFTER_MS, Rate


def test_nothing_is_said_before_it_can_be_known():
    rate = Rate()
    assert rate(0, 100, at=0) == ""
    assert rate(1, 99, at=SURE_AFTER_MS - 1) == ""
    assert Rate()(5, 5, at=10**9) == ""


def test_the_pace_and_the_time_that_is_left_are_told():
    rate = Rate()
    rate(0, 1_000, at=0)
    assert rate(25, 975, at=10_000) == " · 2.5/s · about 6 min left"
    assert rate(1_000, 0, at=20_000) == " · 50/s"


def test_only_what_was_done_lately_counts():
    rate = Rate()
    rate(0, 1_000, at=0)
    rate(900, 100, at=1_000)
    assert rate(900, 100, at=LOOK_BACK_MS) == " · 30/s · about 3 s left"
    assert rate(900, 100, at=LOOK_BACK_MS + 2_000) == ""
    assert rate(930, 70, at=2 * LOOK_BACK_MS) == " · 1.0/s · about 1 min left"
