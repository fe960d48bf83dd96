"""Generated histories of a memory, with kills of callers and workers, beside a model of it, on each database.

A history is judged after each step: what was accepted is stored once, what was forgotten is in no row, and what is
taken back leaves every row of every table as it was. `python -m tools.mutate` breaks the trash, forgetting and the undo
of runs, and expects that the first 20 histories find it. With the variable `MEMORY_SEED=1000` it plays others.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable

import pytest

from memory_model import History, Play, history, shortest

FIRST = int(os.environ.get("MEMORY_SEED", "0"))
IN_THE_CHECK = {"sqlite": 2, "postgres": 1}  # A history on a server takes many times as long.
PARTS = [None, *(pytest.param(range(at, at + 10), marks=pytest.mark.long) for at in range(0, 100, 10))]


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


def problem(steps: History, new_url: Callable[[], str]) -> str:
    """What does not hold after this history on a new database; nothing if everything does."""
    try:
        Play(new_url()).run(steps)
    except Exception as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "memory_model" in frame.filename]
        return f"{type(error).__name__} in {frames[-1].name}: {error}"
    return ""


def explained(seed: int, new_url: Callable[[], str]) -> str:
    """What does not hold after the history of a seed, and the shortest history after which it does not."""
    first = problem(history(seed), new_url) or "it does not fail each time"
    steps = shortest(history(seed), lambda fewer: problem(fewer, new_url).partition(":")[0] == first.partition(":")[0])
    return f"history {seed}: {problem(steps, new_url) or first}\nThe shortest one:\n" + "\n".join(map(repr, steps))


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: f"{part[0]}-{part[-1]}" if part else "check")
def test_a_memory_keeps_its_promises_through_any_history(part, kind, new_url, record_property, request):
    is_shrunk = request.config.getoption("--hypothesis-profile") != "unshrunk"
    seeds = part or range(IN_THE_CHECK[kind])
    kills = exact = calls = 0
    for seed in seeds:
        play = Play(new_url())
        try:
            play.run(history(FIRST + seed))
        except Exception:
            if not is_shrunk:
                raise
            pytest.fail(explained(FIRST + seed, new_url))
        kills, exact, calls = kills + play.kills, exact + play.exact, calls + play.calls
    assert kills
    assert exact
    record_property("tried", f"{len(seeds)} histories, {calls} calls, {kills} kills, {exact} exact undos")
