"""Draws docs/pictures/terminal.svg: what is told to one agent, and what Jotsam gives to another one on the next day.

    python -m tools.terminal_picture          writes it, of what the hooks print

The hooks are real processes on a temporary memory; only the ends of the lines, dates and ids, are left out.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path

from jotsam import Jotsam

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "terminal.svg"
TOLD = (
    "Use pnpm here, never npm.",
    "We decided that the shop moves to PostgreSQL 17.",
)
ANSWERED = ("The shop runs on PostgreSQL 17 now.", "Still open: the backup script.")
STYLE = (
    "text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#1f2937;white-space:pre}"
    ".box{fill:#f6f8fa;stroke:#d0d7de}.head{font:600 14px system-ui,sans-serif;fill:#57606a}.given{fill:#0b57d0}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.box{fill:#161b22;stroke:#30363d}.head{fill:#9198a1}"
    ".given{fill:#79c0ff}}"
)
WIDTH, PANEL, LINE, TOP = 900, 440, 24, 34


def main() -> None:
    PICTURE.write_text(drawn(given()))


def given() -> list[str]:
    """The lines that Codex gets at the start of a session, after Claude Code was told something."""
    with tempfile.TemporaryDirectory() as folder:
        shop = Path(folder) / "shop"
        (shop / ".git").mkdir(parents=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("JOTSAM_")}
        own = kept | {"HOME": folder, "JOTSAM_DB": f"{folder}/jotsam.db", "JOTSAM_WORKER": "off"}
        own |= {"XDG_DATA_HOME": f"{folder}/data", "XDG_CONFIG_HOME": f"{folder}/config"}

        def jotsam(*arguments: str, **event: str) -> str:
            said = json.dumps({"cwd": str(shop), **event}) if event else ""
            command = [sys.executable, "-m", "jotsam", *arguments]
            return subprocess.run(command, input=said, capture_output=True, text=True, check=True, env=own).stdout

        told = {"session_id": "monday"}
        jotsam("hook", "--harness", "claude", hook_event_name="UserPromptSubmit", prompt=" ".join(TOLD), **told)
        answer = {"hook_event_name": "Stop", "last_assistant_message": " ".join(ANSWERED)}
        jotsam("hook", "--harness", "claude", **answer, **told)
        with Jotsam(own["JOTSAM_DB"], worker="off") as memory:
            memory.work()
        printed = jotsam("hook", "--harness", "codex", hook_event_name="SessionStart", session_id="tuesday")
    lines = json.loads(printed)["hookSpecificOutput"]["additionalContext"].splitlines()
    first = next(number for number, line in enumerate(lines) if line.endswith(":"))
    return [re.sub(r" \[[^]]*\]$", "", line) for line in lines[first:-1]]


def drawn(lines: Sequence[str]) -> str:
    """The picture: both agents beside each other."""
    told = ["> " + TOLD[0], "  " + TOLD[1], "", *ANSWERED]
    height = TOP + LINE * (max(len(told), len(lines)) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title">',
        f'<title id="title">Told to Claude Code on Monday: {escape(" ".join(TOLD))} What Jotsam gives to Codex on '
        f"Tuesday: {escape(' '.join(lines))}</title>",
        f"<style>{STYLE}</style>",
        *_panel(0, height, "Claude Code, Monday", told, ""),
        *_panel(WIDTH - PANEL, height, "Codex, Tuesday: what Jotsam gives to it at the start", lines, "given"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _panel(left: int, height: int, head: str, lines: Sequence[str], kind: str) -> list[str]:
    text = [
        f'<text x="{left + 14}" y="{TOP + LINE * number}" class="{kind}">{escape(line)}</text>'
        for number, line in enumerate(lines, start=1)
        if line
    ]
    return [
        f'<rect class="box" x="{left + 1}" y="1" width="{PANEL - 2}" height="{height - 2}" rx="8"/>',
        f'<text class="head" x="{left + 14}" y="26">{escape(head)}</text>',
        *text,
    ]


if __name__ == "__main__":
    main()
