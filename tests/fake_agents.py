"""Programs with the names of the coding agents, which print what a test says and record how they were called."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from jotsam.core.settings import LLM_AGENTS

PROGRAM = """\
#!{python}
import json, os, subprocess, sys, time
here = os.path.dirname(os.path.abspath(__file__))
plan = json.load(open(os.path.join(here, "plan.json")))
key = " ".join(sys.argv[1:3])
reply = plan.get(key) or plan["reply"]
call = {{"arguments": sys.argv[1:], "environ": dict(os.environ), "files": os.listdir(), "stdin": sys.stdin.read()}}
call["seen"] = {{name: open(os.environ[name]).read() for name in plan.get("seen", ()) if name in os.environ}}
with open(os.path.join(here, "calls"), "a") as calls:
    calls.write(json.dumps(call) + "\\n")
if reply.get("renews"):
    path = os.path.join(os.environ["CODEX_HOME"], "auth.json")
    os.remove(path)
    open(path, "w").write(reply["renews"])
if reply.get("child"):
    child = subprocess.Popen(["sleep", "600"])
    open(os.path.join(here, "child"), "w").write(str(child.pid))
sys.stdout.write(reply.get("print", "") * reply.get("times", 1))
sys.stderr.write(reply.get("errors", ""))
sys.stdout.flush()
if reply.get("hangs"):
    time.sleep(600)
sys.exit(reply.get("code", 0))
"""


class FakeAgents:
    """Programs with the names of the agents, which do what `will` says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in LLM_AGENTS:
            path = folder / name
            path.write_text(PROGRAM.format(python=sys.executable))
            path.chmod(0o755)

    def will(self, reply: dict[str, Any], **others: Any) -> None:
        (self.folder / "plan.json").write_text(json.dumps({"reply": reply, **others}))

    @property
    def calls(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / "calls").read_text().splitlines()]
