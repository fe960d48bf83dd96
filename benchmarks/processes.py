"""Whole processes: how long a command takes from its start to its end, as a shell or an agent sees it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter_ns

from benchmarks.child import environment

JOTSAM = str(Path(sys.executable).parent / "jotsam")
"""The console script of the interpreter that measures."""

INSERT = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute('pragma journal_mode = wal')
connection.execute('pragma synchronous = full')
connection.execute('create table if not exists text (id integer primary key, body text)')
connection.execute('insert into text (body) values (?)', (open(sys.argv[2]).read(),))
connection.close()
"""


def process_ns(command: Sequence[str], given: str = "", **variables: str) -> int:
    """How long a command took. Raises `subprocess.CalledProcessError` when it fails."""
    began = perf_counter_ns()
    subprocess.run(command, input=given, text=True, env=environment(**variables), check=True, capture_output=True)
    return perf_counter_ns() - began


def bare_insert(database: Path, file: Path) -> list[str]:
    """A Python process that opens a database, inserts the text of a file, syncs, and ends."""
    return [sys.executable, "-c", INSERT, str(database), str(file)]
