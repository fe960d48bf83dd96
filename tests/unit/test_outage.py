"""What a log says of a database that is away."""

from __future__ import annotations

import logging

from jotsam.core.errors import DatabaseUnavailable
from jotsam.queueing.outage import Outage


def test_an_outage_is_one_line_when_it_begins_and_one_when_it_is_over(caplog):
    outage = Outage()
    with caplog.at_level(logging.INFO, logger="jotsam"):
        outage.end()
        for number in range(100):
            outage.report(DatabaseUnavailable(f"away {number}"))
        outage.end()
        outage.end()
    assert [record.getMessage() for record in caplog.records] == [
        "the database is not available; retrying until it is: away 0",
        "the database is available again",
    ]


def test_one_that_comes_and_goes_does_not_fill_the_log(caplog):
    outage = Outage()
    with caplog.at_level(logging.INFO, logger="jotsam"):
        for number in range(100):
            outage.report(DatabaseUnavailable(f"away {number}"))
            outage.end()
    assert len(caplog.records) == 2


def test_it_says_for_how_long_it_has_lasted():
    outage = Outage()
    outage.report(DatabaseUnavailable("away"))
    first = outage.report(DatabaseUnavailable("away"))
    assert outage.report(DatabaseUnavailable("away")) >= first >= 0
    outage.end()
    assert outage.report(DatabaseUnavailable("away")) == 0
