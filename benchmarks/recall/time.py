"""Test cases of time and contradiction, from `time.json`: is the answer that of the right time?

    python -m benchmarks.recall.time            the product, drained
    python -m benchmarks.recall.time --misses   and each case that fails

A case stores memories or documents among others that have nothing to do with it, may supersede some, and asks one
question. It holds when what must stand first stands first (`first`, or by its text `says`), what must be there is there
(`present`, `also`), and what must not be found is not (`absent`, `never`).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import jotsam
from jotsam.core.clock import parse_time
from jotsam.core.settings import Settings

CASES = Path(__file__).parent / "time.json"
Case = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="show each case that does not hold")
    given = parser.parse_args()
    suite = json.loads(CASES.read_text())
    held: dict[str, list[bool]] = defaultdict(list)
    for case in suite["cases"]:
        wrong = fault(suite, case)
        held[case["kind"]].append(not wrong)
        if wrong and given.misses:
            print(f"{case['kind']}: {case['ask']!r}: {wrong}")
    for kind, results in held.items():
        print(f"{sum(results):3} of {len(results):3}  {kind}")
    every = [result for results in held.values() for result in results]
    print(f"{sum(every):3} of {len(every):3}  in all, {100 * sum(every) / len(every):.1f} %")


def fault(suite: Case, case: Case) -> str:
    """The error of the answer to a case; "" if there is none."""
    now = parse_time(suite["now"], name="now")
    with tempfile.TemporaryDirectory(prefix="jotsam-benchmark-") as folder:
        settings = Settings(db=f"{folder}/jotsam.db", worker="off", worker_idle_ms=0)
        with jotsam.Jotsam(settings=settings, clock=lambda: now) as jot:
            ids = hand_in(jot, suite, case)
            answer = jot.recall(case["ask"], **case.get("options", {}))
    found = [ids.get(hit.id, hit.id) for hit in answer.hits]
    return wrong(case, found, [hit.text for hit in answer.hits])


def hand_in(jot: jotsam.Jotsam, suite: Case, case: Case) -> dict[str, str]:
    """Store everything and process it. Returns the names used in the case by id."""
    names: dict[str, str] = {}
    for text in suite["noise"]:
        jot.remember(text, said_at="2026-01-01")
    for memory in case.get("memories", ()):
        fields = {name: value for name, value in memory.items() if name not in ("id", "text")}
        names[jot.remember(memory["text"], **fields).id] = memory["id"]
    for document in case.get("documents", ()):
        names[jot.add(document["text"], source=document["source"], date=document["date"]).id] = document["id"]
    jot.work()
    ids = {name: id for id, name in names.items()}
    for undo in (False, True):
        for old, new in case.get("undo" if undo else "supersede", ()):
            (jot.undo_supersede if undo else jot.supersede)(ids[old], ids[new])
    return names


def wrong(case: Case, found: list[str], texts: list[str]) -> str:
    """The first expectation of a case that the hits do not meet."""
    first, says = case.get("first"), case.get("says")
    if first is not None and found[:1] != [first]:
        return f"{found[:1]} stands first, not {first!r}"
    if says is not None and not any(says in text for text in texts[:1]):
        return f"{texts[:1]} stands first, not {says!r}"
    whole = "\n".join(texts)
    for name in case.get("present", ()):
        if name not in found:
            return f"{name!r} is not there"
    for text in case.get("also", ()):
        if text not in whole:
            return f"{text!r} is not there"
    for name in case.get("absent", ()):
        if name in found:
            return f"{name!r} is there"
    for text in case.get("never", ()):
        if text in whole:
            return f"{text!r} is there"
    return ""


if __name__ == "__main__":
    main()
