"""Writes docs/reference from the code: every command, every setting, and every object that `--json` prints.

python -m tools.reference            writes the pages
python -m tools.reference --check    fails when a page is out of date
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from jotsam.core import settings
from jotsam.surfaces.cli.parser import full_parser
from tools.json_reference import field_comments, json_page
from tools.python_reference import python_page

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "reference"


def main() -> int:
    pages = {
        "cli.md": commands_page(),
        "settings.md": settings_page(),
        "json.md": json_page(),
        "python.md": python_page(),
    }
    if "--check" in sys.argv:
        stale = [name for name, text in pages.items() if current(PAGES / name) != text]
        for name in stale:
            print(f"error: docs/reference/{name} is out of date\nhint: python -m tools.reference", file=sys.stderr)
        return 1 if stale else 0
    PAGES.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (PAGES / name).write_text(text)
    return 0


def current(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


def commands_page() -> str:
    os.environ["COLUMNS"] = "100"
    lines = ["# Commands", "", "Made by `python -m tools.reference` from the parser itself.", ""]
    for name, command in every_command(full_parser(), "jotsam"):
        lines += [f"## `{name}`", "", "```text", command.format_help().rstrip(), "```", ""]
    return "\n".join(lines)


def every_command(command: argparse.ArgumentParser, name: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield name, command
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            shown = {choice.dest for choice in action._choices_actions}
            for word, inner in action.choices.items():
                if word in shown:
                    yield from every_command(inner, f"{name} {word}")


def settings_page() -> str:
    about = field_comments(settings.Settings)
    harmless = " and ".join(f"`{name}`" for name in settings.PROJECT_FIELDS)
    lines = [
        "# Settings",
        "",
        "Made by `python -m tools.reference` from `jotsam.core.settings`.",
        "",
        "A value comes from the option of a command, else from the environment variable `JOTSAM_<FIELD>`, else from",
        "`.jotsam.toml` in the folder one stands in or above it, else from `config.toml` in the user's configuration",
        "folder, else it is the default. `jotsam config show --origin` tells which.",
        f"`.jotsam.toml` arrives with a clone, so it may set only {harmless}.",
        "",
        "| field | default | allowed | |",
        "|---|---|---|---|",
    ]
    for name, default in settings.Settings._defaults.items():
        shown = f"`{default}`" if default != "" else ""
        lines.append(f"| `{name}` | {shown} | {allowed(name)} | {about[name]} |")
    return "\n".join(lines) + "\n"


def allowed(name: str) -> str:
    if name in settings.LIMITS:
        low, high = settings.LIMITS[name]
        return f"{low:,} to {high:,}"
    return ", ".join(f"`{choice}`" for choice in settings.CHOICES.get(name, ()))


if __name__ == "__main__":
    sys.exit(main())
