"""What the first session in a folder does for its project: it finds what is stored under an earlier name.

Earlier versions called a project by the name of its folder, and a repository without a remote gets another key when
it is moved or gets one. What certainly is the same repository is joined, which `jotsam db projects split` takes back;
what may be is only said. A hook calls this, so the usual case reads one row.
"""

from __future__ import annotations

import os

from jotsam.core.errors import JotsamError
from jotsam.core.project_identity import identify
from jotsam.pipeline.redaction.redact import may_hold_secrets
from jotsam.storage import queue
from jotsam.storage.memories import projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.job_records import JobSpec
    from jotsam.core.project_identity import ProjectIdentity
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Transaction

MOST = 1_000  # memories or documents that are moved while an agent waits: more are moved by a worker


def begin(database: Database, settings: Settings, folder: str | None = None) -> str:
    """Look once for what the project of a folder was called before. Returns a line about what was found, or "".

    A database that cannot be written now is asked again by the next session.
    """
    found = identify(folder or os.getcwd())
    if not found.git_dir or found.key != settings.project or may_hold_secrets(found.key):
        return ""  # A project that a person named is no repository, and has no earlier name.
    with database.snapshot(tenant=settings.tenant) as tx:
        known = projects.get(tx, found.key)
    if known is not None and known["looked_at"] is not None:
        return ""
    try:
        with database.transaction(tenant=settings.tenant) as tx:
            tx.lock(f"projects {settings.tenant}")
            return _look(tx, found, settings)
    except JotsamError:
        return ""


def _look(tx: Transaction, found: ProjectIdentity, settings: Settings) -> str:
    mark, key = found.mark, found.key
    if (known := projects.get(tx, key)) and known["looked_at"] is not None:
        return ""  # Another session has in the meantime.
    projects.add(tx, key, label=settings.project_label)
    projects.looked(tx, key, mark=mark)
    if known and known["joined_to"]:
        return ""
    lines = [_same_git_dir(tx, found, mark, settings), _old_label(tx, found, settings)]
    return " ".join(line for line in lines if line)


def _same_git_dir(tx: Transaction, found: ProjectIdentity, mark: str, settings: Settings) -> str:
    """The project that this git directory had before it was moved, or had another remote."""
    other = projects.marked(tx, found.key, mark=mark)
    if other is None:
        return ""
    before = other["key"]
    is_gone = before.startswith("/") and not os.path.lexists(os.path.join(before, ".git"))
    if before == found.path_key or is_gone:
        return _moved(tx, before, found.key, settings, what=f"for this repository as {before}")
    command = f"jotsam db projects merge {_quoted(before)} {_quoted(found.key)}"
    return f"This repository was the project {before} before: `{command}` joins the two."


def _old_label(tx: Transaction, found: ProjectIdentity, settings: Settings) -> str:
    """What earlier versions stored under the name of the folder, unless another project has claimed it.

    Only if this working tree existed when the last of it was stored: a clone that was made since, by whatever name, is
    not where it was said.
    """
    name, made = os.path.basename(found.root), found.made_at()
    if not name or name == found.key or projects.get(tx, name) is not None:
        return ""
    row = projects.latest(tx, name)
    times = [at for at in (row["memory_at"], row["document_at"]) if at is not None]
    if not times or made is None or made > max(times):
        return ""
    projects.add(tx, name, label=name)
    return _moved(tx, name, found.key, settings, what=f"for the folder {name}")


def _moved(tx: Transaction, name: str, key: str, settings: Settings, *, what: str) -> str:
    """Join a project to the one of this repository, and say so. Many rows are left to a worker."""
    row = projects.latest(tx, name)
    undo = f"`jotsam db projects split {_quoted(name)}` takes that back."
    if max(row["memories"], row["documents"]) > MOST:
        queue.send(tx, _job(settings, name, key))
        return f"What was stored {what} is being moved to this repository. {undo}"
    projects.join(tx, name, into=key)
    sizes = ", ".join(f"{row[part]:,} {part}" for part in ("memories", "documents") if row[part])
    return f"What was stored {what} belongs to this repository now ({sizes or 'blocks'}). {undo}"


def _quoted(name: str) -> str:
    from shlex import quote  # rarely needed

    return quote(name)


def _job(settings: Settings, name: str, key: str) -> JobSpec:
    """The command that joins the two, for a worker."""
    from jotsam.core.job_records import QueuedCommand
    from jotsam.worker.command import job_spec

    arguments = ["projects", "merge", name, key, "--yes"]
    queued = QueuedCommand(arguments=tuple(arguments), project=settings.project, input=None, tenant=settings.tenant)
    return job_spec(queued)
