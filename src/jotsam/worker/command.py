"""The job `command`: a command line of our own, sent to be run later, and what it printed.

It knows how a command travels and what its end means. What carries it out is handed in from above, so this room
imports nothing of the surfaces; and it is never a shell, nor any other program.

Commands of a tenant stand in one lane, each a barrier: they run one at a time and in the order they were sent, and
one that waits for its next try lets the others pass. Their effects are commits of their own, so a worker that dies
between such a commit and the acknowledgement lets the command run again.
"""

from __future__ import annotations

import json

from jotsam.core.errors import BuryJob, InvalidInput, LeaseLost, RetryJob
from jotsam.core.job_records import CommandResult, JobSpec, QueuedCommand
from jotsam.core.names import COMMAND
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.job_records import Job
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Database, Transaction

    Run = Callable[[QueuedCommand], CommandResult]

USAGE = 2
"""The exit code of a command that can never succeed, because it is not understood."""

MAX_BYTES = 1 << 20
RESULT_LIFE_MS = 24 * 3_600_000
PRINTED_LIMIT = 16_000
TRAVELS = ("arguments", "folder", "project", "input")


def job_spec(command: QueuedCommand) -> JobSpec:
    """The job that carries a command. Raises `InvalidInput` for one that carries too much."""
    payload = json.dumps({name: getattr(command, name) for name in TRAVELS})
    if len(payload) > MAX_BYTES:
        raise InvalidInput(
            f"the command and its input have {len(payload):,} bytes, and at most {MAX_BYTES:,} can be queued: "
            "run it at once, or name a file"
        )
    return JobSpec(queue=COMMAND, kind=COMMAND, payload=payload, tenant=command.tenant, lane=COMMAND, parallel=False)


def handler(database: Database, run: Run) -> Handler:
    """A handler of `command` jobs; `run` carries one out and never raises."""

    def command(job: Job) -> Callable[[Transaction], None]:
        ordered = _command(job)
        ran = _bounded(run(ordered)).replace(arguments=ordered.arguments)
        if ran.code == 0:
            return lambda tx: _keep(tx, job, ran)
        with database.transaction(durable=False) as tx:
            if not queue.extend(tx, job, lease_ms=job.lease_ms):
                raise LeaseLost(f"job {job.id} was given to somebody else")
            _keep(tx, job, ran)
        message = f"exit code {ran.code}: {_last_words(ran)}"
        raise BuryJob(message) if ran.code == USAGE else RetryJob(message)

    return command


def _command(job: Job) -> QueuedCommand:
    """What a job carries. Raises `BuryJob` if it was not made by `draft`: it comes from a queue others can write to."""
    try:
        found = json.loads(job.payload)
        arguments, folder, project, said = (found[name] for name in TRAVELS)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BuryJob(f"the payload is not a command: {error!r}") from error
    texts = [*arguments, folder, project] if isinstance(arguments, list) else [None]
    if not all(isinstance(text, str) for text in texts) or not isinstance(said, str | None):
        raise BuryJob("the payload is not a command: it must hold texts")
    return QueuedCommand(
        arguments=tuple(arguments), folder=folder, project=project, input=said, tenant=job.tenant, job_id=job.id
    )


def _keep(tx: Transaction, job: Job, ran: CommandResult) -> None:
    queue.leave_result(tx, job, json=json.dumps(ran.as_dict()), life_ms=RESULT_LIFE_MS)


def _bounded(ran: CommandResult) -> CommandResult:
    """The beginning of what was printed, and the end of what was complained, where the reason stands."""
    # What stood for bytes of a file's name that are no text can be printed, but not kept.
    out, err = (text.encode(errors="replace").decode() for text in (ran.stdout, ran.stderr))
    if len(out) > PRINTED_LIMIT:
        out = f"{out[:PRINTED_LIMIT]}\n[{len(out) - PRINTED_LIMIT:,} more characters]\n"
    if len(err) > PRINTED_LIMIT:
        err = f"[{len(err) - PRINTED_LIMIT:,} more characters]\n{err[-PRINTED_LIMIT:]}"
    return ran.replace(stdout=out, stderr=err)


def _last_words(ran: CommandResult) -> str:
    """The error, rather than the hint that follows it."""
    lines = [line for line in (ran.stderr or ran.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if "error: " in line]
    return (errors or lines or ["it said nothing"])[-1].strip()
