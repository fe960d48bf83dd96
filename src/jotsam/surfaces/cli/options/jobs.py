"""Options of the commands about queue and worker: `status`, `jobs`, `pause`, `resume`, `work`, `wait`, `hook`."""

from __future__ import annotations

import argparse

from jotsam.core.names import EVERY_QUEUE, STATES
from jotsam.surfaces.cli.arguments import (
    LIMIT,
    add_command,
    add_limit,
    add_log_format,
    add_parser,
    add_timeout,
    age_ms,
    positive_int,
    seconds,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands, Parser

NO_DEFAULT = argparse.SUPPRESS  # For options of `jobs` and of its subcommands: a default would reset the earlier value.


def add_commands(commands: Commands) -> None:
    about = "show the state of the queue, the worker and the memory"
    status = add_command(commands, "status", module="status", read_only=True, help=about)
    about = "exit with 3 unless the level is ok, as for dead jobs or a paused queue"
    way = status.add_mutually_exclusive_group()
    way.add_argument("--check", action="store_true", help=about)
    about = "show it again and again, until Ctrl-C; in a pipe a line for each change, with --json an object"
    watch = way.add_argument("--watch", dest="module", action="store_const", const="watch_status", help=about)
    watch.default = argparse.SUPPRESS  # otherwise it would replace the module of `status`
    about = "with --watch: time between two looks (default: %(default)s)"
    status.add_argument("--interval", type=seconds, default=2.0, metavar="SECONDS", help=about)
    _jobs(commands)
    _pause(commands)
    _work(commands)
    _capture(commands)
    _hook(commands)


def _jobs(commands: Commands) -> None:
    about = "list, inspect, retry and discard unfinished jobs"
    jobs = add_command(commands, "jobs", module="jobs", function="list_jobs", read_only=True, help=about)
    jobs.set_defaults(state=None, kind=None, error=None, older_than=None, stuck=False, after=0, limit=LIMIT)
    jobs.set_defaults(all_tenants=False)
    _add_job_filters(jobs)
    verbs = jobs.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list unfinished jobs, oldest first"
    _add_job_filters(add_command(verbs, "list", module="jobs", function="list_jobs", read_only=True, help=about))
    show = add_command(verbs, "show", module="show", help="show a job with all of its attempts")
    show.add_argument("id", metavar="ID", help="job number")
    about = "group failed and dead jobs by error"
    groups = add_command(verbs, "groups", module="jobs", function="groups", read_only=True, help=about)
    _add_common_filters(groups, "groups")
    _add_change(verbs, "retry", "retry dead jobs, or run waiting ones now")
    _add_change(verbs, "discard", "delete jobs permanently")


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


def _add_change(verbs: Commands, name: str, about: str) -> None:
    verb = add_command(verbs, name, module="jobs", function="change", help=about)
    verb.set_defaults(verb=name)
    verb.add_argument("ids", nargs="*", metavar="ID", help="job numbers, or `all` for all dead jobs")
    verb.add_argument("--error", metavar="TEXT", default=NO_DEFAULT, help="dead jobs whose error contains this text")
    verb.add_argument("--group", metavar="KEY", help="dead jobs of this group (see `jotsam jobs groups`)")
    about = "with `all`, --error or --group: only jobs of this kind"
    verb.add_argument("--kind", default=NO_DEFAULT, help=about)
    verb.add_argument("--dry-run", action="store_true", help="show what would be changed, change nothing")
    verb.add_argument("--yes", action="store_true", help="confirm `all`, --error or --group")


def _pause(commands: Commands) -> None:
    queues = ", ".join(EVERY_QUEUE)
    about = "stop workers from taking jobs from a queue"
    pause = add_command(commands, "pause", module="pause", function="pause", help=about)
    pause.add_argument("queue", choices=EVERY_QUEUE, metavar="QUEUE", help=queues)
    pause.add_argument("--reason", metavar="TEXT", help="reason, shown by `status` and `doctor`")
    resume = add_command(commands, "resume", module="pause", function="resume", help="resume a paused queue")
    resume.add_argument("queue", choices=EVERY_QUEUE, metavar="QUEUE", help=queues)


def _work(commands: Commands) -> None:
    about = "process queued jobs in the foreground"
    work = add_command(commands, "work", module="work", function="work", help=about)
    work.add_argument("--forever", action="store_true", help="keep running and wait for new jobs")
    about = "number of jobs to process at once (default: the setting `concurrency`)"
    work.add_argument("--concurrency", type=positive_int, metavar="NUMBER", help=about)
    add_log_format(work)
    work.add_argument("--reserved", metavar="TOKEN", help=argparse.SUPPRESS)
    work.add_argument("--beside-server", action="store_true", help=argparse.SUPPRESS)

    about = "wait until everything is processed; or the given documents and memories"
    wait = add_command(commands, "wait", module="work", function="wait", help=about)
    wait.add_argument("ids", nargs="*", metavar="ID", help="documents and memories")
    add_timeout(wait, "how long to wait")


def _capture(commands: Commands) -> None:
    about = "switch capture by hooks off or on; or show what is off"
    capture = add_command(commands, "capture", module="capture", help=about)
    about = "off, on or status (default); without an option, of all sessions"
    capture.add_argument("state", nargs="?", choices=("off", "on", "status"), default="status", help=about)
    one = capture.add_mutually_exclusive_group()
    one.add_argument("--project", metavar="NAME", help="of the sessions in this project")
    one.add_argument("--path", metavar="DIR", help="of the sessions in this directory, or below it")
    one.add_argument("--session", metavar="ID", help="of this session")


def _hook(commands: Commands) -> None:
    # Here for its help only: `start` handles `hook` before a parser could reject its arguments.
    about = "store a turn of an agent session; agents call this from their hooks"
    hook = add_parser(commands, "hook", help=about)
    about = "UserPromptSubmit or Stop; the event itself is read as JSON from standard input"
    hook.add_argument("event", metavar="EVENT", help=about)
    hook.add_argument("--harness", metavar="NAME", help="name of the calling agent (default: claude-code)")
    about = "project of the turn (default: name of the git repository of the session)"
    hook.add_argument("--project", metavar="NAME", help=about)
