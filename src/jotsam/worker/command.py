"""The job `command`: runs a queued `jotsam` command line (`--async`) and stores its output.

The function that runs it is passed in, so this module imports no surface. It never runs a shell or another program.

The commands of a tenant share a lane and are barriers: they run one at a time in the order sent, but a command in
backoff lets the others pass. A command commits its own effects, so it runs again if the worker dies between such a
commit and the acknowledgement.

A payload is the command line and the texts that it stores, never a path: anyone who can write to the queue could make
a worker read its files. What may run is decided by the function that runs it, not by the sender.
"""

from __future__ import annotations

import json

from jotsam.core.errors import BuryJob, InvalidInput, LeaseLost, RetryJob
from jotsam.core.job_records import MAX_COMMAND_BYTES, CommandResult, JobSpec, QueuedCommand
from jotsam.core.names import COMMAND
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.job_records import Job
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Database, Transaction

    Run = Callable[[QueuedCommand], CommandResult]

RESULT_RETENTION_MS = 24 * 3_600_000
MAX_OUTPUT_CHARACTERS = 16_000
PAYLOAD_FIELDS = ("arguments", "project", "input", "documents", "turns")


def job_spec(command: QueuedCommand) -> JobSpec:
    """The job for a command. Raises `InvalidInput` if the command and its texts are too large."""
    payload = json.dumps({name: getattr(command, name) for name in PAYLOAD_FIELDS})
    if len(payload) > MAX_COMMAND_BYTES:
        raise InvalidInput(
            f"the command and its texts have {len(payload):,} bytes, at most {MAX_COMMAND_BYTES:,} can be queued: "
            "run it without --async"
        )
    return JobSpec(queue=COMMAND, kind=COMMAND, payload=payload, tenant=command.tenant, lane=COMMAND, parallel=False)


def handler(database: Database, run: Run) -> Handler:
    """A handler of `command` jobs. `run` executes a command and never raises."""

    def command(job: Job) -> Callable[[Transaction], None]:
        queued = _parse(job)
        result = _truncated(run(queued)).replace(arguments=queued.arguments)
        if result.code == 0:
            return lambda tx: _save_result(tx, job, result)
        with database.transaction(durable=False) as tx:
            if not queue.extend(tx, job, lease_ms=job.lease_ms):
                raise LeaseLost(f"job {job.id}: the lease was lost to another delivery")
            _save_result(tx, job, result)
        message = f"exit code {result.code}: {_error_line(result)}"
        raise RetryJob(message) if result.retry else BuryJob(message)

    return command


def _parse(job: Job) -> QueuedCommand:
    """The command of a job. Raises `BuryJob` for an invalid payload: other programs can write to the queue."""
    try:
        found = json.loads(job.payload)
        arguments, project, input, documents, turns = (found[name] for name in PAYLOAD_FIELDS)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BuryJob(f"invalid command payload: {error!r}") from error
    texts = [*arguments, project] if isinstance(arguments, list) else [None]
    if not all(isinstance(text, str) for text in texts) or not isinstance(input, str | None):
        raise BuryJob("invalid command payload: must contain strings")
    for carried in (documents, turns):
        if not isinstance(carried, list) or not all(isinstance(one, dict) for one in carried):
            raise BuryJob("invalid command payload: documents and turns must be lists of objects")
    return QueuedCommand(
        arguments=tuple(arguments),
        project=project,
        input=input,
        documents=tuple(documents),
        turns=tuple(turns),
        tenant=job.tenant,
        job_id=job.id,
    )


def _save_result(tx: Transaction, job: Job, result: CommandResult) -> None:
    queue.save_result(tx, job, json=json.dumps(result.as_dict()), life_ms=RESULT_RETENTION_MS)


def _truncated(result: CommandResult) -> CommandResult:
    """A result with the beginning of stdout and the end of stderr, where the error is."""
    # Surrogate escapes of undecodable file names can be printed but not stored.
    out, err = (text.encode(errors="replace").decode() for text in (result.stdout, result.stderr))
    if len(out) > MAX_OUTPUT_CHARACTERS:
        out = f"{out[:MAX_OUTPUT_CHARACTERS]}\n[{len(out) - MAX_OUTPUT_CHARACTERS:,} more characters]\n"
    if len(err) > MAX_OUTPUT_CHARACTERS:
        err = f"[{len(err) - MAX_OUTPUT_CHARACTERS:,} more characters]\n{err[-MAX_OUTPUT_CHARACTERS:]}"
    return result.replace(stdout=out, stderr=err)


def _error_line(result: CommandResult) -> str:
    """The last error line, not the hint after it."""
    lines = [line for line in (result.stderr or result.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if "error: " in line]
    return (errors or lines or ["no output"])[-1].strip()
