"""The cost of a command as a whole process: `jotsam add`, `jotsam hook` for its events, `jotsam status`.

`hook SessionStart` prints the brief of a project, `hook UserPromptSubmit` stores the prompt and searches memory for
what it needs, in a database of 1,000 memories.

The other side is `python -c` of the same interpreter, which opens a database with the standard library, inserts the
text of a file and commits with the same durability: about the least that a tool written in Python can do. Bytecode is
compiled on both sides. Every file and every turn is new, no worker is started, and the settings are the defaults. An
interpreter that does nothing is shown for comparison.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable

import jotsam
from benchmarks.accept import texts
from benchmarks.plan import Plan, main
from benchmarks.processes import JOTSAM, bare_insert, process_ns
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns

SIZE = 5_000
MEMORIES = 1_000
BARE = "python -c, opens, inserts, commits"
NOTHING = "python -c pass"
START, PROMPT = "jotsam hook SessionStart", "jotsam hook UserPromptSubmit"
LIMITS = {"jotsam add FILE": 1.8, "jotsam hook Stop": 2, "jotsam status": 1.6, START: 2.3, PROMPT: 3.7}


def measure(plan: Plan) -> Report:
    rounds = take_turns(_sides(plan), plan.of(full=41, quick=3), lambda command: command())
    rows = [
        (name, duration(middle(rounds[name])), duration(min(rounds[name])), number(ratio(rounds[name], rounds[BARE])))
        for name in (NOTHING, BARE, *LIMITS)
    ]
    bounds = [
        Bound(promise=f"`{name}`, against bare Python", measured=ratio(rounds[name], rounds[BARE]), limit=limit)
        for name, limit in LIMITS.items()
    ]
    table = Table(caption="Whole processes.", columns=("command", "median", "fastest", "against bare"), rows=rows)
    conditions = ("every commit synced", "5 KB of text", f"{len(rounds[BARE])} runs of each")
    return Report(tables=[table], bounds=bounds, conditions=conditions)


def _sides(plan: Plan) -> dict[str, Callable[[], int]]:
    supply, number = texts(SIZE), itertools.count()
    settings = {
        "JOTSAM_DB": str(plan.folder / "jotsam.db"),
        "JOTSAM_WORKER": "off",
        "XDG_CONFIG_HOME": str(plan.folder),
    }
    file = plan.folder / "document.md"
    settings["XDG_DATA_HOME"] = str(plan.folder / "data")
    settings["JOTSAM_PROJECT"] = "shop"
    _fill(settings["JOTSAM_DB"])

    def add() -> int:
        file.write_text(next(supply))
        return process_ns([JOTSAM, "add", str(file)], **settings)

    def hook() -> int:
        turn = {"hook_event_name": "Stop", "session_id": "s", "prompt_id": str(next(number))}
        given = json.dumps(turn | {"last_assistant_message": next(supply)})
        return process_ns([JOTSAM, "hook", "Stop"], given, **settings)

    def start() -> int:
        event = {"hook_event_name": "SessionStart", "session_id": f"new {next(number)}", "source": "startup"}
        return process_ns([JOTSAM, "hook"], json.dumps(event), **settings)

    def prompt() -> int:
        event = {"hook_event_name": "UserPromptSubmit", "session_id": f"new {next(number)}"}
        asked = f"On which port does service {next(number)} of staging listen?"
        return process_ns([JOTSAM, "hook"], json.dumps(event | {"prompt": asked}), **settings)

    def insert() -> int:
        file.write_text(next(supply))
        return process_ns(bare_insert(plan.folder / "bare.db", file))

    return {
        NOTHING: lambda: process_ns([sys.executable, "-c", "pass"]),
        BARE: insert,
        "jotsam add FILE": add,
        "jotsam hook Stop": hook,
        START: start,
        PROMPT: prompt,
        "jotsam status": lambda: process_ns([JOTSAM, "status"], **settings),
    }


def _fill(database: str) -> None:
    """A database with the memories of a project, every tenth of them a decision."""
    supply = texts(300)
    with jotsam.Jotsam(database, worker="off", project="shop") as jot:
        for first in range(0, MEMORIES, 500):
            jot.remember_many(
                {
                    "text": f"Service {place} of staging listens on port {5_000 + place}. {next(supply)}",
                    "type": "Context" if place % 10 else "Decision",
                }
                for place in range(first, first + 500)
            )


if __name__ == "__main__":
    main(measure, __doc__)
