"""Opens a database in processes that are killed before the first, the second and each later statement, and at the end.

`python -m killed_openings URL` prints a line of JSON: how many were killed, how many migrations were outstanding after
each of them, and what the database answers in the end. It is run by another version of the program, which migrates.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

# Not in `_dying_at`: each of the processes would import them again.
import apsw
import psycopg
from tools.released_answers import answers

from jotsam.storage import connect, outstanding

if TYPE_CHECKING:
    from collections.abc import Callable


def main(url: str) -> None:
    left = [len(outstanding(url))]
    for number in itertools.count(1):
        if not _is_killed_at(number, url):
            break
        left.append(len(outstanding(url)))
    print(json.dumps({"left": left, "answers": answers(url)}))


def _is_killed_at(number: int, url: str) -> bool:
    """False: the opening has fewer steps."""
    child = os.fork()
    if not child:
        try:
            step = _dying_at(number)
            opened = connect(url)
            step()
            opened.close()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _dying_at(number: int) -> Callable[[], None]:
    """What counts a step, and kills this process at one of them: each statement from now on is a step."""
    counted = itertools.count(1)

    def count() -> None:
        if next(counted) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def trace(*_: object) -> bool:
        count()
        return True

    apsw.connection_hooks.append(lambda connection: connection.set_exec_trace(trace))
    for owner, name in ((psycopg.Cursor, "execute"), (psycopg.Connection, "commit")):
        setattr(owner, name, _counted(getattr(owner, name), count))
    return count


def _counted(method: Any, count: Callable[[], None]) -> Any:
    def call(*arguments: Any, **options: Any) -> Any:
        count()
        return method(*arguments, **options)

    return call


if __name__ == "__main__":
    main(sys.argv[1])
