"""Raw events: what the launcher of `jotsam install` kept when the program could not be run.

The launcher is a shell script, so the format is plain. Each event is a file `hooks.spool/<time>-<pid>.event` in the
data folder, with mode 0600. The time is in milliseconds with 14 digits, or in nanoseconds. The file is written under
another name and renamed, so it is complete or absent. Its lines:

1. the arguments of `jotsam`, separated by spaces, such as `hook --harness claude`;
2. the working directory;
3. any number of lines `JOTSAM_NAME=value`: the variables that were set;
4. the rest is the event as the agent sent it, a JSON object.

Nothing in it is redacted. An event belongs to the database that the settings of its folder name.
"""

from __future__ import annotations

import json
import os

from jotsam.agents.agent import agent_of
from jotsam.core import own_files
from jotsam.core.records import Record
from jotsam.ingest import hook_events, hook_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.agents.agent import Event
    from jotsam.core.settings import Settings

MAX_BYTES = 40_000_000
VARIABLE = "JOTSAM_"
BOM = "\ufeff"  # which PowerShell can put in front


class RawEvent(Record):
    """An event that the launcher kept."""

    event: Event | None  # None: there is nothing in it for us
    settings: Settings | None  # None: they cannot be read now


class _Kept(Record):
    arguments: list[str]
    folder: str
    variables: dict[str, str]
    event: str


def read_event(path: str) -> RawEvent:
    """The event in a file. Raises `ValueError` if it is damaged, `OSError` if it cannot be read."""
    kept = _read(path)
    words, options = hook_events.parse_arguments(kept.arguments)
    harness = hook_events.harness_of(options.get("--harness", ""))
    event = _event(kept, harness, name=words[1] if len(words) > 1 else None)
    if event is None:
        return RawEvent(event=None, settings=None)
    event = event.replace(folder=event.folder or kept.folder, said_at=event.said_at or _time(path))
    return RawEvent(event=event, settings=_settings(kept, options, event.folder))


def database_of(path: str) -> str | None:
    """The database that a kept event is for; None if that cannot be known, because the settings cannot be read.

    Raises `ValueError`, `OSError`.
    """
    kept = _read(path)
    settings = _settings(kept, hook_events.parse_arguments(kept.arguments)[1], _folder_in(kept.event) or kept.folder)
    return settings.db if settings else None


def _read(path: str) -> _Kept:
    with own_files.open_to_read(path) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"{path} has more than {MAX_BYTES:,} bytes")
    arguments, _, rest = data.decode("utf-8").partition("\n")
    folder, _, rest = rest.partition("\n")
    variables = {}
    while rest.startswith(VARIABLE):
        line, _, rest = rest.partition("\n")
        name, _, value = line.partition("=")
        variables[name] = value
    return _Kept(arguments=arguments.split(" "), folder=folder, variables=variables, event=rest.removeprefix(BOM))


def _event(kept: _Kept, harness: str, *, name: str | None) -> Event | None:
    if event_in := agent_of(harness).event_in:
        return event_in(kept.event, kept.folder)
    fields = json.loads(kept.event)
    if not isinstance(fields, dict):
        raise ValueError("the event is not a JSON object")  # noqa: TRY004 - the file is wrong, not the program
    return hook_events.event_of(fields, harness=harness, name=name)


def _settings(kept: _Kept, options: dict[str, str], folder: str | None) -> Settings | None:
    """The settings as the hook would have had them; None if the database or the tenant cannot be read."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLE)}
    settings, unknown = hook_log.load_hook_settings(options, folder=folder, environ=environ | kept.variables)
    return None if "db" in unknown or "tenant" in unknown else settings


def _folder_in(event: str) -> str | None:
    """The folder that an event names, which comes before the working directory of its hook."""
    try:
        fields = json.loads(event)
    except ValueError:
        return None  # such as that of a commit
    return hook_events.folder_of(fields) if isinstance(fields, dict) else None


def _time(path: str) -> int | None:
    """The time in the name of the file, in milliseconds."""
    digits = os.path.basename(path).partition("-")[0].lstrip("0")[:13]
    return int(digits) if len(digits) == 13 and digits.isdigit() else None
