"""The footer, the last line of every answer."""

from __future__ import annotations

import pytest

from jotsam.core.answers import Coverage
from jotsam.retrieval.present.footer import footer


def of(**fields: object) -> str:
    return footer(Coverage(**{"returned": 2, "total": 2, "tokens": 90, "budget": 2_000, **fields}))


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "(returned 2 of 2, ~90 of 2,000 tokens)"),
        (
            {"returned": 12, "total": 1_045, "tokens": 1_940, "more": True},
            "(returned 12 of 1,045, ~1,940 of 2,000 tokens; raise the token budget for more)",
        ),
        (
            {"pending": 3, "oldest_pending_ms": 5_400, "failed": 1, "dead": 2},
            "(returned 2 of 2, ~90 of 2,000 tokens; 3 pending, oldest 5 s; 1 failed, will be retried; "
            "2 dead, see `jotsam jobs --state dead`)",
        ),
        (
            {"in_progress": 1, "failed": 1, "oldest_pending_ms": 61_000},
            "(returned 2 of 2, ~90 of 2,000 tokens; 1 in progress, oldest 1 min; 1 failed, will be retried)",
        ),
        (
            {"not_enriched": 2, "degraded": 1_200, "unembedded": 3},
            "(returned 2 of 2, ~90 of 2,000 tokens; 2 not enriched yet; 1,200 degraded: the model or a rule failed; "
            "3 not embedded yet)",
        ),
        (
            {"more": True},
            "(returned 2 of 2, ~90 of 2,000 tokens; shortened: raise the token budget to see more of it)",
        ),
        ({"missing": ("Kerberos",)}, "(returned 2 of 2, ~90 of 2,000 tokens; no result contains: Kerberos)"),
        (
            {"missing": ("Kerberos", "ticket"), "nothing": True},
            "(nothing here speaks of Kerberos, ticket; returned 2 of 2, ~90 of 2,000 tokens)",
        ),
        (
            {"missing": ("Kerberos",), "nothing": True, "pending": 1, "oldest_pending_ms": 0},
            "(not known yet: nothing here speaks of Kerberos; returned 2 of 2, ~90 of 2,000 tokens; "
            "1 pending, oldest 0 s)",
        ),
        ({"nothing": True}, "(nothing here speaks of this; returned 2 of 2, ~90 of 2,000 tokens)"),
        ({"returned": 0, "total": 0, "nothing": True, "missing": ("Kerberos",)}, "(nothing found)"),
        ({"unavailable": ("vectors",)}, "(returned 2 of 2, ~90 of 2,000 tokens; unavailable: vectors)"),
        ({"reranked": 30}, "(returned 2 of 2, ~90 of 2,000 tokens; best 30 reranked)"),
        (
            {"archived": 1},
            "(returned 2 of 2, ~90 of 2,000 tokens; 1 archived memory matches: use archived to see more)",
        ),
        (
            {"archived": 1_200},
            "(returned 2 of 2, ~90 of 2,000 tokens; 1,200 archived memories match: use archived to see more)",
        ),
    ],
)
def test_the_footer_states_counts_and_leaves_zeros_out(fields: dict[str, object], line: str) -> None:
    assert of(**fields) == line


def test_the_word_pending_is_absent_when_nothing_is_pending() -> None:
    """MB-13."""
    assert "pending" not in of(in_progress=1, failed=1, dead=1, oldest_pending_ms=0)
    assert "pending" in of(pending=1, oldest_pending_ms=0)


@pytest.mark.parametrize("state", ["pending", "in_progress", "failed"])
def test_an_empty_result_with_work_left_reads_not_known_yet(state: str) -> None:
    line = of(returned=0, total=0, tokens=0, **{state: 1}, oldest_pending_ms=5_000)
    assert line.startswith("(not known yet; 1 ")
    assert "none" not in line
    assert "nothing" not in line


def test_an_empty_result_without_work_left_reads_nothing_found_even_with_dead_jobs() -> None:
    assert of(returned=0, total=0, tokens=0) == "(nothing found)"
    assert of(returned=0, total=0, tokens=0, dead=1).startswith("(nothing found; 1 dead")


def test_the_lag_of_a_replica_is_stated_if_one_answered() -> None:
    assert "replica" not in of()
    assert of(replica_lag_ms=0).endswith("; answered by a replica, 0.0 s behind)")
    assert of(replica_lag_ms=1_234_567).endswith("; answered by a replica, 1,234.6 s behind)")
    assert of(replica_problem="two: away").endswith("; answered by the primary, not by the replica two: away)")


def test_pending_work_comes_without_a_command() -> None:
    """Agents would repeat the command to their users; only dead jobs need a decision."""
    assert "`" not in of(pending=1, in_progress=1, failed=1, oldest_pending_ms=1)


@pytest.mark.parametrize(
    ("milliseconds", "age"),
    [(0, "0 s"), (999, "0 s"), (59_999, "59 s"), (60_000, "1 min"), (7_200_000, "2 h"), (200_000_000, "2 d")],
)
def test_an_age_is_given_in_its_largest_unit(milliseconds: int, age: str) -> None:
    assert f"oldest {age})" in of(pending=1, oldest_pending_ms=milliseconds)
