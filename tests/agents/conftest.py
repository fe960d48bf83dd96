"""The real agents, each with a scratch home directory and a stub of its vendor's model.

The programs come from npm, in the versions of `package.json`, and in the newest ones where these are others. They are
installed once into a cache folder (`JOTSAM_TEST_AGENTS`, else `~/.cache/jotsam-agents`; 1.2 GB, and up to that again
for the newest). Afterwards the tests use no network beyond loopback, except to ask npm for the newest versions. Where
npm or Node is missing or npm cannot be reached, tests here are skipped with that reason.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from agent_programs import AGENTS, Agent
from stub_models import StubModels

import jotsam as package
from processes import PATIENCE, until

PACKAGES = Path(__file__).with_name("package.json")
CACHE = Path(os.environ.get("JOTSAM_TEST_AGENTS") or "~/.cache/jotsam-agents").expanduser()
SCRATCH = "/var/tmp"  # Codex refuses a home directory below /tmp.
CONFIG = "worker_idle_ms = 0\nlock_timeout_ms = 60000\n"


INSTALLING_SECONDS = 900


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The first test here may have to install the agents."""
    for item in items:
        if PACKAGES.parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(INSTALLING_SECONDS))


@pytest.fixture(scope="session", params=["pinned", "newest"])
def programs(request: pytest.FixtureRequest) -> Path:
    """The folder with the installed agents; of the newest versions, only those that are not the pinned ones."""
    if not shutil.which("npm"):
        pytest.skip("npm is not installed, so the agents cannot be")
    pinned = PACKAGES.read_text()
    if request.param == "pinned":
        return installed(CACHE, pinned)
    versions = {name: npm("view", name, "version").strip() for name in json.loads(pinned)["dependencies"]}
    others = dict(versions.items() - json.loads(pinned)["dependencies"].items())
    return installed(CACHE / "newest", json.dumps({"private": True, "dependencies": others}))


def installed(folder: Path, packages: str) -> Path:
    """The folder with the packages of a `package.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:  # Several processes run the tests.
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "installed.json"
        if not done.exists() or done.read_text() != packages:
            (folder / "package.json").write_text(packages)
            npm("install", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", str(folder))
            done.write_text(packages)
    return folder


def npm(*arguments: str) -> str:
    done = subprocess.run(["npm", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"npm cannot {arguments[0]} the agents: {done.stderr.strip()[-500:]}")
    return done.stdout


@pytest.fixture
def models() -> Iterator[StubModels]:
    with StubModels() as models:
        yield models


@pytest.fixture
def home() -> Iterator[Path]:
    """A fresh home directory. What still runs with it at the end is killed."""
    home = Path(tempfile.mkdtemp(prefix="jotsam-agents-", dir=SCRATCH))
    yield home
    until(lambda: not [os.kill(process, signal.SIGKILL) for process in processes_of(home)])
    shutil.rmtree(home, ignore_errors=True)


def processes_of(home: Path) -> list[int]:
    """Processes whose environment has this home directory."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"HOME={home}\0".encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass  # It has ended, or belongs to another user.
    return found


def command_of(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


class Program:
    """`jotsam`, in a virtual environment of its own below the home directory, run as its user would."""

    def __init__(self, home: Path, environment: str = "venv") -> None:
        self.home = home
        self.environment = home / environment
        venv.create(self.environment, with_pip=False, symlinks=True)
        libraries = next(self.environment.glob("lib/python*/site-packages"))
        ours = [str(Path(package.__file__).parents[1]), *(path for path in sys.path if path.endswith("site-packages"))]
        (libraries / "installed.pth").write_text("\n".join(ours) + "\n")
        self.path = self.environment / "bin" / "jotsam"
        self.path.write_text(
            f"#!{self.environment}/bin/python\n"
            "import sys\nfrom jotsam.surfaces.cli.start import main\nsys.exit(main())\n"
        )
        self.path.chmod(0o755)
        self.env = {"HOME": str(home), "PATH": f"{self.environment}/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
        self.data = home / ".local" / "share" / "jotsam"
        config = home / ".config" / "jotsam" / "config.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(CONFIG)
        self.config = config

    def move(self) -> Program:
        """The same in another virtual environment, and this one is gone."""
        moved = Program(self.home, "moved")
        shutil.rmtree(self.environment)
        return moved

    def project(self, name: str) -> Path:
        """A git repository below the home directory."""
        folder = self.home / name
        subprocess.run(["git", "init", "-q", str(folder)], env=self.env, check=True)
        return folder

    def __call__(self, *arguments: str | Path, folder: Path | None = None, **env: str) -> str:
        """Run a command to its end. Returns what it prints."""
        done = subprocess.run(
            [str(self.path), *map(str, arguments)],
            env=self.env | env,
            cwd=folder or self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"jotsam {arguments} exited with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def install(self, agent: str) -> None:
        self("install", agent, "--yes")

    def running(self, command: str) -> list[int]:
        """The processes with this home directory that run this command of Jotsam."""
        word = f"\0{command}\0".encode()
        return [process for process in processes_of(self.home) if word in command_of(process)]

    def json(self, *arguments: str | Path, **options: Any) -> Any:
        return json.loads(self(*arguments, "--json", **options))

    def stored(self) -> list[dict[str, Any]]:
        """Every memory, oldest first, after all waiting work is done. Some agents end before their last hook does."""
        until(lambda: not self.running("hook"))
        self("wait", "--timeout", str(PATIENCE))
        memories: list[dict[str, Any]] = self.json("list", "--limit", "200")["memories"]
        memories.reverse()
        memories.sort(key=lambda memory: (memory["said_at"] or "", memory["position"] or 0))
        return memories

    def said(self) -> list[tuple[str, str]]:
        """Who said what, oldest first."""
        return [(memory["actor"], memory["text"]) for memory in self.stored()]


@pytest.fixture
def jotsam(home: Path) -> Program:
    return Program(home)


@pytest.fixture
def start_agent(programs: Path, home: Path, models: StubModels) -> Iterator[Callable[[str], Agent]]:
    """An agent by its name, in this home directory."""
    started: list[Agent] = []

    def start(name: str) -> Agent:
        agent = AGENTS[name](programs, home, models)
        if not os.path.exists(agent.program):
            pytest.skip(f"the newest version of {name} is the pinned one")
        started.append(agent)
        return agent

    yield start
    for agent in started:
        agent.end()


@pytest.fixture(params=list(AGENTS))
def agent(request: pytest.FixtureRequest, start_agent: Callable[[str], Agent]) -> Agent:
    return start_agent(request.param)
