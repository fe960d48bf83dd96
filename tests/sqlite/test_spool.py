"""Turns that a hook spooled to a file because it could not write to the database."""

from __future__ import annotations

import apsw

from jotsam.core.settings import Settings
from jotsam.ingest import capture, spool
from jotsam.storage.sqlite.sqlite_notify import PipeNotifier


def test_a_turn_that_a_hook_set_aside_is_pending_too(jot, url):
    """It is kept beside the database, and an answer must not say that there is nothing."""
    turn = capture.Turn(text="Ana moved to Bonn.", actor="user", session="s", key="k", source="x", said_at=1)
    spool.write(url, turn.as_dict())
    assert "not known yet; 1 pending" in jot.recall("Bonn").text
    jot.work()
    assert jot.recall("Bonn").coverage.pending == 0
    assert jot.recall("Bonn").hits[0].text == "Ana moved to Bonn."


def test_a_spooled_turn_wakes_the_worker(jot, url):
    worker = PipeNotifier(url, lambda: 0)
    worker.listen()
    other = apsw.Connection(url)
    other.execute("begin immediate")
    turn = capture.Turn(text="Ana moved to Bonn.", actor="user", session="s", key="k", source="x", said_at=1)
    capture.capture(Settings(db=url, worker="off", hook_lock_timeout_ms=0), turn)
    other.execute("rollback")
    other.close()
    assert len(spool.waiting(url)) == 1
    assert worker.wait(0)
    worker.close()
