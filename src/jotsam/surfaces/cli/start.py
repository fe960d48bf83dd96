"""Where the program starts. It looks at the command before it loads anything, for most of a start is loading.

`hook`, and the plain forms of `add` and `status`, take a short way with a parser of a few lines; everything else goes
to the full parser in `cli`. Here, and only here, every error of a process becomes an exit code.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Words = list[str]
    Options = dict[str, str]
    Command = Callable[[Words, Options], int | None]

BEFORE_THE_COMMAND = ("--db", "--tenant")
"""Options that may stand before the command and take a value."""

INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process. Returns the exit code."""
    arguments = sys.argv[1:]
    name = _command(arguments)
    if name == "hook":
        return _hook(arguments)
    if is_in_a_hook(os.environ):
        from jotsam.surfaces.hooks.hook_mode import hooked

        return hooked(name, arguments, _outcome)
    return _outcome(arguments)


def is_in_a_hook(environ: Mapping[str, str]) -> bool:
    """Whether the program that called us runs hooks of an agent, where nobody reads what we print.

    That is what the agent's environment says; `JOTSAM_ASYNC` (1 or 0) says it louder. A standard input that is no
    terminal says nothing, nor does a CI: scripts and builds have neither, and want to see and to fail.
    """
    said = environ.get("JOTSAM_ASYNC")
    if said in ("0", "1"):
        return said == "1"
    agent = environ.get("AI_AGENT", "")
    return agent.endswith("_harness") or ("CLAUDE_PROJECT_DIR" in environ and not agent.endswith("_agent"))


def _outcome(arguments: list[str]) -> int:
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        return _leave_quietly()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        return _report(error, debug="--debug" in arguments)
    return code


def _command(arguments: list[str]) -> str | None:
    """The first argument that is neither an option nor its value."""
    rest = iter(arguments)
    for argument in rest:
        if argument in BEFORE_THE_COMMAND:
            next(rest, None)
        elif not argument.startswith("-"):
            return argument
    return None


def _hook(arguments: list[str]) -> int:
    """A hook that fails, or says a word, disturbs the agent's session: whatever happens, it is silent and returns 0."""
    try:
        from jotsam.surfaces.hooks.hook import hook

        hook(arguments)
    except BaseException:
        pass
    return 0


def _run(arguments: list[str]) -> int:
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # A terminal that lacks a sign shows "?" and not a trace.
    if arguments[:1] == ["add"]:
        return _short_way(arguments, _add, valued=("--project", "--date", "--key", "--db"))
    if arguments[:1] == ["status"]:
        return _short_way(arguments, _status, valued=("--db",))
    from jotsam.surfaces.cli.parser import run

    return run(arguments)


def _short_way(arguments: list[str], command: Command, *, valued: tuple[str, ...]) -> int:
    plain = _plain(arguments[1:], valued=valued, flags=("--json", "--no-worker"))
    code = command(*plain) if plain else None
    if code is None:
        from jotsam.surfaces.cli.parser import run

        return run(arguments)
    return code


def _plain(arguments: list[str], *, valued: tuple[str, ...], flags: tuple[str, ...]) -> tuple[Words, Options] | None:
    """Words and options of a plain command. None: something that only the full parser understands, or refuses."""
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
    if not words or ("--key" in options and len(words) > 1):
        return None
    from jotsam.core.clock import parse_time
    from jotsam.core.errors import InvalidInput
    from jotsam.core.settings import load_settings
    from jotsam.surfaces.cli.add import add

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
    from jotsam.surfaces.cli.status import status

    settings, _ = load_settings({"db": options.get("--db")})
    if "://" not in settings.db and not os.path.exists(os.path.expanduser(settings.db)):
        return None
    return status(settings, as_json="--json" in options)


def _leave_quietly() -> int:
    """Whoever read our output has seen enough. What is still buffered must not raise again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _report(error: Exception, *, debug: bool) -> int:
    from jotsam.surfaces.cli.output import complain, err

    if debug:
        import traceback

        traceback.print_exc(file=err())
    else:
        complain(error)
    return 1
