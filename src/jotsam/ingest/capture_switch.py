"""What `jotsam agents capture off` switched off: the turns of all sessions, or of a project, a folder or a session.

The state is a small file in the user's data folder, so that a hook reads it in microseconds and without a database. If
it cannot be read, nothing is captured: what a user switched off must not be stored because of a damaged file.

The project of a session, and whether its turns may be imported, by the folder in which it ran.
"""

from __future__ import annotations

import os

from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput
from jotsam.core.own_files import read_regular
from jotsam.core.platform import files
from jotsam.core.platform.folders import data_folder, real
from jotsam.core.project_identity import PART
from jotsam.core.records import Record
from jotsam.core.settings import PROJECT_FILE, load_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.core.settings import Settings


KINDS = ("project", "path", "session")
MAX_BYTES = 1_000_000


class Switches(Record):
    """What is switched off."""

    everything: bool = False
    project: tuple[str, ...] = ()
    path: tuple[str, ...] = ()  # absolute, without symbolic links; with everything below
    session: tuple[str, ...] = ()
    problem: str | None = None  # why the file cannot be read

    def reason(self, *, projects: Iterable[str], folder: str | None, session: str | None) -> str | None:
        """Why turns of a project (by all its names), folder or session are not captured; None if they are.

        Ignores `everything`.
        """
        if self.problem:
            return "capture is off"
        for project in projects:
            if project in self.project:
                return f"capture is off for project {project}"
        if session in self.session:
            return f"capture is off for session {session}"
        if self.path and folder:
            here = _real(folder)
            for path in self.path:
                if here == path or here.startswith(path.rstrip(os.sep) + os.sep):
                    return f"capture is off below {path}"
        return None


def file_path() -> str:
    return os.path.join(data_folder(os.environ), "capture.json")


def read_switches() -> Switches:
    """What is switched off; nothing if the file does not exist."""
    path = file_path()
    if not os.path.lexists(path):
        return Switches()
    import json  # Slow to import, and the file rarely exists.

    try:
        found = json.loads(read_regular(path, MAX_BYTES))
        project, folder, session = (_texts(found[kind]) for kind in KINDS)
        return Switches(everything=bool(found["everything"]), project=project, path=folder, session=session)
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        return Switches(problem=f"{path} cannot be read, so nothing is captured: {type(error).__name__}: {error}")


def is_captured(settings: Settings, *, folder: str | None, session: str) -> bool:
    """Whether a hook stores the turns of a session in this folder."""
    if settings.capture == "off":
        return False
    off = read_switches()
    return not off.everything and off.reason(projects=project_names(settings), folder=folder, session=session) is None


def project_names(settings: Settings) -> tuple[str, ...]:
    """By what a project may be switched off: its key, that of its repository, and its label.

    A name that several projects have switches off all of them: nothing private is stored because of a wrong guess.
    """
    key = settings.project
    return tuple(dict.fromkeys(name for name in (key, key.partition(PART)[0], settings.project_label) if name))


def described(settings: Settings) -> tuple[str, ...]:
    """What is not captured, for output; empty if everything is."""
    off = read_switches()
    found = ["all sessions, by the setting `capture`"] if settings.capture == "off" else []
    found += ["all sessions"] if off.everything else []
    found += [off.problem] if off.problem else []
    return (*found, *(f"{kind} {name}" for kind in KINDS for name in getattr(off, kind)))


def switch(kind: str | None, name: str, *, is_on: bool) -> Switches:
    """Switch one project, path or session on or off, or everything with `kind=None`. Returns what is off now.

    Switching everything on begins a damaged file again. Raises `InvalidInput`, `OSError`.
    """
    off = read_switches()
    if off.problem and not (is_on and kind is None):
        raise InvalidInput(f"{off.problem}; `jotsam agents capture on` begins it again with nothing switched off")
    if kind is None:
        off = off.replace(everything=not is_on, problem=None)
    else:
        value = _real(name) if kind == "path" else name.strip()
        if not value or "\0" in value:
            raise InvalidInput(f"invalid {kind} {name!r}: must not be empty")
        project_names = [other for other in getattr(off, kind) if other != value]
        off = off.replace(**{kind: tuple(project_names if is_on else [*project_names, value])})
    _write(off)
    return off


def _write(off: Switches) -> None:
    import json

    path = file_path()
    part = f"{path}.{new_id()[:8]}.part"
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    fields = off.as_dict()
    del fields["problem"]
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(fields, file)
        file.flush()
        os.fsync(file.fileno())
    files.replace(part, path)


def _real(path: str) -> str:
    try:
        return os.path.normcase(real(os.path.expanduser(path)))
    except (OSError, ValueError):  # It holds a NUL, or too many links.
        return path


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise TypeError("must be a list of strings")
    return tuple(value)


class SessionProjects:
    """The project of a session, by the folder in which it ran, as a hook determines it."""

    def __init__(self, settings: Settings, project: str | None) -> None:
        self._default = project or settings.project or None
        self._is_fixed = project is not None
        self._settings = settings
        self._by_folder: dict[str, tuple[Settings, str | None]] = {}
        self._off = read_switches()

    def of(self, folder: str | None) -> str | None:
        if self._is_fixed or folder is None:
            return self._default
        return self._found(folder)[0].project or None

    def why_off(self, folder: str | None, session: str) -> str | None:
        """Why turns are not imported: capture is off for their project, folder or session."""
        settings, project_file = self._found(folder) if folder else (self._settings, None)
        if project_file:
            return f"capture is off by {project_file}"
        names = project_names(settings) if not self._is_fixed else (self._default or "",)
        return self._off.reason(projects=names, folder=folder, session=session)

    def _found(self, folder: str) -> tuple[Settings, str | None]:
        """The settings of a folder, and the file of that project which switches capture off."""
        if folder not in self._by_folder:
            settings, origins = load_settings(folder=folder, strict=False)
            is_off = settings.capture == "off" and os.path.basename(origins["capture"]) == PROJECT_FILE
            self._by_folder[folder] = settings, origins["capture"] if is_off else None
        return self._by_folder[folder]
