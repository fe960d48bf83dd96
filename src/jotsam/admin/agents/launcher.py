"""The launcher: one shell script in the user's data folder, which agents run instead of the program itself.

So what is written into the files of an agent never changes: an upgrade or a move of the program rewrites the launcher,
and Codex, which trusts a hook by its definition, does not ask again. A hook must not fail or lose a turn: if the
program is gone or broken, the launcher keeps the event in the spool of hooks, for `ingest.raw_events`, and exits
with 0.
"""

from __future__ import annotations

import os
import shlex
import sys

from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput
from jotsam.core.platform import processes
from jotsam.core.platform.folders import data_folder
from jotsam.ingest import spool

SCRIPT = """\
#!/bin/sh
# Written by `jotsam install`. Agents run Jotsam by this file, whose path never changes; the path of the program does.
program={program}
if [ "$1" != hook ]; then
    if [ -x "$program" ]; then exec "$program" "$@"; fi
    echo "error: $program is missing: run \\`jotsam install\\` again, or \\`jotsam doctor --repair\\`" >&2
    exit 127
fi
# A hook must not print errors or exit with another code than 0: some agents would stop.
exec 2>/dev/null
"$program" "$@" && exit 0
case "$JOTSAM_CAPTURE" in 0 | off) exit 0 ;; esac
[ -t 0 ] && exit 0
umask 077
folder={spool}
mkdir -p "$folder"
time=$(date +%s%N)  # Nanoseconds: a prompt and its answer can fall into one second.
case $time in *[!0-9]*) time=$(date +%s)000 ;; esac
file="$folder/0$time-$$"
{{
    printf '%s\\n' "$*" "$PWD"
    env | grep -E '^JOTSAM_(DB|TENANT|PROJECT|CAPTURE)='
    cat
}} > "$file.part" && mv "$file.part" "$file{ending}" || rm -f "$file.part"
exit 0
"""


def path() -> str:
    return os.path.join(data_folder(os.environ), "bin", "jotsam")


def program() -> str:
    """The absolute path of the program that runs now: the script beside the interpreter, which needs no options.

    Raises `InvalidInput` if it cannot be run, as in a virtual environment that was moved.
    """
    found = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "jotsam")
    if not os.access(found, os.X_OK):
        raise InvalidInput(f"{found} does not exist, or cannot be run: install the package with pip, pipx or uv")
    if (interpreter := _interpreter(found)) and not os.access(interpreter, os.X_OK):
        raise InvalidInput(f"{found} needs {interpreter}, which does not exist: install the package again")
    return found


def write() -> bool:
    """Write the launcher for the program that runs now. Returns whether it was changed.

    Raises `InvalidInput`, `OSError`.
    """
    if not processes.HAS_SHELL:
        raise InvalidInput("agents run Jotsam by a shell script, which this system does not have")
    script = SCRIPT.format(program=shlex.quote(program()), spool=shlex.quote(spool.fallback_folder()), ending=spool.RAW)
    place = path()
    if _read(place) == script and os.access(place, os.X_OK):
        return False
    os.makedirs(data_folder(os.environ), mode=0o700, exist_ok=True)
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    part = f"{place}.{new_id()[:8]}.part"
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700), "w", encoding="utf-8") as file:
        file.write(script)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, place)
    return True


def remove() -> None:
    """Remove the launcher, and its folder if it is empty."""
    try:
        os.unlink(path())
        os.rmdir(os.path.dirname(path()))
    except OSError:
        pass


def problem() -> str | None:
    """Why hooks cannot start the program, or None."""
    script = _read(path())
    if script is None:
        return f"{path()} does not exist: agents cannot start Jotsam"
    line = next((line for line in script.splitlines() if line.startswith("program=")), "")
    try:
        target = shlex.split(line.removeprefix("program="))[0]
    except (ValueError, IndexError):
        return f"{path()} is damaged"
    if not os.access(path(), os.X_OK):
        return f"{path()} cannot be run: its mode is wrong"
    if not os.access(target, os.X_OK):
        return f"{path()} runs {target}, which does not exist"
    if (interpreter := _interpreter(target)) and not os.access(interpreter, os.X_OK):
        return f"{path()} runs {target}, whose interpreter {interpreter} does not exist"
    return None


def _interpreter(script: str) -> str:
    """The interpreter that the first line of a script names, or ""."""
    with open(script, "rb") as file:
        first = file.readline(4_096)
    return os.fsdecode(first[2:].split()[0]) if first.startswith(b"#!") and first[2:].split() else ""


def _read(place: str) -> str | None:
    try:
        with open(place, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return None
