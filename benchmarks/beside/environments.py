"""An environment for each memory system, made by pip in a folder that is kept: a second run installs nothing."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from benchmarks.child import ROOT

INSTALL_SECONDS = 1_800
MAX_REASON = 200  # characters of what pip printed


class NotInstalled(Exception):
    """It cannot be had; the message is the reason."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    python: str
    version: str
    megabytes: float  # of what was installed, without pip


def environment_of(peer: ModuleType, *, into: Path, python: str, source: str | None) -> Environment:
    """Install a system, if that is not done. Raises `NotInstalled`.

    `source`: a folder with a copy of its repository, for one that is on no package index.
    """
    if hasattr(peer, "REASON"):
        raise NotInstalled(peer.REASON)
    if hasattr(peer, "SOURCE") and not source:
        raise NotInstalled(f"not on a package index: give a copy of {peer.SOURCE} with --source {short(peer)}=FOLDER")
    wanted = interpreter(getattr(peer, "PYTHON", python))
    folder = into / short(peer)
    own = str(folder / "bin" / "python")
    if not is_kept(peer, folder):
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([wanted, "-m", "venv", folder], check=True)
        before = size(folder)
        _pip(own, [one.replace("{source}", source or "").replace("{root}", str(ROOT)) for one in peer.REQUIREMENTS])
        (folder / "installed").write_text(f"{size(folder) - before}")
    megabytes = int((folder / "installed").read_text()) / 1e6
    version = peer.version(source) if hasattr(peer, "version") else _version(own, peer.DISTRIBUTION)
    return Environment(python=own, version=version, megabytes=megabytes)


def is_kept(peer: ModuleType, folder: Path) -> bool:
    """Whether an environment can be used again. Of this repository the code may have changed since."""
    return "{root}" not in peer.REQUIREMENTS and (folder / "installed").exists()


def interpreter(name: str) -> str:
    """The path of a Python. Raises `NotInstalled` if it does not run, such as a shim without its version."""
    found = shutil.which(name)
    if found is None:
        raise NotInstalled(f"{name} is not on the PATH")
    started = subprocess.run([found, "-c", "import venv"], capture_output=True, text=True, check=False)
    if started.returncode:
        said = started.stderr.strip().splitlines() or [f"it ended with {started.returncode}"]
        raise NotInstalled(f"{name} does not run: {said[0][:MAX_REASON]}")
    return found


def short(peer: ModuleType) -> str:
    return peer.__name__.rpartition(".")[2]


def size(folder: Path) -> int:
    """Bytes that the files of a folder take on the disk."""
    found = [path.lstat() for path in folder.rglob("*") if not path.is_symlink()]
    return sum(one.st_blocks * 512 for one in found)


def _pip(python: str, requirements: list[str]) -> None:
    if not requirements:
        return
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", *requirements]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise NotInstalled(f"pip did not end within {INSTALL_SECONDS} seconds") from error
    if ended.returncode:
        said = [line for line in ended.stderr.splitlines() if line.startswith("ERROR")] or ["pip failed"]
        raise NotInstalled(said[-1][:MAX_REASON])


def _version(python: str, distribution: str) -> str:
    if not distribution:
        return ""
    program = f"from importlib.metadata import version; print(version({distribution!r}))"
    return subprocess.run([python, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
