"""Keys, tenants, kinds, lanes and job ids: stored unchanged or rejected, because a repaired name could be another's."""

from __future__ import annotations

from itertools import product

import pytest

from jotsam import InvalidInput, Jotsam, Queue

LOSSY = ["\ud800", "u\0", "a\udfffb", "\0"]
FIELDS = ["key", "tenant", "kind", "lane"]


def test_a_name_that_a_database_cannot_store_is_rejected_and_nothing_is_sent(url):
    with Queue(url, "mail") as mail:
        for field, name in product(FIELDS, LOSSY):
            with pytest.raises(InvalidInput, match=rf"^invalid {field} .*must not contain NUL or unpaired surrogates"):
                mail.send(1, **{field: name})
        assert mail.stats().accepted == 0


def test_a_queue_name_that_a_database_cannot_store_is_rejected(url):
    for name in LOSSY:
        with pytest.raises(InvalidInput, match="must not contain NUL"):
            Queue(url, name)


@pytest.mark.parametrize("field", FIELDS)
def test_similar_names_are_different_names(field, url):
    with Queue(url, "mail") as mail:
        for name in ("?", "\ufffd", "u\ufffd", "u", " u", "U"):
            assert mail.send(1, **{field: name}).duplicate is False
        assert mail.stats().accepted == 6


INVALID_IDS = [2**63, 2**64, -1, True, "7", None, 7.0]


@pytest.mark.parametrize("job_id", INVALID_IDS)
def test_an_invalid_job_id_is_rejected_by_each_method(job_id, jot: Jotsam):
    for method in (jot.admin.retry, jot.admin.discard):
        with pytest.raises(InvalidInput, match="invalid job id"):
            method(job_id)
    queue = Queue(jot.database, "mail")
    for method in (queue.get, queue.attempts, queue.discard, queue.cancel, queue.progress, queue.result):
        with pytest.raises(InvalidInput, match="invalid job id"):
            method(job_id)


def test_the_id_of_no_job_is_not_found(jot: Jotsam):
    for number in (0, 1, 2**63 - 1):
        with pytest.raises(LookupError):
            jot.admin.retry(number)
