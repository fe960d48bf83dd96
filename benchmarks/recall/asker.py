"""Child process that measures the latency of recall and its own peak memory."""

from __future__ import annotations

import itertools
import resource
from time import perf_counter_ns, process_time_ns

import jotsam
from benchmarks.child import serve
from benchmarks.recall.latency import questions
from jotsam.core.settings import load_settings
from jotsam.retrieval.question.terms import search_terms

NOT_COUNTED = 10
BARE = "select rowid from text_index where text_index match :words order by rank limit 10"
opened: list[jotsam.Jotsam] = []


def start(path: str, embed_model: str = "") -> None:
    settings, _ = load_settings({"db": path, "worker": "off", "embed_model": embed_model})
    opened.append(jotsam.Jotsam(settings=settings))


def ask(count: int) -> list[tuple[int, int]]:
    """Wall time and CPU time of each answer, without those of the warm-up."""
    times = []
    for question in itertools.islice(questions(), count + NOT_COUNTED):
        began, worked = perf_counter_ns(), process_time_ns()
        opened[0].recall(question)
        times.append((perf_counter_ns() - began, process_time_ns() - worked))
    return times[NOT_COUNTED:]


def search_alone(count: int) -> list[int]:
    """CPU time of the ten best texts by bm25 for the words of each question, in a file."""
    times = []
    with opened[0].database.snapshot() as tx:
        for question in itertools.islice(questions(), count + NOT_COUNTED):
            words = " OR ".join(f'"{word}"' for word in search_terms(question).terms.words)
            worked = process_time_ns()
            tx.execute(BARE, {"words": f"{{body context}} : ({words})"})
            times.append(process_time_ns() - worked)
    return times[NOT_COUNTED:]


def peak() -> int:
    """The peak memory of this process in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    serve({f.__name__: f for f in (start, ask, search_alone, peak)})
