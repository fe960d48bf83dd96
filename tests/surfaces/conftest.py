"""Runs the command line in real processes, with a separate home directory for each test."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from command_server import PIPE_BYTES, CommandServer, commands
from jotsam.core.clock import system_clock
from jotsam.surfaces.cli.terminal import agent_variables
from prepared import MADE_BY_THE_PROGRAM
from processes import PATIENCE, WAIT_MS, until
from split import on_server

Process = subprocess.CompletedProcess[str]
DAY_MS, MIDNIGHT_MS = 86_400_000, 60_000
UNPRIVILEGED = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")
FIRST_USE = ("test_capture", "test_hook", "test_install", "test_start")
"""Modules about what is done before there is a database: a hook spools its turn."""

AT_START = ("PYTHON", "LC_", "LANG")
"""Variables that Python reads when it starts."""
REMOVED_VARIABLES = ("NO_COLOR", "CLICOLOR_FORCE", "PYTHONDONTWRITEBYTECODE", "CLAUDE_PROJECT_DIR", "COLUMNS")
REMOVED_VARIABLES += ("VISUAL", "EDITOR", *agent_variables())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests marked `on_both` on SQLite, and on PostgreSQL as `split` decides."""
    if metafunc.definition.get_closest_marker("on_both"):
        metafunc.parametrize("kind", ["sqlite", on_server(metafunc.definition)])


class Shell:
    """Runs `jotsam` with its own home directory, database and settings."""

    def __init__(self, home: Path, url: str | None = None, *, commands: CommandServer | None = None) -> None:
        """`url` is that of a server; without it, the database is a file. `commands` starts processes faster."""
        self.home = home
        self.commands = commands
        self.db = home / "memory" / "jotsam.db"
        self.env = {k: v for k, v in os.environ.items() if k not in REMOVED_VARIABLES and not k.startswith("JOTSAM_")}
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
        unprivileged: bool = False,
        **env: str,
    ) -> Process:
        """Run a command to its end. `unprivileged`: file modes apply even if the test runs as root."""
        raw = input.encode() if isinstance(input, str) else input
        if self.commands and stdin is None and not unprivileged and _starts_alike(arguments, raw, env):
            return Process(arguments, *self.commands.run(arguments, env=self.env | env, cwd=self.home, input=raw))
        given: dict[str, Any] = {"input": raw} if stdin is None else {"stdin": stdin}
        done = subprocess.run(
            [*(UNPRIVILEGED if unprivileged and os.geteuid() == 0 else ()), *self.command(*arguments)],
            **given,
            capture_output=True,
            env=self.env | env,
            cwd=self.home,
            timeout=PATIENCE,
            check=False,
        )
        return Process(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    def json(self, *arguments: str | Path, **options: Any) -> Any:
        """The JSON object that a command prints. Hints are allowed on standard error, errors and warnings are not."""
        done = self(*arguments, "--json", **options)
        assert [line for line in done.stderr.splitlines() if not line.startswith("hint: ")] == []
        return json.loads(done.stdout)

    def start(self, *arguments: str | Path, stderr: int = subprocess.PIPE, **env: str) -> subprocess.Popen[str]:
        """Start a command without waiting for it."""
        return self._start(self.command(*arguments), stderr, env)

    def start_python(self, code: str) -> subprocess.Popen[str]:
        """Start a Python program without waiting for it."""
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
        """Fire a hook and make sure that its turn is stored, even if the server was too slow for the hook itself."""
        done = self.hook(event, **fields)  # type: ignore[arg-type]
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert self("recall").returncode == 0

    @staticmethod
    def command(*arguments: str | Path) -> list[str]:
        return [sys.executable, "-m", "jotsam", *map(str, arguments)]


def _starts_alike(arguments: tuple[str | Path, ...], input: bytes, env: dict[str, str]) -> bool:
    """Whether a command may be a fork of a process that has imported it. A hook may not: its start is what it is."""
    return "hook" not in arguments and len(input) <= PIPE_BYTES and not any(name.startswith(AT_START) for name in env)


@pytest.fixture
def jotsam(tmp_path: Path, kind: str, new_url: Callable[[], str], request: pytest.FixtureRequest) -> Iterator[Shell]:
    is_about_starting = request.module.__name__ == "test_start"
    shell = Shell(tmp_path, None if kind == "sqlite" else new_url(), commands=None if is_about_starting else commands())
    is_first_use = request.module.__name__.startswith(FIRST_USE) or request.module.__name__ in MADE_BY_THE_PROGRAM
    if kind == "sqlite" and not is_first_use and not request.node.get_closest_marker("no_database"):
        shell.db.parent.mkdir(mode=0o700)
        request.getfixturevalue("files").new(shell.db)
    yield shell
    for process in shell.started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def sdk() -> ModuleType:
    """The official SDK of MCP. Its import takes a second, so only a process that uses it imports it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Of its own libraries.
        return importlib.import_module("mcp")


@pytest.fixture
def one_day() -> None:
    """Make sure that the test ends on the day (UTC) on which it began: shortly before midnight, wait."""
    until(lambda: system_clock() % DAY_MS < DAY_MS - MIDNIGHT_MS)


@pytest.fixture
def unprivileged() -> bool:
    """Skip the test if this process cannot start an unprivileged one."""
    if os.geteuid() == 0 and not shutil.which(UNPRIVILEGED[0]):
        pytest.skip("the tests run as root, and setpriv is not installed")
    return True
