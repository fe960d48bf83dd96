"""The cost of a command as a whole process: `jotsam add`, `jotsam hook Stop`, `jotsam status`.

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
LIMIT = 3
BARE = "python -c, opens, inserts, commits"
NOTHING = "python -c pass"
COMMANDS = ("jotsam add FILE", "jotsam hook Stop", "jotsam status")


def measure(plan: Plan) -> Report:
    rounds = take_turns(_sides(plan), plan.of(full=41, quick=3), lambda command: command())
    rows = [
        (name, duration(middle(rounds[name])), duration(min(rounds[name])), number(ratio(rounds[name], rounds[BARE])))
        for name in (NOTHING, BARE, *COMMANDS)
    ]
    bounds = [
        Bound(promise=f"`{name}`, against bare Python", measured=ratio(rounds[name], rounds[BARE]), limit=LIMIT)
        for name in COMMANDS
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
    jotsam.Jotsam(settings["JOTSAM_DB"], worker="off").close()  # A hook does not make a database; `add` would.

    def add() -> int:
        file.write_text(next(supply))
        return process_ns([JOTSAM, "add", str(file)], **settings)

    def hook() -> int:
        turn = {"hook_event_name": "Stop", "session_id": "s", "prompt_id": str(next(number))}
        given = json.dumps(turn | {"last_assistant_message": next(supply)})
        return process_ns([JOTSAM, "hook", "Stop"], given, **settings)

    def insert() -> int:
        file.write_text(next(supply))
        return process_ns(bare_insert(plan.folder / "bare.db", file))

    return {
        NOTHING: lambda: process_ns([sys.executable, "-c", "pass"]),
        BARE: insert,
        "jotsam add FILE": add,
        "jotsam hook Stop": hook,
        "jotsam status": lambda: process_ns([JOTSAM, "status"], **settings),
    }


if __name__ == "__main__":
    main(measure, __doc__)
