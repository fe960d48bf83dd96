"""Drives the command line as its users do: real processes, each test in a home folder of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jotsam.core.clock import system_clock
from processes import PATIENCE, WAIT_MS, until

Process = subprocess.CompletedProcess[str]
DAY_MS, MIDNIGHT_MS = 86_400_000, 60_000
POWERLESS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")
TAKEN_OUT = ("NO_COLOR", "CLICOLOR_FORCE", "PYTHONDONTWRITEBYTECODE", "CLAUDE_PROJECT_DIR", "AI_AGENT")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What is marked `on_both` drives the command line on a file and on a server, and asks nothing."""
    if metafunc.definition.get_closest_marker("on_both"):
        metafunc.parametrize("kind", ["sqlite", "postgres"])


class Shell:
    """Runs `jotsam` with a home, a database and settings of its own."""

    def __init__(self, home: Path, url: str | None = None) -> None:
        """`url` is that of a server; without it the database is a file."""
        self.home = home
        self.db = home / "memory" / "jotsam.db"
        self.env = {k: v for k, v in os.environ.items() if k not in TAKEN_OUT and not k.startswith("JOTSAM_")}
        self.env |= {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
        self.env |= {"JOTSAM_DB": url or str(self.db), "JOTSAM_WORKER": "off", "TERM": "xterm"}
        self.env["JOTSAM_LOCK_TIMEOUT_MS"] = str(WAIT_MS)
        self.url = self.env["JOTSAM_DB"]
        self.started: list[subprocess.Popen[str]] = []

    def __call__(
        self,
        *arguments: str | Path,
        input: str | bytes = "",
        stdin: int | None = None,
        powerless: bool = False,
        **env: str,
    ) -> Process:
        """Run one command to its end. `powerless`: the modes of files hold even if this is root."""
        raw = input.encode() if isinstance(input, str) else input
        given: dict[str, Any] = {"input": raw} if stdin is None else {"stdin": stdin}
        done = subprocess.run(
            [*(POWERLESS if powerless and os.geteuid() == 0 else ()), *self.command(*arguments)],
            **given,
            capture_output=True,
            env=self.env | env,
            cwd=self.home,
            timeout=PATIENCE,
            check=False,
        )
        return Process(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    def json(self, *arguments: str | Path, **options: Any) -> Any:
        """The object that a command prints; the command must have nothing to complain about, and a hint is none."""
        done = self(*arguments, "--json", **options)
        assert [line for line in done.stderr.splitlines() if not line.startswith("hint: ")] == []
        return json.loads(done.stdout)

    def start(self, *arguments: str | Path, stderr: int = subprocess.PIPE, **env: str) -> subprocess.Popen[str]:
        """Start one command, and go on."""
        return self._start(self.command(*arguments), stderr, env)

    def start_python(self, code: str) -> subprocess.Popen[str]:
        """Start a program that uses the package, and go on."""
        return self._start([sys.executable, "-c", code], subprocess.PIPE, {})

    def _start(self, command: list[str], stderr: int, env: dict[str, str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=self.env | env,
            cwd=self.home,
            text=True,
        )
        self.started.append(process)
        return process

    def file(self, name: str, text: str = "Ana moved to Bonn.\n") -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def hook(
        self, event: str = "Stop", *arguments: str, env: dict[str, str] | None = None, **fields: object
    ) -> Process:
        """Fire a hook as Claude Code does, with the fields of its event."""
        said = {"session_id": "session-1", "hook_event_name": event, "cwd": str(self.home), **fields}
        return self("hook", event, *arguments, input=json.dumps(said), **(env or {}))

    def hooked(self, event: str = "Stop", **fields: object) -> None:
        """Fire a hook, and see that its turn is kept, also where a server was too slow for it."""
        done = self.hook(event, **fields)  # type: ignore[arg-type]
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert self("recall").returncode == 0

    @staticmethod
    def command(*arguments: str | Path) -> list[str]:
        return [sys.executable, "-m", "jotsam", *map(str, arguments)]


@pytest.fixture
def jotsam(tmp_path: Path, kind: str, new_url: Callable[[], str]) -> Iterator[Shell]:
    shell = Shell(tmp_path, None if kind == "sqlite" else new_url())
    yield shell
    for process in shell.started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def one_day() -> None:
    """The test ends on the day (UTC) on which it began: shortly before midnight it waits for the next one."""
    until(lambda: system_clock() % DAY_MS < DAY_MS - MIDNIGHT_MS)


@pytest.fixture
def powerless() -> bool:
    """True, where a process can be kept from reading and writing everything."""
    if os.geteuid() == 0 and not shutil.which(POWERLESS[0]):
        pytest.skip("root may read and write everything, and there is no setpriv to take that away")
    return True
