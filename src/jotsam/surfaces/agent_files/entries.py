"""The entries of Jotsam in the files of agents: what is written, and what of a file is ours.

An entry is ours if it runs a program called `jotsam`. So an entry that a user wrote, or that was written by an
earlier version is replaced, and one of another program is never touched.
"""

from __future__ import annotations

import re
import shlex

from jotsam.agents.agent_files import DEFAULT, HOOK, SERVER
from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Protocol

    from jotsam.agents.agent_files import Entry

    Path = tuple[str | int, ...]

    class Document(Protocol):
        """A file that is edited, as `JsonDocument`."""

        text: str

        @property
        def value(self) -> Any: ...

        def set(self, path: Sequence[str | int], value: object) -> None: ...

        def remove(self, path: Sequence[str | int]) -> None: ...


NAMES = ("jotsam", "jotsam.cmd", "jotsam.exe")


def add(document: Document, entries: Sequence[Entry]) -> None:
    """Bring every entry into the document as it should be, and remove what else of ours is in it."""
    for entry in entries:
        existing = _at(document.value, entry.place)
        if entry.kind == DEFAULT and existing is None:
            document.set(entry.place, entry.value)
        elif entry.kind == SERVER:
            if existing is not None and not _is_our_server(existing):
                name = ".".join(entry.place)
                raise InvalidInput(f"{name} exists and does not run jotsam: rename it, then run this again")
            if existing != entry.value:
                document.set(entry.place, entry.value)
    wanted: dict[Path, object] = {entry.place: entry.value for entry in entries if entry.kind == HOOK}
    kept: dict[Path, Path] = {}
    rest: list[Path] = []
    for path in _our_hooks(document.value, _hook_roots(entries)):
        place = path[:-1]
        if place in wanted and place not in kept:
            kept[place] = path
        else:
            rest.append(path)
    for place, path in kept.items():
        if _at(document.value, path) != wanted[place]:
            document.set(path, wanted[place])
    _remove(document, rest)
    for place, value in wanted.items():
        if place not in kept:
            document.set((*place, len(_at(document.value, place) or ())), value)


def remove(document: Document, entries: Sequence[Entry]) -> None:
    """Remove every entry of ours, and the objects and lists that are empty then."""
    _remove(document, list(ours(document.value, entries)))


def ours(value: object, entries: Sequence[Entry]) -> Iterator[Path]:
    """The paths of our entries."""
    for entry in entries:
        if entry.kind == SERVER and _is_our_server(_at(value, entry.place)):
            yield entry.place
    yield from _our_hooks(value, _hook_roots(entries))


def is_empty(value: object, entries: Sequence[Entry]) -> bool:
    """Whether a file has, except for our entries, only what `add` writes into an empty one."""
    defaults = {entry.place[0]: entry.value for entry in entries if entry.kind == DEFAULT}
    return isinstance(value, dict) and all(name in defaults and value[name] == defaults[name] for name in value)


def runs_jotsam(command: object, argument: str) -> bool:
    """Whether a command line runs `jotsam` with an argument: `/home/ana/bin/jotsam hook --harness claude`."""
    if not isinstance(command, str):
        return False
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return any(map(_is_jotsam, words)) and argument in words


def _is_jotsam(word: str) -> bool:
    """Whether a word is the path of the program or of its launcher, on any system."""
    return re.split(r"[/\\]", word)[-1] in NAMES


def _remove(document: Document, paths: list[Path]) -> None:
    for path in reversed(paths):  # from the end, so that the indexes in front stay
        document.remove(path)


def _hook_roots(entries: Sequence[Entry]) -> set[tuple[str, ...]]:
    return {entry.place[:-1] for entry in entries if entry.kind == HOOK}


def _our_hooks(value: object, roots: set[tuple[str, ...]]) -> Iterator[Path]:
    """Paths of our hooks: of the whole group, or of one command in a group with others."""
    for root in roots:
        events = _at(value, root)
        for event, groups in events.items() if isinstance(events, dict) else ():
            for index, group in enumerate(groups if isinstance(groups, list) else ()):
                if not isinstance(group, dict):
                    continue
                inner = group.get("hooks")
                commands = inner if isinstance(inner, list) else []
                found = [number for number, one in enumerate(commands) if _is_our_hook(one)]
                if _is_our_hook(group) or (found and len(found) == len(commands)):
                    yield (*root, event, index)
                else:
                    yield from ((*root, event, index, "hooks", number) for number in found)


def _is_our_hook(hook: object) -> bool:
    return isinstance(hook, dict) and runs_jotsam(hook.get("command"), "hook")


def _is_our_server(server: object) -> bool:
    if not isinstance(server, dict):
        return False
    fields = (server.get("command"), server.get("args"))
    words = [word for field in fields for word in (field if isinstance(field, list) else [field])]
    return any(isinstance(word, str) and _is_jotsam(word) for word in words)


def _at(value: object, path: Sequence[str | int]) -> Any:
    """The value at a path, or None."""
    for key in path:
        if isinstance(value, dict) and isinstance(key, str):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value
