"""How often a memory is tried to be read, whoever sent its job, and how long it waits in between."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jotsam import Jotsam
from jotsam.core.job_records import Job
from jotsam.core.names import ENRICH
from jotsam.core.settings import Settings
from jotsam.ingest import capture
from processes import WAIT_MS

TEXT = "We decided to use Redis."


def the_job(jot: Jotsam) -> Job:
    (job,) = jot.admin.jobs(kind=ENRICH)
    return job


def remembered(jot: Jotsam) -> None:
    jot.remember(TEXT)


def cut(jot: Jotsam) -> None:
    jot.admin.pause(ENRICH)
    jot.add(TEXT)
    jot.work()


def captured(jot: Jotsam) -> None:
    turn = capture.Turn(text=TEXT, actor="user", session="s", key="k", source="agent", said_at=1)
    settings = jot.settings if jot.database.is_file else jot.settings.replace(hook_lock_timeout_ms=WAIT_MS)
    capture.capture(settings, turn)


def read_again(jot: Jotsam) -> None:
    jot.remember(TEXT)
    jot.work()
    jot.reprocess(jot.plan_reprocess(force=True))


@pytest.mark.parametrize("send", [remembered, cut, captured, read_again])
def test_a_memory_is_tried_as_often_as_the_settings_say_whoever_sends_it(send: Callable[[Jotsam], None], jot: Jotsam):
    assert Settings().enrich_attempts == 3
    jot.settings = jot.settings.replace(enrich_attempts=7)
    send(jot)
    assert the_job(jot).max_receive == 7


def test_a_memory_that_cannot_be_saved_is_dead_after_three_tries_and_can_be_revived(jot: Jotsam, clock):
    """AM-8: after 5 s and 10 s more; what was given up is kept with its errors, and the others go on meanwhile."""
    id = jot.remember(TEXT).id
    with jot.database.transaction() as tx:
        tx.execute("alter table mention rename to hidden")
    waits = []
    for _ in range(2):
        jot.work()
        job = the_job(jot)
        assert job.wake_at is not None
        waits.append(job.wake_at - clock.now)
        clock.tick(waits[-1])
    jot.work()
    assert 4_500 <= waits[0] <= 5_500
    assert 9_000 <= waits[1] <= 11_000
    dead = the_job(jot)
    assert (dead.state, dead.failures) == ("dead", 3)
    assert "mention" in (dead.error or "")
    with jot.database.transaction() as tx:
        tx.execute("alter table hidden rename to mention")
    jot.admin.retry(dead.id)
    jot.work()
    assert jot.show(id).done
    assert jot.status().depth.dead == 0
