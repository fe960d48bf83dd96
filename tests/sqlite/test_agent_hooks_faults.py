"""Hooks of every agent, whatever is wrong: they print nothing, raise nothing, and no turn is lost or stored twice."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from agent_hooks import STORED, Hooks, turns


@contextmanager
def locked(hooks: Hooks):
    other = apsw.Connection(hooks.url)
    other.execute("begin immediate")
    yield
    other.execute("rollback")
    other.close()


@contextmanager
def newer(hooks: Hooks):
    """The database of a later version of the program."""
    other = apsw.Connection(hooks.url)
    columns = "schema, version, name, fingerprint, applied_at"
    other.execute(f"insert into jotsam_migration ({columns}) values ('queue', 999, 'later', '', 0)")
    yield
    other.execute("delete from jotsam_migration where version = 999")
    other.close()


@contextmanager
def without_a_spool(hooks: Hooks):
    """The database is locked too."""
    spool = Path(f"{hooks.url}.spool")
    spool.write_text("not a folder")
    with locked(hooks):
        yield
    spool.unlink()


@contextmanager
def misconfigured(hooks: Hooks):
    config = Path(hooks.transcript.parent / "config" / "jotsam" / "config.toml")
    config.parent.mkdir(parents=True)
    config.write_text(f"db = {hooks.url}")
    hooks.monkeypatch.delenv("JOTSAM_DB")
    yield
    config.write_text(f'db = "{hooks.url}"')


@pytest.mark.parametrize("harness", STORED)
def test_no_fault_disturbs_an_agent_or_loses_a_turn(monkeypatch, tmp_path, open_jot, harness, capfd):
    for fault in (locked, newer, without_a_spool, misconfigured):
        home = tmp_path / fault.__name__
        home.mkdir()
        hooks = Hooks(monkeypatch, home, str(home / "jotsam.db"))
        monkeypatch.setenv("JOTSAM_HOOK_LOCK_TIMEOUT_MS", "0")
        monkeypatch.delenv("JOTSAM_RECALL")
        jot = open_jot(db=hooks.url)
        hooks.write_transcript(harness)
        with fault(hooks):
            for event in hooks.recorded(harness):
                hooks.fire(harness, event)
        assert (fault.__name__, capfd.readouterr()) == (fault.__name__, ("", ""))
        monkeypatch.setenv("JOTSAM_RECALL", "off")
        for event in hooks.recorded(harness):
            hooks.fire(harness, event)
        assert (fault.__name__, turns(jot)) == (fault.__name__, STORED[harness])
