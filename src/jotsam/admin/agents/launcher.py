"""The launcher: one script in the user's data folder, which agents run instead of the program itself.

So what is written into the files of an agent never changes: an upgrade or a move of the program rewrites the launcher,
and Codex, which trusts a hook by its definition, does not ask again. A hook must not fail or lose a turn: if the
program is gone or broken, the launcher keeps the event in the spool of hooks, for `ingest.raw_events`, and exits
with 0. On Windows it is a batch file.
"""

from __future__ import annotations

import os
import shlex

from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput
from jotsam.core.platform import files, processes, shells
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

# A batch file is read again after each line, so what may replace it is run in the last line. `%` is doubled in it.
BATCH = """\
@echo off
rem Written by `jotsam install`. Agents run Jotsam by this file, whose path never changes; the path of the program does.
setlocal DisableDelayedExpansion
set "program={program}"
if not "%~1"=="hook" goto run
rem A hook must not print errors or exit with another code than 0: some agents would stop.
if exist "%program%" "%program%" %* 2>nul && exit /b 0
if "%JOTSAM_CAPTURE%"=="0" exit /b 0
if /i "%JOTSAM_CAPTURE%"=="off" exit /b 0
set "folder={spool}"
set "words=%*"
powershell -NoProfile -NonInteractive -Command "{keep}" >nul 2>nul
exit /b 0
:run
if exist "%program%" "%program%" %* & exit /b
echo error: "%program%" is missing: run `jotsam install` again, or `jotsam doctor --repair` 1>&2
exit /b 127
"""

KEEP = """\
$ErrorActionPreference = 'Stop'
$line = [string][char]10
[void][IO.Directory]::CreateDirectory($env:folder)
$time = [DateTimeOffset]::UtcNow.ToUnixTimeMilliseconds()
$name = [IO.Path]::Combine($env:folder, '0' + $time + '000000-' + $PID)
$text = $env:words + $line + (Get-Location).ProviderPath + $line
foreach ($one in 'JOTSAM_DB', 'JOTSAM_TENANT', 'JOTSAM_PROJECT', 'JOTSAM_CAPTURE')
{{ $value = [Environment]::GetEnvironmentVariable($one); if ($value) {{ $text += $one + '=' + $value + $line }} }}
$file = [IO.File]::Create($name + '.part')
$bytes = [Text.Encoding]::UTF8.GetBytes($text)
$file.Write($bytes, 0, $bytes.Length)
[Console]::OpenStandardInput().CopyTo($file)
$file.Close()
[IO.File]::Move($name + '.part', $name + '{ending}')
"""
HOME = "%USERPROFILE%"


def path() -> str:
    return os.path.join(data_folder(os.environ), "bin", "jotsam.cmd" if shells.IS_BATCH else "jotsam")


def program() -> str:
    """The absolute path of the program that runs now: the script beside the interpreter, which needs no options.

    Raises `InvalidInput` if it cannot be run, as in a virtual environment that was moved.
    """
    places = processes.own_scripts("jotsam")
    found = next((place for place in places if os.access(place, os.X_OK)), None)
    if found is None:
        raise InvalidInput(f"{places[0]} does not exist, or cannot be run: install the package with pip, pipx or uv")
    if (interpreter := _interpreter(found)) and not os.access(interpreter, os.X_OK):
        raise InvalidInput(f"{found} needs {interpreter}, which does not exist: install the package again")
    return found


def write() -> bool:
    """Write the launcher for the program that runs now. Returns whether it was changed.

    Raises `InvalidInput`, `OSError`.
    """
    place, script = path(), (_batch if shells.IS_BATCH else _script)(program(), spool.fallback_folder())
    if _read(place) == script and os.access(place, os.X_OK):
        return False
    os.makedirs(data_folder(os.environ), mode=0o700, exist_ok=True)
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    part = f"{place}.{new_id()[:8]}.part"
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | files.BINARY, 0o700), "wb") as file:
        file.write(script)
        file.flush()
        os.fsync(file.fileno())
    files.replace(part, place)
    return True


def _script(program: str, folder: str) -> bytes:
    script = SCRIPT.format(program=shlex.quote(program), spool=shlex.quote(folder), ending=spool.RAW)
    return script.encode("utf-8", "surrogateescape")


def _batch(program: str, folder: str) -> bytes:
    """Raises `InvalidInput` for a path that no batch file can name."""
    keep = "; ".join(KEEP.format(ending=spool.RAW).splitlines()).replace("; {", " {")
    script = BATCH.format(program=_named(program), spool=_named(folder), keep=keep)
    try:
        return script.replace("\n", "\r\n").encode(shells.BATCH_ENCODING)
    except UnicodeEncodeError as error:
        name = error.object[error.start : error.end]
        raise InvalidInput(
            f"{program} cannot be named in a batch file because of {name!r}: install the package in another folder"
        ) from None


def _named(path: str) -> str:
    """A path in a batch file. What is in the home folder of the user does not depend on how that is written."""
    home = os.path.expanduser("~")
    is_inside = os.path.normcase(path).startswith(os.path.normcase(os.path.join(home, "")))
    return HOME + path[len(home) :].replace("%", "%%") if is_inside else path.replace("%", "%%")


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
    target = _target(script)
    if target is None:
        return f"{path()} is damaged"
    if not os.access(path(), os.X_OK):
        return f"{path()} cannot be run: its mode is wrong"
    if not os.access(target, os.X_OK):
        return f"{path()} runs {target}, which does not exist"
    if (interpreter := _interpreter(target)) and not os.access(interpreter, os.X_OK):
        return f"{path()} runs {target}, whose interpreter {interpreter} does not exist"
    return None


def _target(script: bytes) -> str | None:
    """The program that a launcher runs; None if it is damaged."""
    lines = script.decode(shells.BATCH_ENCODING, "surrogateescape").splitlines()
    try:
        if shells.IS_BATCH:
            named = next(line for line in lines if line.startswith('set "program=')).partition("=")[2].removesuffix('"')
            return named.replace(HOME, os.path.expanduser("~")).replace("%%", "%")
        return shlex.split(next(line for line in lines if line.startswith("program=")).partition("=")[2])[0]
    except (ValueError, IndexError, StopIteration):
        return None


def _interpreter(script: str) -> str:
    """The interpreter that the first line of a script names, or ""."""
    with open(script, "rb") as file:
        first = file.readline(4_096)
    return os.fsdecode(first[2:].split()[0]) if first.startswith(b"#!") and first[2:].split() else ""


def _read(place: str) -> bytes | None:
    try:
        with open(place, "rb") as file:
            return file.read()
    except OSError:
        return None
