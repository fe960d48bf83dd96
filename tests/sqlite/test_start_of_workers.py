"""A worker starts where the system refuses `posix_spawn`, and where it refuses every process the reason is told."""

from __future__ import annotations

import argparse
import errno
import os
import subprocess
from pathlib import Path

import pytest

from jotsam import Jotsam
from jotsam.admin import doctor
from jotsam.core.settings import Settings
from jotsam.ingest import spawn
from jotsam.surfaces.cli.operate import work


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(db=str(tmp_path / "m.db"), worker="auto")


def refuse(*arguments: object, **options: object) -> None:
    """What a sandbox does."""
    raise OSError(errno.EPERM, "Operation not permitted")


@pytest.fixture
def no_posix_spawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "posix_spawn", refuse)
    monkeypatch.setattr(spawn, "refused", "")


@pytest.mark.usefixtures("no_posix_spawn")
def test_a_worker_starts_where_posix_spawn_is_refused(settings):
    with Jotsam(settings=settings) as jot:
        receipt = jot.remember("Ana moved to Bonn.")
        assert jot.wait([receipt.id])
    assert spawn.refused == ""


@pytest.mark.usefixtures("no_posix_spawn")
def test_the_reason_why_no_worker_starts_is_told(settings, monkeypatch, capsys):
    monkeypatch.setattr(subprocess, "Popen", refuse)
    with Jotsam(settings=settings) as jot:
        jot.remember("Ana moved to Bonn.")
    waited = work.wait_for(argparse.Namespace(settings=settings, timeout=0.1, json=False), ())
    told = capsys.readouterr().err
    reason = "the system starts no process for a worker: [Errno 1] Operation not permitted"
    assert (waited, f"{reason}: run `jotsam jobs work`" in told) == (8, True)
    (log,) = [one for one in doctor.examine(settings.replace(worker="off")) if one.name == "log"]
    assert reason in log.text
