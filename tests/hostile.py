"""Finds texts that a pure function reads in more than linear time, without depending on the speed of the machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import cache
from time import thread_time
from typing import Any

from jotsam.pipeline.extraction.extract import extract

Read = Callable[[str], object]
Shape = tuple[str, str, str]  # A hostile text: what it begins with, what is repeated, what it ends with.

LINES_OF = 1_000  # characters of the text whose executed lines are counted
MAX_ONCE = 700  # lines that do not grow with the text, but are executed only for a longer one
PROSE_CHARACTERS = 20_000
MAX_RATIO = 2.2  # of the executed lines of a text and of half of it
PROSE = "We moved the importer to the new server last week, because Redis was slow. Ann wrote the notes.\n\n"


def superlinear(read: Read, shapes: Iterable[Shape], *, characters: int = 10_000, times_prose: float = 6) -> list[str]:
    """One line for each shape that costs too much.

    Executed lines of Python must about double with the text. A regular expression executes no lines, so the CPU time of
    a text of `characters` is bounded too, in terms of what it takes to extract the findings of as much prose.
    """
    limit = times_prose * _prose_seconds() * characters / PROSE_CHARACTERS
    found = []
    for shape in shapes:
        read(text(shape, 100))  # Fills caches.
        half, whole = (executed_lines(read, text(shape, size)) for size in (LINES_OF // 2, LINES_OF))
        if whole > MAX_RATIO * half + MAX_ONCE:
            found.append(f"{shape}: {half} lines of Python, and {whole} for twice the text")
        elif all(cpu_seconds(read, text(shape, characters)) > limit for _ in range(3)):
            found.append(f"{shape}: more than {limit:.2f} s of CPU time")
    return found


def text(shape: Shape, characters: int) -> str:
    start, repeated, end = shape
    return start + repeated * (characters // len(repeated)) + end


def executed_lines(read: Read, text: str) -> int:
    """The lines of Python that `read` executes."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        read(text)
    finally:
        sys.settrace(before)
    return count


def cpu_seconds(read: Read, text: str) -> float:
    """CPU time of this thread, so that a busy machine matters little."""
    began = thread_time()
    read(text)
    return thread_time() - began


@cache
def _prose_seconds() -> float:
    prose = text(("", PROSE, ""), PROSE_CHARACTERS)
    return min(cpu_seconds(lambda prose: extract(prose, said_at=0, actor="Ann"), prose) for _ in range(3))
