"""Open the source of a result in the editor of the user, at its line. No shell takes part."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.validate import shown
from jotsam.surfaces.cli.output import echo, stdout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.core.answers import Hit

# How editors are told the line. Any other editor gets the file alone.
GOTO = ("code", "code-insiders", "codium", "cursor", "windsurf")  # --goto FILE:LINE
PLUS = ("vi", "vim", "nvim", "gvim", "view", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "mg", "ed")  # +LINE
COLON = ("subl", "zed", "hx", "helix", "mate")  # FILE:LINE
FALLBACKS = ("nano", "vim", "vi")  # without a setting, as sudoedit and others do
SAMPLE = 4_096  # bytes in which a file that is not a text has a zero


def open_source(hits: Sequence[Hit], number: int) -> int:
    """Open the source of a result, counted from 1. Returns the exit code of the editor.

    Raises `NotFound` if there is no such result or file, and `InvalidInput` if no editor can be started.
    """
    if number > len(hits):
        found = f"there are only {len(hits)}" if hits else "nothing was found"
        raise NotFound(f"there is no result {number}: {found}")
    path, line = _place(hits[number - 1], number)
    editor = _editor()
    echo(f"opening {path}{f' at line {line}' if line else ''} with {os.path.basename(editor[0])}")
    stdout().flush()
    try:
        return subprocess.run([*editor, *_arguments(editor[0], path, line)], check=False).returncode
    except OSError as error:
        refused = InvalidInput(f"the editor {shown(editor[0])} cannot be started: {error.strerror or error}")
        refused.add_note("set VISUAL or EDITOR to another one, for example EDITOR=nano")
        raise refused from error


def _place(hit: Hit, number: int) -> tuple[str, int | None]:
    """The file of a result, and its line if it is known."""
    id = hit.facts[0].memory if hit.kind == "fact" else hit.id
    path = os.path.abspath(os.path.expanduser(hit.source)) if hit.source else ""
    if not os.path.isfile(path):
        why = f"its source {shown(hit.source)} is not a file here" if hit.source else "it was not read from a file"
        refused = NotFound(f"result {number} cannot be opened: {why}")
    elif not _is_text(path):
        refused = NotFound(f"result {number} cannot be opened: {hit.source} is not a text file")
    elif hit.lines is not None:
        return path, hit.lines[0]
    else:
        return path, hit.position if hit.document is None and path.endswith(".jsonl") else None
    refused.add_note(f"its text: jotsam show {id[:8]}")
    raise refused


def _is_text(path: str) -> bool:
    with open(path, "rb") as file:
        return b"\0" not in file.read(SAMPLE)


def _editor() -> list[str]:
    for name in ("VISUAL", "EDITOR"):
        setting = os.environ.get(name, "").strip()
        if setting:
            try:
                return shlex.split(setting)
            except ValueError as error:
                raise InvalidInput(f"invalid {name} {shown(setting)}: {error}") from error
    found = next(filter(None, map(shutil.which, FALLBACKS)), None)
    if found is None:
        refused = InvalidInput("no editor is set")
        refused.add_note("set VISUAL or EDITOR to the command of your editor, for example EDITOR=nano")
        raise refused
    return [found]


def _arguments(editor: str, path: str, line: int | None) -> list[str]:
    name = os.path.basename(editor).lower().removesuffix(".exe").removesuffix(".cmd")
    if line is None:
        return [path]
    if name in GOTO:
        return ["--goto", f"{path}:{line}"]
    if name in PLUS:
        return [f"+{line}", path]
    return [f"{path}:{line}"] if name in COLON else [path]
