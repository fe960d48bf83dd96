"""A real round trip through the installed hook line: a prompt and an answer, stored and recalled.

It runs the very command that is in the files of the agent, against a database in a temporary folder, so that nothing
stays. The settings of the user apply, because they decide whether a hook stores anything.
"""

from __future__ import annotations

import json
import os
import subprocess
from tempfile import TemporaryDirectory

from jotsam.admin.agents import launcher
from jotsam.agents.agent import agent_of
from jotsam.agents.agent_files import hook_line
from jotsam.core.clock import monotonic_ms, new_id
from jotsam.core.platform import shells
from jotsam.core.records import CheckResult
from jotsam.core.settings import Settings, load_settings
from jotsam.ingest import capture_switch
from jotsam.memory.api.client import Jotsam

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.agents.agent import Agent

TIMEOUT_S = 30
NAME = "self-test"


def self_test(harness: str) -> CheckResult:
    """Run the hook line of a harness with a prompt, and recall it."""
    with TemporaryDirectory(prefix="jotsam-") as folder:
        session, word = new_id(), new_id()
        settings, _ = load_settings({"db": os.path.join(folder, "jotsam.db"), "worker": "off"}, folder=folder)
        if not capture_switch.is_captured(settings, folder=folder, session=session):
            return CheckResult(
                name=NAME, level="warn", text="skipped: capture is off", repair="jotsam agents capture on"
            )
        with Jotsam(settings=settings) as jot:
            started = monotonic_ms()
            said = f"The word chosen for this round trip is {word}."
            event = _event(agent_of(harness), said, folder=folder, session=session)
            problem = launcher.problem() or _run(harness, event, settings)
            stored = monotonic_ms() - started
            found = any(word in hit.text for hit in jot.recall(word).hits)
    if problem:
        return CheckResult(name=NAME, level="fail", text=problem, repair="jotsam doctor")
    if not found:
        text = "the hook ran and stored nothing"
        return CheckResult(name=NAME, level="fail", text=text, repair="jotsam doctor")
    took = monotonic_ms() - started
    text = f"the hook stored a prompt in {stored:,} ms, and recall found it after {took:,} ms"
    return CheckResult(name=NAME, level="ok", text=text)


def _event(agent: Agent, said: str, *, folder: str, session: str) -> str:
    if agent.test_event:
        return agent.test_event(said)
    return json.dumps({"hook_event_name": agent.prompt_event, "cwd": folder, "session_id": session, "prompt": said})


def _run(harness: str, event: str, settings: Settings) -> str | None:
    """Run the hook line as an agent does, by a shell. Returns what is wrong, or None."""
    folder = os.path.dirname(settings.db)
    environment = {**os.environ, "JOTSAM_DB": settings.db, "JOTSAM_TENANT": settings.tenant, "JOTSAM_WORKER": "off"}
    environment["XDG_DATA_HOME"] = folder  # What a hook keeps beside the database is temporary too.
    try:
        done = subprocess.run(
            shells.by_shell(hook_line(launcher.path(), harness)),
            input=event.encode(),
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the hook cannot be run: {error}"
    if done.returncode or done.stderr:
        return f"the hook exits with {done.returncode}: {done.stderr.decode(errors='replace')[:200]}"
    return None
