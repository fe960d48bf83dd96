"""Installs Jotsam in an agent and removes it: what would change, and the change.

Everything is planned before anything is written, so a file that cannot be edited changes nothing. Who is interrupted
runs the same command again: what is written already is found as it should be.
"""

from __future__ import annotations

import hashlib
import os

from jotsam.admin.agents import installations, launcher
from jotsam.admin.agents.installations import Installation, InstalledFile
from jotsam.agents.agent import agent_named
from jotsam.agents.agent_files import SCRIPT, TEXT, AgentFile
from jotsam.core.clock import new_id, system_clock
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.core.version import VERSION
from jotsam.surfaces.agent_files import edit_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.agents.agent import Agent

# Lines about memory for the instructions of an agent, such as `CLAUDE.md`. They are written only on request, because an
# agent knows the tools without them. They help a model that rarely calls a tool by itself.
LINES = """\
Earlier sessions are in the memory of the MCP server `jotsam`.
Before you decide something that may have been decided before, call its tool `recall` with a question.
When the user demands something for good, decides something or leaves a task for later, call `remember` with the type
Rule, Decision or Task and one sentence that can be understood alone."""


class Change(Record):
    """What happens to one file. None for a file that does not exist."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def verb(self) -> str:
        if self.before == self.after:
            return "unchanged"
        return "create" if self.before is None else "delete" if self.after is None else "change"


def plan(name: str, scope: str, folder: str, *, instructions: bool = False) -> tuple[Change, ...]:
    """What `install` would change. `folder` is that of the project, "" for the scope `user`. Raises `InvalidInput`."""
    _refuse_twice(name, scope, folder)
    return tuple(_installing(file) for file in _files(name, scope, folder, instructions))


def install(name: str, scope: str, folder: str, *, instructions: bool = False) -> tuple[Change, ...]:
    """Write the launcher and every file of an agent, with `instructions` also lines for the model.

    Returns what was changed. Raises `InvalidInput`, `OSError`.
    """
    with installations.locked():
        _refuse_twice(name, scope, folder)
        files = _files(name, scope, folder, instructions)
        changes = tuple(_installing(file) for file in files)
        recorded = {one.path: one for one in _recorded(name, scope, folder)}
        launcher.write()
        if len(recorded) == len(files) and all(change.before == change.after for change in changes):
            return changes
        new = tuple(_record(file, change, recorded.get(file.path)) for file, change in zip(files, changes, strict=True))
        # Saved before the files are written: if this is interrupted, `uninstall` knows what was there.
        installations.save(
            Installation(
                agent=name, scope=scope, folder=folder, version=VERSION, installed_at=system_clock(), files=new
            )
        )
        for change in changes:
            if change.before != change.after and change.after is not None:
                edit_file.replace_file(change.path, change.after)
        return changes


def plan_removal(name: str, scope: str, folder: str) -> tuple[Change, ...]:
    """What `uninstall` would change."""
    return tuple(change for change, _ in _removing(name, scope, folder))


def uninstall(name: str, scope: str, folder: str) -> tuple[Change, ...]:
    """Remove our entries, and what we made. A file that only we changed is as it was before."""
    with installations.locked():
        changes = _removing(name, scope, folder)
        for change, record in changes:
            if change.before == change.after:
                continue
            if change.after is None:
                edit_file.delete_file(change.path, record.folders if record else ())
            else:
                edit_file.replace_file(change.path, change.after)
        if not installations.forget((name, scope, folder)):
            launcher.remove()
        return tuple(change for change, _ in changes)


def instructions_of(agent: Agent, files: tuple[AgentFile, ...], folder: str) -> AgentFile | None:
    """The instructions of a project in a folder, or those of the user, beside the settings of the agent.

    None if the agent reads none from a file.
    """
    if not agent.instructions or not (folder or agent.has_user_instructions):
        return None
    settings = next(file.path for file in files if file.syntax != SCRIPT)
    path = os.path.join(folder or os.path.dirname(settings), agent.instructions)
    return AgentFile(path=path, syntax=TEXT, content=LINES)


def _refuse_twice(name: str, scope: str, folder: str) -> None:
    """Refuse an agent for the user and for a project: both hooks would run, and give the context twice."""
    for one in installations.read_installations():
        if one.agent == name and one.scope != scope:
            place = f"the project {one.folder}" if one.folder else "all projects"
            options = " --scope project` there" if one.folder else "`"
            raise InvalidInput(
                f"Jotsam is installed in {name} for {place} already: run `jotsam agents uninstall {name}{options} first"
            )


def _files(name: str, scope: str, folder: str, instructions: bool) -> tuple[AgentFile, ...]:
    """The files of an agent. Its instructions are one of them if they were written before."""
    files = agent_named(name).files(scope, folder, launcher.path())
    more = instructions_of(agent_named(name), files, folder)
    return (*files, more) if more and (instructions or len(_recorded(name, scope, folder)) > len(files)) else files


def _installing(file: AgentFile) -> Change:
    content = edit_file.content_of(file.path)
    return Change(path=file.path, before=content, after=edit_file.with_entries(file, content))


def _removing(name: str, scope: str, folder: str) -> tuple[tuple[Change, InstalledFile | None], ...]:
    records = _recorded(name, scope, folder)
    files = _files(name, scope, folder, instructions=not records)
    # The files that were written may be others than those of today's environment.
    pairs = [
        (file.replace(path=record.path) if record else file, record)
        for file, record in zip(files, records or (None,) * len(files), strict=False)
    ]
    return tuple((_removal(file, record), record) for file, record in pairs)


def _removal(file: AgentFile, record: InstalledFile | None) -> Change:
    content = edit_file.content_of(file.path)
    if content is None:
        return Change(path=file.path, before=None, after=None)
    if record and _checksum(content) == record.after:
        if not record.existed:
            return Change(path=file.path, before=content, after=None)
        if record.before:
            with open(installations.backup_path(record.before), "rb") as backup:
                return Change(path=file.path, before=content, after=backup.read())
    if not edit_file.has_entries(file, content):
        return Change(path=file.path, before=content, after=content)
    left = edit_file.without_entries(file, content)
    if left is not None and record and not record.existed and edit_file.is_empty(file, left):
        left = None
    return Change(path=file.path, before=content, after=left)


def _recorded(name: str, scope: str, folder: str) -> tuple[InstalledFile, ...]:
    return next((one.files for one in installations.read_installations() if one.key == (name, scope, folder)), ())


def _record(file: AgentFile, change: Change, earlier: InstalledFile | None) -> InstalledFile:
    """The record of a file before it is written, with a backup of it."""
    content, after = change.before, _checksum(change.after or b"")
    if earlier and content is not None and _checksum(content) == earlier.after:
        return earlier.replace(after=after)  # It is unchanged since, so the backup is what it should become again.
    if earlier and content == change.after:
        return earlier  # Others changed it, but our entries are there: they are removed one by one.
    if content is None:
        return InstalledFile(
            path=change.path, after=after, existed=False, folders=edit_file.missing_folders(change.path)
        )
    backup = (earlier and earlier.before) or f"{new_id()[:8]}-{os.path.basename(change.path)}"
    installations.keep(backup, content)
    folders = earlier.folders if earlier else ()
    if edit_file.has_entries(file, content):
        existed = earlier is None or earlier.existed
        return InstalledFile(path=change.path, after="", existed=existed, before=backup, folders=folders)
    return InstalledFile(path=change.path, after=after, existed=True, before=backup, folders=folders)


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
