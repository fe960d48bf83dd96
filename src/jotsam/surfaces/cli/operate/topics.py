"""The topics of `jotsam help`, which are also part of the man page and of docs/reference/cli/topics.md."""

from __future__ import annotations

from jotsam.core.settings import CHOICES, LIMITS, Settings
from jotsam.core.signatures import field_comments

EXIT_CODES = (
    (0, "success"),
    (1, "failure: the error is on standard error, with --json also on standard output"),
    (2, "usage error, such as an unknown option"),
    (3, "degraded: agents, doctor, embedder, engine, install, salvage or status --check found a problem"),
    (8, "still pending after the timeout: wait, add --wait"),
    (130, "interrupted with Ctrl-C"),
)

VARIABLES = {
    "JOTSAM_<SETTING>": "any setting, in capitals: those below",
    "JOTSAM_ASYNC": "1: run as inside a hook of an agent, without output; 0: never (default: detected)",
    "JOTSAM_ACCESSIBLE": "1: print plain lines instead of drawing progress again and again, for screen readers",
    "NO_COLOR": "no colour, also on a terminal that has colours",
    "CLICOLOR_FORCE": "1: colour also in a pipe",
    "COLUMNS": "width of the terminal (default: as the terminal says)",
    "TERM": "dumb: no colour, and nothing is drawn again",
    "VISUAL": "editor of recall --open; if it is not set, EDITOR",
    "EDITOR": "the same (default: nano, vim or vi)",
    "XDG_CONFIG_HOME": "folder of jotsam/config.toml (default: ~/.config)",
    "XDG_DATA_HOME": "folder of jotsam/jotsam.db (default: ~/.local/share)",
}

DATES = """\
A date is 2026-03-01, or with a time 2026-03-01T14:00 or 2026-03-01T14:00:00+02:00. Without a time zone it is UTC.

Filters of `jotsam recall`:
  --since DATE    what was said on, or refers to, this date or later
  --until DATE    what was said before, or refers to a time before, this date
  --when TIME     a period in words: 'last week', 'in March', 'yesterday', '2026'
  --as-of DATE    what was valid and known on this date
  --history       also what is superseded or not valid now
  --archived      also what is archived

A question can name a period itself: `jotsam recall what did Bob decide last week`.
Ages, as in `jotsam jobs --older-than 10m`, are a number with s, m, h or d."""

FORMATTING = """\
At a terminal, a table is cut to its width, columns that are empty are left out, and states have colours.
In a pipe, a table is whole, without colour, and a stored text is inside the fence <jotsam-memory>, which
tells an agent that it is reference and not an instruction. `jotsam recall` prints a list at a terminal, and what
an agent gets in a pipe, or if a variable such as CLAUDECODE shows that an agent runs it; --as chooses.
Long commands show progress and close with one line at a terminal; in a pipe, `jotsam add` prints a line per file.

  --json             one JSON object on standard output: `jotsam help json`
  NO_COLOR=1         no colour
  CLICOLOR_FORCE=1   colour also in a pipe
  COLUMNS=200        another width
  JOTSAM_ACCESSIBLE=1, TERM=dumb   plain lines, for screen readers

Errors, hints and progress go to standard error, so `jotsam list > file` holds the list alone.
Control characters in stored texts are printed as \\x1b, so that no terminal carries them out."""

JSON = """\
With --json a command prints one JSON object on standard output:

  $ jotsam remember 'We use tabs.' --json | jq -r .receipt.id
  $ jotsam recall database --json | jq -r '.hits[] | [.score, .text] | @tsv'

`schema` is the version of all fields: within a version, fields are added, never renamed or removed.
An error that ends the command is {"schema": 1, "error": {"type", "message", "hints", "exit_code", "retry"}}.
All fields are in docs/reference/json.md."""


def topic(name: str) -> str:
    """The text of a topic. Raises `KeyError`."""
    if name == "environment":
        return _environment()
    if name == "exit-codes":
        return "\n".join(f"{code:4}  {meaning}" for code, meaning in EXIT_CODES)
    return {"json": JSON, "dates": DATES, "formatting": FORMATTING}[name]


def filled(text: str, width: int) -> str:
    """A topic whose long lines are filled to a width, each behind its indentation."""
    return "\n".join(_filled(line, width) for line in text.splitlines())


def _filled(line: str, width: int) -> str:
    import textwrap

    if len(line) <= width:
        return line
    name, gap, _ = line.lstrip().partition("  ")
    indent = len(line) - len(line.lstrip())
    hanging = indent if not gap or indent > 4 else line.index(line.lstrip()[len(name) :].lstrip())
    return textwrap.fill(line, width, subsequent_indent=" " * hanging, break_on_hyphens=False)


def about_setting(name: str) -> str:
    """What a setting is, and which values it may have."""
    text = field_comments(Settings)[name]
    if name in LIMITS:
        low, high = LIMITS[name]
        return f"{text} {low:,} to {high:,}."
    return f"{text} One of {', '.join(CHOICES[name])}." if name in CHOICES else text


def _environment() -> str:
    width = max(map(len, VARIABLES))
    lines = [f"{name.ljust(width)}  {about}" for name, about in VARIABLES.items()]
    lines += ["", "An option, such as --db, has precedence over a variable, and a variable over a settings file:"]
    lines += ["`jotsam config --origin` shows where each value comes from.", "", "Settings:"]
    for name in Settings._fields:
        lines += [f"  JOTSAM_{name.upper()}", f"      {about_setting(name)}"]
    return "\n".join(lines)
