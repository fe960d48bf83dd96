"""The four agents as programs: how each is pointed at the stub of its model, run without a person, and resumed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

from stub_models import StubModels

from processes import PATIENCE

NOWHERE = "http://127.0.0.1:9"
"""A proxy that refuses: what an agent asks of the network fails at once."""


class Agent:
    """One agent in a scratch home directory."""

    name: str

    def __init__(self, folder: Path, home: Path, models: StubModels) -> None:
        """`folder` has the installed programs below `node_modules`."""
        self.program = str(folder / "node_modules" / ".bin" / self.name)
        self.home = home
        self.models = models
        self.started: list[subprocess.Popen[str]] = []
        node = os.path.dirname(shutil.which("node") or "/usr/bin/node")
        self.env = {
            "HOME": str(home),
            "PATH": f"{node}:/usr/local/bin:/usr/bin:/bin",
            "SHELL": "/bin/bash",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "HTTPS_PROXY": NOWHERE,
            "https_proxy": NOWHERE,
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
        }
        self.set_up()

    def set_up(self) -> None:
        """Write what a user has who uses the agent already: a model, and no questions about trust."""
        raise NotImplementedError

    def command(self, prompt: str, *, resume: bool) -> list[str]:
        """A run without a person. `resume`: in the latest session of the folder."""
        raise NotImplementedError

    def say(self, prompt: str, *, folder: Path, resume: bool = False, **env: str) -> str:
        """Run one prompt to its end. Returns the answer that is printed."""
        process = self.start(prompt, folder=folder, resume=resume, **env)
        out, error = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, f"{self.name} exited with {process.returncode}:\n{out}\n{error}"
        return out

    def start(self, prompt: str, *, folder: Path, resume: bool = False, **env: str) -> subprocess.Popen[str]:
        folder.mkdir(parents=True, exist_ok=True)
        process = subprocess.Popen(
            self.command(prompt, resume=resume),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.env | env,
            cwd=folder,
            text=True,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def end(self) -> None:
        """Kill what still runs, with its children."""
        for process in self.started:
            kill(process)
            process.communicate()

    def _write(self, name: str, value: object) -> None:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2) + "\n")


def kill(process: subprocess.Popen[str]) -> None:
    """Kill it and its children, which may outlive it, without notice."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Claude(Agent):
    name = "claude"

    def set_up(self) -> None:
        self.env |= {
            "ANTHROPIC_BASE_URL": self.models.url,
            "ANTHROPIC_API_KEY": "x",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        self._write(
            ".claude.json",
            {"hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": ["x"], "rejected": []}},
        )

    def trust(self, folder: Path) -> None:
        """As if the user had answered the question that is asked in a terminal."""
        path = self.home / ".claude.json"
        path.write_text(
            json.dumps(json.loads(path.read_text()) | {"projects": {str(folder): {"hasTrustDialogAccepted": True}}})
        )

    def command(self, prompt: str, *, resume: bool) -> list[str]:
        return [
            self.program,
            "-p",
            *(["--continue"] if resume else []),
            "--allowedTools",
            "mcp__jotsam__*",
            "--",
            prompt,
        ]


class Codex(Agent):
    name = "codex"

    bypass: tuple[str, ...] = ("--dangerously-bypass-hook-trust",)

    def set_up(self) -> None:
        self._write(".codex/config.toml", _CODEX_CONFIG.format(url=self.models.url))

    def command(self, prompt: str, *, resume: bool) -> list[str]:
        return [
            self.program,
            "exec",
            *self.bypass,
            "--skip-git-repo-check",
            *(["resume", "--last"] if resume else []),
            prompt,
        ]


_CODEX_CONFIG = """\
# How the stub of the model is reached.
model = "stub"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "read-only"

[features]
enable_request_compression = false

[model_providers.stub]
name = "stub"
base_url = "{url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""


class Gemini(Agent):
    name = "gemini"

    def set_up(self) -> None:
        self.env |= {"GOOGLE_GEMINI_BASE_URL": self.models.url, "GEMINI_API_KEY": "x"}
        self._write(
            ".gemini/settings.json",
            {
                "security": {"auth": {"selectedType": "gemini-api-key"}},
                "general": {"disableAutoUpdate": True},
                "privacy": {"usageStatisticsEnabled": False},
            },
        )

    def command(self, prompt: str, *, resume: bool) -> list[str]:
        resumed = ["--resume", "latest"] if resume else []
        return [self.program, "--skip-trust", "--yolo", "-m", "gemini-2.5-flash", *resumed, "-p", prompt]


class Opencode(Agent):
    name = "opencode"

    def set_up(self) -> None:
        self.env |= {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "stub",
            "options": {"baseURL": f"{self.models.url}/v1", "apiKey": "x"},
            "models": {"stub": {"name": "stub"}},
        }
        config = {"$schema": "https://opencode.ai/config.json", "model": "stub/stub", "provider": {"stub": provider}}
        self._write(".config/opencode/opencode.json", config)
        # Wherever there is a plugin, opencode installs its plugin library with npm, and waits for that at each start
        # until it is there. These two files are what it looks at.
        library = {"@opencode-ai/plugin": "1.0.0"}
        self._write(".config/opencode/package.json", {"dependencies": library})
        lock = {"lockfileVersion": 3, "packages": {"": {"dependencies": library}}}
        self._write(".config/opencode/package-lock.json", lock)
        (self.home / ".config/opencode/node_modules").mkdir()

    def command(self, prompt: str, *, resume: bool) -> list[str]:
        return [self.program, "run", *(["--continue"] if resume else []), prompt]


AGENTS = {agent.name: agent for agent in (Claude, Codex, Gemini, Opencode)}
