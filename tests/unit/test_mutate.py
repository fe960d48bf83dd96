"""Every fault of tools/mutate.py still finds the text that it replaces."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MUTATE = runpy.run_path(str(ROOT / "tools" / "mutate.py"))
FAULTS = [*MUTATE["FAULTS"], *MUTATE["SPEED"], *MUTATE["MEMORY"], *(fault[:5] for fault in MUTATE["NAMED"])]


@pytest.mark.parametrize("fault", FAULTS, ids=[fault[0] for fault in FAULTS])
def test_every_fault_still_changes_the_query_it_names(fault):
    _, file, query, text, broken = fault
    sql = (ROOT / "src" / "jotsam" / "storage" / "sql" / file).read_text()
    assert MUTATE["mutated"](sql, query, text, broken) != sql
