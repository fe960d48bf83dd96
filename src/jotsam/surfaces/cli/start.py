"""Entry point of the `jotsam` program.

Importing takes most of the time of a short command. So `hook`, `mcp`, and `add` and `status` with common options, are
parsed here by a small parser without argparse; everything else goes to the full parser. This is the only place where an
exception becomes the exit code of the process.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Words = list[str]
    Options = dict[str, str]
    Command = Callable[[Words, Options], int | None]

# Options with a value that may precede the command.
LEADING_OPTIONS = ("--db", "--tenant")

# What the small parser accepts after the command: options with a value, and flags.
ADD_OPTIONS = ("--project", "--date", "--key", "--db")
STATUS_OPTIONS = ("--db",)
FLAGS = ("--json", "--no-worker")
MCP_OPTIONS = ("--db", "--tenant", "--project", "--harness", "--profile")
MCP_FLAGS = ("--no-worker",)
MCP_PROFILES = ("jotsam", "automem")

# Commands that end soon: they need no garbage collection, and nothing of the interpreter that cleans up behind them.
SHORT = ("add", "hook", "recall", "status")
WATCH = "--watch"

INTERRUPTED = 130


def run_program() -> int:
    """Run the command line of this process, which ends with it. Returns the exit code of a command that is not short.

    A short one ends here: what the interpreter does at its exit takes as long as `add` takes to store a text.
    """
    arguments = sys.argv[1:]
    is_short = _command_name(arguments) in SHORT and WATCH not in arguments
    if is_short:
        gc.disable()
    _open_closed_streams()
    code = main()
    if is_short:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                pass  # Nobody reads it any more, and a hook must end with 0.
        os._exit(code)
    return code


def _open_closed_streams() -> None:
    """Those that were closed before the program started, of which Python makes no object."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - until the process ends


def main() -> int:
    """Run the command line of this process. Returns the exit code."""
    arguments = sys.argv[1:]
    name = _command_name(arguments)
    if name == "agents" and arguments[1:2] in (["hook"], ["mcp"]):
        name, arguments = arguments[1], arguments[1:]
    if name == "hook":
        return _hook(arguments)
    if name == "mcp":
        return _mcp(arguments)
    if is_in_a_hook(os.environ):
        from jotsam.surfaces.hooks.hook_mode import run_in_hook

        return run_in_hook(name, arguments, _exit_code)
    return _exit_code(arguments)


def is_in_a_hook(environ: Mapping[str, str]) -> bool:
    """Whether this process was started by a hook of an agent, where output has no reader.

    `JOTSAM_ASYNC` (1 or 0) decides if it is set, else the variables that agents set for their hooks. A standard input
    that is not a terminal does not count: scripts and CI have none either, and they need output and exit codes.
    """
    override = environ.get("JOTSAM_ASYNC")
    if override in ("0", "1"):
        return override == "1"
    agent = environ.get("AI_AGENT", "")
    return agent.endswith("_harness") or ("CLAUDE_PROJECT_DIR" in environ and not agent.endswith("_agent"))


def _exit_code(arguments: list[str]) -> int:
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        return _discard_output()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        return _report(error, arguments)
    return code


def _command_name(arguments: list[str]) -> str | None:
    """The first argument that is neither an option nor the value of one."""
    rest = iter(arguments)
    for argument in rest:
        if argument in LEADING_OPTIONS:
            next(rest, None)
        elif not argument.startswith("-"):
            return argument
    return None


def _hook(arguments: list[str]) -> int:
    """Run `jotsam hook`. Errors are swallowed: output, or an exit code other than 0, would disturb the agent."""
    try:
        from jotsam.surfaces.hooks.hook import hook

        hook(arguments)
    except BaseException:
        pass
    return 0


