"""The full command line: every command, its options and their help, and who carries it out.

This room only reads arguments. A command is a function of the parsed arguments in a room beside this one, loaded when
it is chosen; it returns the exit code.
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from importlib import import_module

from jotsam import __version__
from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.names import EVERY_QUEUE, SESSION_FORMATS, STATES
from jotsam.core.settings import load_settings
from jotsam.surfaces.cli import empty_database, extraction_options
from jotsam.surfaces.cli.output import OK, USAGE, err, out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from _typeshed import SupportsWrite

    Commands = argparse._SubParsersAction["Parser"]

EXIT_CODES = """exit codes:
  0  ok            1  failed          2  wrong usage
  3  degraded (doctor, status --check)
  8  still pending (wait, add --wait)"""

DEFAULTS = {"db": None, "tenant": None, "json": False, "debug": False, "no_worker": False, "later": False}
"""Of the options that may stand everywhere. Set at the outset: a default of a command would undo what came before."""

SHAPES = ("context", "list", "json")
SHELLS = ("bash", "zsh", "fish", "tcsh")
MOST = 1_000_000_000
AGES = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}

WEIGHTS = ("model.safetensors", "model.onnx")

NEVER_QUEUED = ("work", "wait", "doctor", "completion", "allow")
"""Commands that are about this process or its terminal, wait for the worker that would have to run them, or name what
looks like a secret."""

PATHS = ("files", "dir", "file", "paths")
"""Arguments that are read against the folder one stands in."""


class Parser(argparse.ArgumentParser):
    """Complains where the commands do, so that what a worker runs keeps its complaint."""

    def error(self, message: str) -> NoReturn:
        err().write(f"{self.format_usage()}{self.prog}: error: {message}\n")
        raise SystemExit(USAGE)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        (file or out()).write(self.format_help())


def run(arguments: Sequence[str]) -> int:
    """Carry out one command, or queue it. Returns its exit code; wrong usage ends the process with 2."""
    chosen = parsed(arguments)
    if "command" not in chosen:
        if chosen.later:
            parser().error("--async needs a command to queue")
        parser().print_help()
        return OK
    options: dict[str, object] = {name: getattr(chosen, name, None) for name in ("db", "tenant")}
    options["concurrency"] = getattr(chosen, "concurrency", None)
    options["worker"] = "off" if chosen.no_worker else None
    # A worker in the background belongs to no folder, so no file of a project shall speak to it.
    folder = os.sep if getattr(chosen, "reserved", None) else None
    chosen.settings, chosen.origins = load_settings(options, folder=folder)
    if chosen.later:
        from jotsam.surfaces.cli.queued_commands import send

        return send(chosen, arguments)
    return carry_out(chosen)


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """What a command line means. Wrong usage raises `SystemExit`, and so does `--help`."""
    return parser().parse_args(arguments, argparse.Namespace(**DEFAULTS))


def carry_out(chosen: argparse.Namespace) -> int:
    """Call the function of a command whose settings are known."""
    command = getattr(import_module(f"jotsam.surfaces.cli.{chosen.room}"), chosen.command)
    if (chosen.room, chosen.command) in empty_database.READING and empty_database.is_missing(chosen.settings):
        with empty_database.empty(chosen.settings) as chosen.settings:
            return int(command(chosen))
    return int(command(chosen))


def parser() -> Parser:
    """The parser of everything."""
    everywhere = _everywhere()
    whole = Parser(
        prog="jotsam",
        description="Durable background memory for AI agents.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[everywhere],
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="version", version=f"jotsam {__version__}")
    about = "queue the command and return at once; the worker carries it out"
    whole.add_argument("--async", dest="later", action="store_true", default=argparse.SUPPRESS, help=about)
    commands = whole.add_subparsers(title="commands", metavar="COMMAND")
    for add_parsers in (_storing, _asking, _watching, _mending, _working, _setting_up):
        add_parsers(commands, everywhere)
    return whole


def _everywhere() -> Parser:
    """Options that may stand before and after the command; suppressed, so that the later does not undo the earlier."""
    options = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    options.add_argument("--db", metavar="PATH", help="the database: a file, or postgresql://... (also JOTSAM_DB)")
    options.add_argument("--tenant", metavar="NAME", help="whose memory (also JOTSAM_TENANT)")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    options.add_argument("--debug", action="store_true", help="on an error, show where it happened")
    options.add_argument("--no-worker", action="store_true", help="start no worker in the background")
    return options


def _command(commands: Commands, everywhere: Parser, name: str, *, room: str, help: str, command: str = "") -> Parser:
    new = commands.add_parser(name, help=help, description=help, parents=[everywhere], allow_abbrev=False)
    new.set_defaults(room=room, command=command or name, usage_error=new.error, never_queued=name in NEVER_QUEUED)
    return new


def _storing(commands: Commands, everywhere: Parser) -> None:
    add = _command(commands, everywhere, "add", room="add", command="command", help="accept files as documents")
    add.add_argument("files", nargs="*", metavar="FILE", help="a text file, or - for standard input")
    add.add_argument("--dir", metavar="DIR", help="also every matching file below this folder, hidden ones left out")
    add.add_argument("--glob", action="append", metavar="PATTERN", help="with --dir: what matches (default *.md)")
    add.add_argument("--project", help="label of what is added (default: the git repository of each file)")
    add.add_argument("--date", type=_date, help="when it was written (default: when the file was last changed)")
    add.add_argument("--key", help="for one file: the same key again returns the first receipt")
    add.add_argument("--force", action="store_true", help="also files whose names say that they hold secrets")
    add.add_argument("--wait", action="store_true", help="return when everything is enriched")
    _add_timeout(add)

    about = "take in the session files of agents, each turn once"
    take = _command(commands, everywhere, "import", room="import_sessions", command="command", help=about)
    take.add_argument("paths", nargs="+", metavar="FILE", help="a session file, or a folder: every *.jsonl below it")
    take.add_argument("--format", choices=SESSION_FORMATS, help="of all files (default: what their lines look like)")
    take.add_argument("--project", help="label of the turns (default: the git repository they were said in)")
    take.add_argument("--session", metavar="NAME", help="of turns whose lines name none")
    take.add_argument("--dry-run", action="store_true", help="only say what would be imported")

    remember = _command(commands, everywhere, "remember", room="remember", help="accept one memory whole")
    remember.add_argument("text", metavar="TEXT", help="what to remember, or - for standard input")
    remember.add_argument("--type", help="for example decision, preference, fact")
    remember.add_argument("--tag", action="append", default=[], metavar="TAG", help="may be given several times")
    remember.add_argument("--importance", type=float, metavar="NUMBER", help="0 to 1")
    remember.add_argument("--confidence", type=float, metavar="NUMBER", help="0 to 1")
    remember.add_argument("--actor", help="who said it")
    remember.add_argument("--session", help="the conversation it was said in")
    remember.add_argument("--date", type=_date, help="when it was said")
    remember.add_argument("--valid-from", type=_date, metavar="DATE", help="it is true from then")
    remember.add_argument("--valid-until", type=_date, metavar="DATE", help="it is true until then")
    remember.add_argument("--id", help="your own id for it")
    remember.add_argument("--metadata", type=_object, metavar="JSON", help="an object of your own")
    remember.add_argument("--project", help="label of the memory")
    remember.add_argument("--key", help="the same key again returns the first receipt")


def _asking(commands: Commands, everywhere: Parser) -> None:
    recall = _command(commands, everywhere, "recall", room="recall", help="ask what is known, and how sure that is")
    recall.add_argument("question", nargs="*", metavar="QUESTION", help="in plain words; none: the newest")
    about = "budget of the hits with the lines above them; the fence and the last line come on top, about 50"
    recall.add_argument("--tokens", type=int, metavar="NUMBER", help=about)
    recall.add_argument("--limit", type=int, default=50, metavar="NUMBER", help="hits at most (default %(default)s)")
    recall.add_argument("--project", help="only from this project; empty: from all, one's own first")
    recall.add_argument("--session", help="only what was said in this conversation; empty: in any")
    recall.add_argument(
        "--type", action="append", default=[], metavar="TYPE", help="only of one of these types, in any case"
    )
    recall.add_argument(
        "--tag", action="append", default=[], metavar="TAG", help="only with one of these tags, in any case"
    )
    recall.add_argument("--every-tag", action="store_true", help="only with all of these tags")
    recall.add_argument("--tag-prefix", action="store_true", help="a tag stands for all that begin like it")
    recall.add_argument("--without", action="append", default=[], metavar="TAG", help="nothing with one of these tags")
    about = "only memories whose metadata have this value"
    recall.add_argument("--metadata", action="append", type=_pair, metavar="KEY=VALUE", help=about)
    recall.add_argument("--when", metavar="TIME", help="only what was said then or tells of then: 'last week'")
    recall.add_argument("--since", type=_date, metavar="DATE", help="only what was said, or tells of, then or later")
    recall.add_argument("--until", type=_date, metavar="DATE", help="only what was said, or tells of, before")
    recall.add_argument("--as-of", type=_date, metavar="DATE", help="what held, and was known, at that time")
    recall.add_argument("--history", action="store_true", help="also what is superseded, or does not hold now")
    recall.add_argument("--min-score", type=float, default=0.0, metavar="NUMBER", help="nothing that scores less")
    about = "also what these join to the best: entities, relations"
    recall.add_argument("--expand", action="append", default=[], metavar="WHAT", help=about)
    about = "so many at most that --expand brings (default %(default)s)"
    recall.add_argument("--expand-limit", type=int, default=25, metavar="NUMBER", help=about)
    about = "of relations only those this strong, 0 to 1 (default %(default)s)"
    recall.add_argument("--min-weight", type=float, default=0.5, metavar="NUMBER", help=about)
    about = "of what --expand brings only what is this important, 0 to 1"
    recall.add_argument("--min-importance", type=float, default=0.0, metavar="NUMBER", help=about)
    recall.add_argument("--pin", action="append", default=[], metavar="ID", help="this in any case")
    recall.add_argument("--as", dest="shape", choices=SHAPES, default="context", help="how to print it")
    recall.add_argument("--why", action="store_true", help="say of each hit what speaks for it")

    supersede = _command(commands, everywhere, "supersede", room="recall", help="let a newer text hold for an older")
    supersede.add_argument("old", metavar="OLD", help="the id of a memory, document or fact that holds no more")
    supersede.add_argument("new", metavar="NEW", nargs="?", help="the id of the one that holds in its place")
    supersede.add_argument("--undo", action="store_true", help="let both hold again; a fact needs no NEW")

    def nested(verbs: Commands, name: str, **about: str) -> Parser:
        return _command(verbs, everywhere, name, **about)

    extraction_options.asking(partial(_command, commands, everywhere), nested, _count)
    show = _command(commands, everywhere, "show", room="recall", help="what became of a document, memory or job")
    show.add_argument("id", metavar="ID", help="a UUID or its beginning, or the number of a job")


def _watching(commands: Commands, everywhere: Parser) -> None:
    status = _command(commands, everywhere, "status", room="status", command="command", help="what waits and runs")
    status.add_argument("--check", action="store_true", help="exit with 3 when the queue is too full or jobs are dead")


def _mending(commands: Commands, everywhere: Parser) -> None:
    jobs = _command(commands, everywhere, "jobs", room="jobs", command="listed", help="jobs that are not done")
    jobs.set_defaults(state=None, kind=None, error=None, older=None, stuck=False, after=0, limit=50, all_tenants=False)
    _add_filters(jobs)
    verbs = jobs.add_subparsers(title="what to do (default: list)", metavar="VERB")
    _add_filters(_command(verbs, everywhere, "list", room="jobs", command="listed", help="list them"))
    show = _command(verbs, everywhere, "show", room="jobs", help="one job with each of its tries")
    show.add_argument("id", metavar="ID")
    _add_few_filters(_command(verbs, everywhere, "groups", room="jobs", help="dead and failed jobs by their error"))
    for name, help in (("retry", "revive dead jobs, or wake waiting ones"), ("discard", "remove jobs for good")):
        verb = _command(verbs, everywhere, name, room="jobs", command="change", help=help)
        verb.set_defaults(verb=name)
        verb.add_argument("ids", nargs="*", metavar="ID", help="numbers of jobs, or `all` for all dead ones")
        verb.add_argument("--error", metavar="TEXT", default=argparse.SUPPRESS, help="dead jobs whose error has this")
        verb.add_argument("--group", metavar="KEY", help="the dead jobs of a group, see `jotsam jobs groups`")
        verb.add_argument("--kind", default=argparse.SUPPRESS, help="of `all`, --error or --group only this kind")
        verb.add_argument("--dry-run", action="store_true", help="show what would happen, and change nothing")
        verb.add_argument("--yes", action="store_true", help="needed for `all`, --error and --group")

    extraction_options.mending(partial(_command, commands, everywhere), _count)

    pause = _command(commands, everywhere, "pause", room="pause", help="let no worker take jobs from a queue")
    pause.add_argument("queue", choices=EVERY_QUEUE, metavar="QUEUE", help=", ".join(EVERY_QUEUE))
    pause.add_argument("--reason", metavar="TEXT", help="what `status` and `doctor` say about it")
    resume = _command(commands, everywhere, "resume", room="pause", help="end the pause of a queue")
    resume.add_argument("queue", choices=EVERY_QUEUE, metavar="QUEUE", help=", ".join(EVERY_QUEUE))


def _working(commands: Commands, everywhere: Parser) -> None:
    work = _command(commands, everywhere, "work", room="work", help="do what waits, here and now")
    work.add_argument("--forever", action="store_true", help="stay and wait for more")
    work.add_argument("--concurrency", type=_count, metavar="NUMBER", help="jobs at once (default: the setting)")
    work.add_argument("--reserved", metavar="TOKEN", help=argparse.SUPPRESS)

    wait = _command(commands, everywhere, "wait", room="work", help="wait until everything, or what is named, is done")
    wait.add_argument("ids", nargs="*", metavar="ID", help="documents and memories")
    _add_timeout(wait)

    # Listed for its help alone: `start` sees to it that a hook never meets a parser that can refuse it.
    hook = commands.add_parser("hook", help="keep a turn of an agent's session", parents=[everywhere])
    hook.add_argument("event", metavar="EVENT", help="UserPromptSubmit or Stop; the event itself is read as JSON")
    hook.add_argument("--harness", metavar="NAME", help="the program that calls (default claude-code)")
    hook.add_argument("--project", help="label of the turn (default: the git repository it was said in)")


def _setting_up(commands: Commands, everywhere: Parser) -> None:
    doctor = _command(
        commands, everywhere, "doctor", room="doctor", command="command", help="check everything, and prove it"
    )
    about = "make a damaged index of words anew out of the texts"
    doctor.add_argument("--repair", action="store_true", help=about)
    migrate = _command(
        commands, everywhere, "migrate", room="migrate", command="command", help="bring the schema up to date"
    )
    migrate.add_argument("--dry-run", action="store_true", help="only print the SQL")
    about = "move everything, of all tenants, into another database: a file, or postgresql://..."
    migrate.add_argument("--to", metavar="URL", help=about)
    embedder = _command(commands, everywhere, "embedder", room="embedder", command="show", help="what makes vectors")
    verbs = embedder.add_subparsers(title="what to do (default: show)", metavar="VERB")
    _command(verbs, everywhere, "show", room="embedder", help="which model is chosen, and how far it has come")
    fetch = _command(verbs, everywhere, "fetch", room="embedder", help="copy a model, once, to where it is found")
    fetch.add_argument("source", metavar="SOURCE", help="a folder with a model, or the address of its files")
    fetch.add_argument("--name", help="by which embed_model chooses it (default: the last part of SOURCE)")
    fetch.add_argument("--sha256", metavar="HEX", help="what the weights must have; an address needs it")
    about = "the file of the weights (default %(default)s)"
    fetch.add_argument("--weights", choices=WEIGHTS, default=WEIGHTS[0], help=about)
    about = "embed what has no vector of the chosen model"
    refresh = _command(verbs, everywhere, "refresh", room="embedder", help=about)
    refresh.add_argument("--forced", action="store_true", help="also what has one")
    refresh.add_argument("--dry-run", action="store_true", help="show how much that is, and change nothing")
    config = _command(commands, everywhere, "config", room="config", command="show", help="the settings in force")
    config.set_defaults(origin=False)
    config.add_argument("--origin", action="store_true", default=argparse.SUPPRESS, help="and where each comes from")
    verbs = config.add_subparsers(title="what to do (default: show)", metavar="VERB")
    show = _command(verbs, everywhere, "show", room="config", help="print them")
    show.add_argument("--origin", action="store_true", default=argparse.SUPPRESS, help="and where each comes from")
    completion = _command(commands, everywhere, "completion", room="config", help="print a completion script")
    completion.add_argument("shell", choices=SHELLS)


def _add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--state", choices=STATES, default=argparse.SUPPRESS, help="only these")
    parser.add_argument("--error", metavar="TEXT", default=argparse.SUPPRESS, help="only those whose error has this")
    about = "only those sent longer ago, for example 10m (s, m, h, d)"
    parser.add_argument("--older", type=_age, metavar="AGE", default=argparse.SUPPRESS, help=about)
    about = "only those that should have moved on by now, and why"
    parser.add_argument("--stuck", action="store_true", default=argparse.SUPPRESS, help=about)
    parser.add_argument("--after", type=_count, metavar="ID", default=argparse.SUPPRESS, help="go on after this job")
    _add_few_filters(parser)


def _add_few_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kind", default=argparse.SUPPRESS, help="only these, for example ingest or enrich")
    parser.add_argument(
        "--limit", type=_count, metavar="NUMBER", default=argparse.SUPPRESS, help="at most so many (50)"
    )
    about = "of every tenant, and not of one"
    parser.add_argument("--all-tenants", action="store_true", default=argparse.SUPPRESS, help=about)


def _add_timeout(parser: argparse.ArgumentParser) -> None:
    about = "of waiting (default %(default)s)"
    parser.add_argument("--timeout", type=_seconds, default=60, metavar="SECONDS", help=about)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 0 < int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {MOST:,}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= MOST / 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: give seconds, from 0 to {MOST // 1000:,}")
    return seconds


def _age(text: str) -> int:
    number, unit = text[:-1], AGES.get(text[-1:])
    if unit is None or not (number.isascii() and number.isdigit()) or len(number) > len(str(MOST)):
        raise argparse.ArgumentTypeError(f"{text!r} is no age: give a whole number and s, m, h or d, for example 10m")
    return int(number) * unit


def _date(text: str) -> int:
    try:
        return parse_time(text, name="date")
    except InvalidInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is no KEY=VALUE")
    return key, value


def _object(text: str) -> dict[str, Any]:
    from msgspec import DecodeError, json

    try:
        return json.decode(text, type=dict[str, object])
    except DecodeError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a JSON object: {error}") from error
