"""Fires hooks in this process, with the events that the real agents have sent to them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from jotsam import Jotsam
from jotsam.ingest import spool
from jotsam.surfaces.hooks import hook

ASKED, FINAL = "RUNTOOL: which bucket do we use?", "The shop uses tabs now."
FIRST = "I list the folder first; the bucket is acme-77."
SUBAGENT, HELP = "agent general-purpose", "I ask a helper."

# What is stored of the recorded sessions, in order.
STORED = {
    "claude": [
        *(("user", ASKED), ("assistant", FIRST), ("assistant", FINAL)),
        *([("user", "go on"), ("assistant", FINAL)] * 2),
        *(("user", "RUNTASK"), ("assistant", HELP), (SUBAGENT, FINAL), ("assistant", HELP), (SUBAGENT, FINAL)),
        *(("assistant", HELP), (SUBAGENT, FINAL), ("assistant", FINAL)),
        ("summary", FINAL),
    ],
    "codex": [
        *(("user", ASKED), ("assistant", FIRST), ("assistant", FINAL)),
        *(("user", "go on"), ("assistant", FINAL)),
    ],
    "gemini": [
        *(("user", ASKED), ("assistant", f"{FIRST}\n{FINAL}")),
        *([("user", "go on"), ("assistant", FINAL)] * 2),
    ],
    "opencode": [
        *(("user", ASKED), ("assistant", FIRST), ("assistant", FINAL)),
        *(("user", "go on"), ("assistant", FINAL)),
    ],
}

RECORDED = Path(__file__).parent / "agent_events"


class Hooks:
    """The hooks of one user, with a home directory of its own. The database is that of the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, home: Path, url: str) -> None:
        self.monkeypatch, self.url = monkeypatch, url
        self.project = home / "shop"
        (self.project / ".git").mkdir(parents=True)
        self.transcript = home / "session.jsonl"
        self._input = home / "event.json"
        for name in [name for name in os.environ if name.startswith("JOTSAM_")]:
            monkeypatch.delenv(name)
        settings = {"JOTSAM_DB": url, "JOTSAM_WORKER": "off", "JOTSAM_HOOK_LOCK_TIMEOUT_MS": "5000"}
        settings["JOTSAM_RECALL"] = "off"  # These tests are about what is stored.
        folders = {"XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
        for name, value in (settings | folders).items():
            monkeypatch.setenv(name, value)

    def fire(self, harness: str, fields: dict[str, Any]) -> None:
        """Fire one hook, with the folder of the project unless the fields name one."""
        self._input.write_text(json.dumps({"cwd": str(self.project), **fields}))
        with self._input.open() as file:
            self.monkeypatch.setattr("sys.stdin", file)
            hook.hook(["hook", "--harness", harness])

    def claude(self, name: str, prompt: str = "p", /, **fields: Any) -> None:
        """Fire a hook of Claude Code in the session `s`."""
        same = {"session_id": "s", "hook_event_name": name, "prompt_id": prompt}
        self.fire("claude", {**same, "transcript_path": str(self.transcript), **fields})

    def recorded(self, harness: str) -> list[dict[str, Any]]:
        """The recorded events of an agent, with the time at which each was sent."""
        text = (RECORDED / f"{harness}.jsonl").read_text()
        lines = [json.loads(line) for line in self._placed(text).splitlines()]
        return [{"timestamp": line["at"], **line["event"]} for line in lines]

    def write_transcript(self, harness: str) -> bool:
        """Write the recorded transcript of an agent to its place. False: none was recorded."""
        recorded = RECORDED / f"{harness}-transcript.jsonl"
        if recorded.exists():
            self.transcript.write_text(self._placed(recorded.read_text()))
        return recorded.exists()

    def requests(self) -> list[str]:
        """The endings of the requests to read a transcript."""
        place = Path(spool.folder(self.url))
        return sorted(path.suffix for path in place.iterdir()) if place.exists() else []

    def _placed(self, text: str) -> str:
        return text.replace("TRANSCRIPT", str(self.transcript)).replace("PROJECT", str(self.project))


def memories(jot: Jotsam) -> list[Any]:
    """All memories, in the order in which they were said."""
    jot.work()
    return sorted(jot.list(limit=200).memories, key=lambda memory: (memory.said_at, memory.position or 0))


def turns(jot: Jotsam) -> list[tuple[str, str]]:
    return [(memory.actor, memory.text) for memory in memories(jot)]
