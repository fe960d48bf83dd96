"""The plugin for opencode, run by Node: it hands over each event once, complete, and throws nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import jotsam
from processes import PATIENCE, until

PLUGIN = Path(jotsam.__file__).parent / "agents" / "opencode" / "plugin.js"

# Plays a session to the plugin: a prompt, an answer in two parts, a summary, and a subagent.
SESSION = """
import { Jotsam } from "./opencode.mjs"
const hooks = await Jotsam({ directory: process.cwd() })
const send = (type, properties) => hooks.event({ event: { type, properties } })
const answer = (id, sessionID, more) =>
  send("message.updated", { info: { id, sessionID, role: "assistant", parentID: "p", ...more } })
const text = (id, messageID, sessionID, text, end) =>
  send("message.part.updated", { part: { id, messageID, sessionID, type: "text", text, time: { start: 1, end } } })

const parts = [{ type: "text", text: "Use" }, { type: "text", text: "tabs." }, { type: "file" }]
await hooks["chat.message"]({ sessionID: "s" }, { message: { id: "p", time: { created: 5 } }, parts })
const output = { system: ["its own"] }
await hooks["experimental.chat.system.transform"]({ sessionID: "s" }, output)
console.log(JSON.stringify(output.system))
await answer("a", "s")
await text("t1", "a", "s", "I look", undefined)
await text("t1", "a", "s", "I look first.", 7)
await text("t1", "a", "s", "I look first.", 7)
await text("t2", "unknown", "s", "not an answer", 8)
await answer("b", "s", { summary: true })
await text("t3", "b", "s", "We use tabs.", 9)
await send("session.created", { info: { id: "c", parentID: "s" } })
await hooks["chat.message"]({ sessionID: "c" }, { message: { id: "q" }, parts })
await answer("d", "c", { agent: "explore" })
await text("t4", "d", "c", "Nothing found.", 10)
await send("session.idle", { sessionID: "c" })
await send("session.idle", { sessionID: "c" })
await send("message.updated", {})
await hooks.event({})
await hooks["chat.message"]({}, {})
process.exit(0)
"""


def play(folder: Path, command: Path) -> list[str]:
    """Run the session with a launcher. Returns what the system prompt of the model is then."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = PLUGIN.read_text().replace('["LAUNCHER"]', json.dumps([str(command)]))
    (folder / "opencode.mjs").write_text(script)
    (folder / "session.mjs").write_text(SESSION)
    done = subprocess.run(
        [node, "session.mjs"], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    prompt: list[str] = json.loads(done.stdout)
    return prompt


def test_it_hands_over_what_was_said_once_and_gives_the_model_what_memory_has(tmp_path: Path) -> None:
    launcher = tmp_path / "launcher"
    launcher.write_text(
        f'#!/bin/sh\nfile=$(mktemp {tmp_path}/event-XXXXXX)\necho "$*" > $file\ncat >> $file\nmv $file $file.done\n'
        "grep -q UserPromptSubmit $file.done && echo 'We use tabs.'\nexit 0\n"
    )
    launcher.chmod(0o700)
    assert play(tmp_path, launcher) == ["its own", "We use tabs.\n"]
    until(lambda: len(list(tmp_path.glob("*.done"))) == 5)
    events: dict[str, dict[str, Any]] = {}
    for path in tmp_path.glob("*.done"):
        arguments, _, event = path.read_text().partition("\n")
        assert arguments == "hook --harness opencode"
        fields = json.loads(event)
        assert fields.pop("cwd") == str(tmp_path)
        events[fields.pop("hook_event_name")] = fields
    assert events == {
        "SessionStart": {"session_id": "s", "timestamp": 5},
        "UserPromptSubmit": {"session_id": "s", "timestamp": 5, "prompt_id": "p", "prompt": "Use\ntabs."},
        "Stop": {"session_id": "s", "prompt_id": "p", "timestamp": 7, "last_assistant_message": "I look first."},
        "PostCompact": {"session_id": "s", "prompt_id": "p", "timestamp": 9, "compact_summary": "We use tabs."},
        "SubagentStop": {
            "session_id": "s",
            "prompt_id": "p",
            "agent_id": "c",
            "agent_type": "explore",
            "last_assistant_message": "Nothing found.",
        },
    }


def test_without_a_launcher_nothing_happens(tmp_path: Path) -> None:
    assert play(tmp_path, tmp_path / "gone") == ["its own"]
