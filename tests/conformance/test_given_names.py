"""Names by which a queue knows things: kept as they are or refused, for what is mended could become another's name."""

from __future__ import annotations

import pytest

from jotsam import InvalidInput, Jotsam, Queue

LOSSY = ["\ud800", "u\0", "a\udfffb", "\0"]
FIELDS = ["key", "tenant", "kind", "lane"]


@pytest.mark.parametrize("name", LOSSY)
@pytest.mark.parametrize("field", FIELDS)
def test_a_name_that_a_database_cannot_keep_is_refused_and_nothing_is_sent(field, name, url):
    with Queue(url, "mail") as mail:
        with pytest.raises(InvalidInput, match=rf"^invalid {field} .*must not contain NUL or unpaired surrogates"):
            mail.send(1, **{field: name})
        assert mail.stats().accepted == 0


@pytest.mark.parametrize("name", LOSSY)
def test_nor_is_there_a_queue_of_such_a_name(name, url):
    with pytest.raises(InvalidInput, match="must not contain NUL"):
        Queue(url, name)


@pytest.mark.parametrize("field", FIELDS)
def test_names_that_look_alike_are_two(field, url):
    with Queue(url, "mail") as mail:
        for name in ("?", "\ufffd", "u\ufffd", "u", " u", "U"):
            assert mail.send(1, **{field: name}).duplicate is False
        assert mail.stats().accepted == 6


STRANGE_NUMBERS = [2**63, 2**64, -1, True, "7", None, 7.0]


@pytest.mark.parametrize("number", STRANGE_NUMBERS)
def test_what_is_no_number_of_a_job_is_refused_alike_everywhere(number, jot: Jotsam):
    for verb in (jot.admin.retry, jot.admin.discard):
        with pytest.raises(InvalidInput, match="invalid job id"):
            verb(number)
    queue = Queue(jot.database, "mail")
    for verb in (queue.get, queue.attempts, queue.discard, queue.cancel, queue.progress, queue.result):
        with pytest.raises(InvalidInput, match="invalid job id"):
            verb(number)


def test_a_number_that_no_job_has_is_not_found(jot: Jotsam):
    for number in (0, 1, 2**63 - 1):
        with pytest.raises(LookupError):
            jot.admin.retry(number)