def _mcp(arguments: list[str]) -> int:
    """Run `jotsam mcp`, also inside a hook: an agent starts its servers with the variables of one."""
    parsed = parse_small(arguments, valued=MCP_OPTIONS, flags=MCP_FLAGS)
    if parsed is None or parsed[0] != ["mcp"] or parsed[1].get("--profile", "jotsam") not in MCP_PROFILES:
        return _exit_code(arguments)  # The full parser explains what is wrong.
    from jotsam.surfaces.mcp.serve import serve

    try:
        return serve(parsed[1])
    except OSError as error:  # Standard input or output is closed.
        return _report(error, ())


def _run(arguments: list[str]) -> int:
    from jotsam.core.platform import pipes

    if hasattr(sys.stdout, "reconfigure"):
        # "?" for a character that the terminal cannot encode. Programs, such as agents, read UTF-8 on every system.
        encoding = None if sys.stdout.isatty() or "PYTHONIOENCODING" in os.environ else pipes.ENCODING
        sys.stdout.reconfigure(encoding=encoding, errors="replace")
    code = None
    name, *rest = _command_first(arguments) or [""]
    if name == "add":
        code = _run_small(rest, _add, valued=ADD_OPTIONS)
    elif name == "status":
        code = _run_small(rest, _status, valued=STATUS_OPTIONS)
    if code is None:
        from jotsam.surfaces.cli.dispatch import run_line

        return run_line(arguments)
    return code


def _command_first(arguments: list[str]) -> list[str]:
    """`--db FILE add ...` as `add --db FILE ...`, which means the same. Other arguments are unchanged."""
    name, equals, _ = arguments[0].partition("=") if arguments else ("", "", "")
    end = 1 if equals else 2
    return [*arguments[end : end + 1], *arguments[:end], *arguments[end + 1 :]] if name == "--db" else arguments


def _run_small(arguments: list[str], command: Command, *, valued: tuple[str, ...]) -> int | None:
    parsed = parse_small(arguments, valued=valued, flags=FLAGS)
    return command(*parsed) if parsed else None


def parse_small(
    arguments: list[str], *, valued: tuple[str, ...], flags: tuple[str, ...]
) -> tuple[Words, Options] | None:
    """Positional arguments and options, or None if the full parser must decide."""
    words: Words = []
    options: Options = {}
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if argument == "-" or not argument.startswith("-"):
            words.append(argument)
        elif argument in flags:
            options[argument] = ""
        elif name not in valued:
            return None
        else:
            value = value if equals else next(rest, "-")
            if value.startswith("-"):
                return None
            options[name] = value
    return words, options


def _add(words: Words, options: Options) -> int | None:
    if not words or ("--key" in options and len(words) > 1) or any(map(os.path.isdir, words)):
        return None  # The full parser reads folders, and explains what is wrong.
    from jotsam.core.clock import parse_time
    from jotsam.core.errors import InvalidInput
    from jotsam.core.settings import load_settings
    from jotsam.surfaces.cli.remember.add import add

    try:
        date = parse_time(options["--date"], name="date") if "--date" in options else None
    except InvalidInput:
        return None
    settings, _ = load_settings({"db": options.get("--db"), "worker": "off" if "--no-worker" in options else None})
    project, key = options.get("--project"), options.get("--key")
    return add(settings, words, project=project, date=date, key=key, as_json="--json" in options)


def _status(words: Words, options: Options) -> int | None:
    if words or "--no-worker" in options:
        return None
    from jotsam.core.settings import load_settings
    from jotsam.surfaces.cli.operate.status import status

    settings, _ = load_settings({"db": options.get("--db")})
    if "://" not in settings.db and not os.path.exists(os.path.expanduser(settings.db)):
        return None
    return status(settings, as_json="--json" in options)


def _discard_output() -> int:
    """The reader of our output has closed it. Flushing the rest at exit must not raise again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _report(error: Exception, arguments: Sequence[str]) -> int:
    from jotsam.surfaces.cli.output import printable, report, report_as_json, stderr

    if "--debug" in arguments:
        import traceback

        stderr().write(printable(traceback.format_exc()))
    else:
        report(error)
    if "--json" in arguments:
        report_as_json(error)
    return 1
