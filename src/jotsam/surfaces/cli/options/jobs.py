"""Options of the commands about queue and worker: `status`, `jobs`, `pause`, `resume`, `work`, `wait`, `hook`."""

from __future__ import annotations

import argparse

from jotsam.core.names import EVERY_QUEUE, STATES
from jotsam.surfaces.cli.arguments import (
    LIMIT,
    Command,
    add_command,
    add_limit,
    add_log_format,
    add_timeout,
    age_ms,
    positive_int,
    seconds,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands, Parser

NO_DEFAULT = argparse.SUPPRESS  # For options of `jobs` and of its subcommands: a default would reset the earlier value.


def _status(status: Parser) -> None:
    about = "exit with 3 unless the level is ok, as for dead jobs or a paused queue"
    way = status.add_mutually_exclusive_group()
    way.add_argument("--check", action="store_true", help=about)
    about = "show it again and again, until Ctrl-C; in a pipe a line for each change, with --json an object"
    watch = way.add_argument("--watch", dest="module", action="store_const", const="watch_status", help=about)
    watch.default = argparse.SUPPRESS  # otherwise it would replace the module of `status`
    about = "with --watch: time between two looks (default: %(default)s)"
    status.add_argument("--interval", type=seconds, default=2.0, metavar="SECONDS", help=about)


def _jobs(jobs: Parser) -> None:
    jobs.set_defaults(state=None, kind=None, error=None, older_than=None, stuck=False, after=0, limit=LIMIT)
    jobs.set_defaults(all_tenants=False)
    _add_job_filters(jobs)
    verbs = jobs.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list unfinished jobs, oldest first"
    _add_job_filters(
        add_command(
            verbs,
            Command(
                name="list",
                run="jobs:list_jobs",
                help=about,
                read_only=True,
                examples=("jotsam jobs list --state waiting --older-than 10m",),
            ),
        )
    )
    show = add_command(
        verbs,
        Command(
            name="show", run="show:run", help="show a job with all of its attempts", examples=("jotsam jobs show 7",)
        ),
    )
    show.add_argument("id", metavar="ID", help="job number")
    about = "group failed and dead jobs by error"
    groups = add_command(
        verbs, Command(name="groups", run="jobs:groups", help=about, read_only=True, examples=("jotsam jobs groups",))
    )
    _add_common_filters(groups, "groups")
    chosen = ("ids", "state", "error", "group", "kind", "yes")
    about = "retry dead jobs, or run waiting ones now"
    examples: tuple[str, ...] = ("jotsam jobs retry 7", "jotsam jobs retry --error timeout --yes")
    _add_change(verbs, Command(name="retry", run="jobs:change", help=about, examples=examples, queueable=chosen))
    about, examples = "delete jobs permanently", ("jotsam jobs discard 7",)
    _add_change(verbs, Command(name="discard", run="jobs:change", help=about, examples=examples, queueable=chosen))


def _add_job_filters(parser: Parser) -> None:
    parser.add_argument("--state", choices=STATES, default=NO_DEFAULT, help="only jobs in this state")
    parser.add_argument("--error", metavar="TEXT", default=NO_DEFAULT, help="only jobs whose error contains this text")
    about = "only jobs created longer ago than this, for example 10m (units: s, m, h, d)"
    parser.add_argument("--older-than", type=age_ms, metavar="AGE", default=NO_DEFAULT, help=about)
    about = "only jobs that should have made progress, with the reason"
    parser.add_argument("--stuck", action="store_true", default=NO_DEFAULT, help=about)
    about = "continue a listing after this job number"
    parser.add_argument("--after", type=positive_int, metavar="ID", default=NO_DEFAULT, help=about)
    _add_common_filters(parser, "jobs")


def _add_common_filters(parser: Parser, what: str) -> None:
    parser.add_argument("--kind", default=NO_DEFAULT, help="only jobs of this kind, for example ingest or enrich")
    add_limit(parser, what, default=NO_DEFAULT)
    parser.add_argument("--all-tenants", action="store_true", default=NO_DEFAULT, help="include jobs of all tenants")


def _add_change(verbs: Commands, command: Command) -> None:
    verb = add_command(verbs, command)
    verb.set_defaults(verb=command.name)
    verb.add_argument("ids", nargs="*", metavar="ID", help="job numbers, or `all` for all dead jobs")
    verb.add_argument("--error", metavar="TEXT", default=NO_DEFAULT, help="dead jobs whose error contains this text")
    verb.add_argument("--group", metavar="KEY", help="dead jobs of this group (see `jotsam jobs groups`)")
    about = "with `all`, --error or --group: only jobs of this kind"
    verb.add_argument("--kind", default=NO_DEFAULT, help=about)
    verb.add_argument("--dry-run", action="store_true", help="show what would be changed, change nothing")
    verb.add_argument("--yes", action="store_true", help="confirm `all`, --error or --group")


def _pause(pause: Parser) -> None:
    _resume(pause)
    pause.add_argument("--reason", metavar="TEXT", help="reason, shown by `status` and `doctor`")


def _resume(resume: Parser) -> None:
    resume.add_argument("queue", choices=EVERY_QUEUE, metavar="QUEUE", help=", ".join(EVERY_QUEUE))


def _work(work: Parser) -> None:
    work.add_argument("--forever", action="store_true", help="keep running and wait for new jobs")
    about = "number of jobs to process at once (default: the setting `concurrency`)"
    work.add_argument("--concurrency", type=positive_int, metavar="NUMBER", help=about)
    add_log_format(work)
    work.add_argument("--reserved", metavar="TOKEN", help=argparse.SUPPRESS)
    work.add_argument("--beside-server", action="store_true", help=argparse.SUPPRESS)


def _wait(wait: Parser) -> None:
    wait.add_argument("ids", nargs="*", metavar="ID", help="documents and memories")
    add_timeout(wait, "how long to wait")


def _capture(capture: Parser) -> None:
    about = "off, on or status (default); without an option, of all sessions"
    capture.add_argument("state", nargs="?", choices=("off", "on", "status"), default="status", help=about)
    one = capture.add_mutually_exclusive_group()
    one.add_argument("--project", metavar="NAME", help="of the sessions in this project")
    one.add_argument("--path", metavar="DIR", help="of the sessions in this directory, or below it")
    one.add_argument("--session", metavar="ID", help="of this session")


def _hook(hook: Parser) -> None:
    # Here for its help only: `start` handles `hook` before a parser could reject its arguments.
    about = "UserPromptSubmit or Stop; the event itself is read as JSON from standard input"
    hook.add_argument("event", metavar="EVENT", help=about)
    hook.add_argument("--harness", metavar="NAME", help="name of the calling agent (default: claude-code)")
    about = "project of the turn (default: name of the git repository of the session)"
    hook.add_argument("--project", metavar="NAME", help=about)


COMMANDS = (
    Command(
        name="status",
        run="status:run",
        help="show the state of the queue, the worker and the memory",
        read_only=True,
        examples=("jotsam status", "jotsam status --check", "jotsam status --watch"),
        options=_status,
    ),
    Command(
        name="jobs",
        run="jobs:list_jobs",
        help="list, inspect, retry and discard unfinished jobs",
        read_only=True,
        examples=("jotsam jobs --state dead", "jotsam jobs --stuck"),
        options=_jobs,
    ),
    Command(
        name="pause",
        run="pause:pause",
        help="stop workers from taking jobs from a queue",
        examples=("jotsam pause enrich --reason 'the model is down'",),
        options=_pause,
    ),
    Command(
        name="resume",
        run="pause:resume",
        help="resume a paused queue",
        examples=("jotsam resume enrich",),
        options=_resume,
    ),
    Command(
        name="work",
        run="work:work",
        help="process queued jobs in the foreground",
        examples=("jotsam work", "jotsam work --forever --log-format json"),
        options=_work,
    ),
    Command(
        name="wait",
        run="work:wait",
        help="wait until everything is processed; or the given documents and memories",
        examples=("jotsam wait --timeout 300",),
        options=_wait,
    ),
    Command(
        name="capture",
        run="capture:run",
        help="switch capture by hooks off or on; or show what is off",
        examples=("jotsam capture off --project secret", "jotsam capture on --project secret"),
        options=_capture,
    ),
    Command(
        name="hook",
        help="store a turn of an agent session; agents call this from their hooks",
        examples=('echo \'{"session_id": "s", "prompt": "Use tabs."}\' | jotsam hook UserPromptSubmit',),
        options=_hook,
    ),
)
