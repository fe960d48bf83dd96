"""tools/mutate.py: every declared fault still finds its text, and seeded faults are made of any Python or SQL file."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path

import pytest
from tools import mutants
from tools.mutate import FLOOR, HARM

ROOT = Path(__file__).parents[2]
MUTATE = runpy.run_path(str(ROOT / "tools" / "mutate.py"))
FAULTS = [*MUTATE["FAULTS"], *MUTATE["SPEED"], *MUTATE["MEMORY"], *(fault[:5] for fault in MUTATE["NAMED"])]
FAULTS += [fault[:5] for fault in MUTATE["WITHOUT"]]


@pytest.mark.parametrize("fault", FAULTS, ids=[fault[0] for fault in FAULTS])
def test_every_fault_still_changes_the_query_it_names(fault):
    _, file, query, text, broken = fault
    sql = (ROOT / "src" / "jotsam" / "storage" / "sql" / file).read_text(encoding="utf-8")
    assert MUTATE["mutated"](sql, query, text, broken) != sql


PYTHON = """
def pick(found, wanted):
    if found is not None and len(found) >= wanted:
        log(f"{found + wanted}", "a" + "b")
        return found[wanted - 1] if not wanted else 0
    return None
"""
PYTHON_MUTANTS = [
    (3, "found is not None -> (found is None)"),
    (3, "found is not None and len(found) >= wanted -> (found is not None or len(found) >= wanted)"),
    (3, "len(found) >= wanted -> (len(found) > wanted)"),
    (4, 'log(f"{found + wanted}", "a" + "b") -> pass'),
    (5, "found[wanted - 1] if not wanted else 0 -> (0 if not wanted else found[wanted - 1])"),
    (5, "not wanted -> bool(wanted)"),
    (5, "return found[wanted - 1] if not wanted else 0 -> return None"),
    (5, "wanted - 1 -> (wanted + 1)"),
]
SQL = """
-- name: newest
-- and nothing else
select id from memory
where tenant = :tenant and archived_at is null
  and (valid_until is null or valid_until > :now)
order by said_at desc limit :limit;
"""
SQL_MUTANTS = [
    (6, "and (valid_until is null or valid_until > :now) -> "),
    (6, "and (valid_until is null or valid_until > :now) -> and (valid_until is not null or valid_until > :now)"),
    (6, "and (valid_until is null or valid_until > :now) -> and (valid_until is null or valid_until >= :now)"),
    (7, "order by said_at desc limit :limit; -> order by said_at desc limit :limit + 1;"),
    (7, "order by said_at desc limit :limit; -> order by said_at limit :limit;"),
]


@pytest.mark.parametrize(("name", "text", "expected"), [("a.py", PYTHON, PYTHON_MUTANTS), ("a.sql", SQL, SQL_MUTANTS)])
def test_each_place_of_a_file_gets_its_faults(name, text, expected, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    made = mutants.mutants(path, number=100, seed=7)
    assert [(line, what) for line, what, _ in made] == sorted(expected)
    assert all(source != text for _, _, source in made)


def test_a_seed_chooses_the_same_faults_again(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(PYTHON)
    chosen = [mutants.mutants(path, number=3, seed=seed) for seed in (1, 1, 2)]
    assert [len(one) for one in chosen] == [3, 3, 3]
    assert chosen[0] == chosen[1] != chosen[2]


def test_each_seeded_fault_of_the_files_where_it_matters_is_a_program():
    for file, tests in HARM.items():
        made = mutants.mutants(mutants.PACKAGE / file, number=1_000, seed=7)
        assert len(made) >= 10, file
        assert all((ROOT / test).exists() for test in tests), file
        assert mutants.SAME.get(file, set()) <= {what for _, what, _ in made}, file
        if file.endswith(".py"):
            assert all(ast.parse(source) for _, _, source in made)


@pytest.mark.long
@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize("file", HARM)
def test_tests_find_most_faults_where_they_do_most_harm(file):
    missed, made = mutants.survivors(file, HARM[file])
    assert 100 * (made - len(missed)) / made >= FLOOR, missed
