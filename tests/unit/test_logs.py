"""The lines of the log."""

from __future__ import annotations

import logging

from jotsam.admin.logs import TextLines


def test_a_message_is_one_line_whatever_it_quotes_and_a_traceback_has_its_lines() -> None:
    try:
        raise ValueError("gone\nagain")
    except ValueError as error:
        trace = (type(error), error, error.__traceback__)
    quoted = "ValueError: a\n2026-01-01T00:00:00Z INFO forged\r\x1b[2J"
    record = logging.LogRecord("jotsam", logging.WARNING, __file__, 1, "job 1 failed: %s", (quoted,), trace)
    message, *traceback = TextLines().format(record).split("\n")
    assert message.endswith("job 1 failed: ValueError: a\\n2026-01-01T00:00:00Z INFO forged\\x0d\\x1b[2J")
    assert traceback[0].startswith("Traceback")
