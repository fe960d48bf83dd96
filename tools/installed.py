"""Installs the package in an empty environment and runs what someone runs who has just installed it.

    python -m tools.installed .          the package of this folder, or a wheel or an sdist, by pip

It needs Python with pip, and works on each operating system. `tools/release.py` also does it with pipx and uv.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PROGRAMS = "Scripts" if sys.platform == "win32" else "bin"
MAN_PAGE = Path("share", "man", "man1", "jotsam.1")
AGENT = "codex"  # Its hooks are run by PowerShell on Windows.
TEXT, QUESTION, FOUND = "The invoices of Kestrel are due on the fifth.", "when are the invoices due?", "on the fifth"


class Failed(Exception):
    """A step failed; the message says which and why."""


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    try:
        with tempfile.TemporaryDirectory(prefix="jotsam-installed-", ignore_cleanup_errors=True) as folder:
            package = Path(sys.argv[1]).resolve()
            install_with_pip(Path(folder), package)
            try_without_the_package(Path(folder), package)
    except Failed as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def install_with_pip(folder: Path, package: Path) -> Path:
    """Returns the environment, which has nothing but the package and what it needs, not even pip."""
    environment = folder / "environment"
    run(sys.executable, "-m", "venv", "--without-pip", str(environment))
    own = str(environment / PROGRAMS / "python")
    run(sys.executable, "-m", "pip", "--python", own, "install", "--quiet", str(package))
    if not (environment / MAN_PAGE).exists():
        raise Failed(f"{package.name} installs no man page")
    try_out(environment / PROGRAMS / "jotsam", folder, f"pip install {package.name}")
    return environment


def try_without_the_package(folder: Path, package: Path) -> None:
    """The hook of a package that was uninstalled is silent and keeps its turn, of which another installation tells."""
    environment, other = folder / "environment", folder / "other"
    home, env = place_of(folder)
    program = str(environment / PROGRAMS / "jotsam")
    pip = (sys.executable, "-m", "pip", "--python", str(environment / PROGRAMS / "python"))
    run(*pip, "uninstall", "--quiet", "--yes", "jotsam")
    fire(home, env, "The invoices of Merlin are due on the ninth.")
    run(sys.executable, "-m", "venv", "--without-pip", str(other))
    own = str(other / PROGRAMS / "python")
    run(sys.executable, "-m", "pip", "--python", own, "install", "--quiet", str(package))
    second = str(other / PROGRAMS / "jotsam")
    told = run(second, "doctor", env=env, cwd=home, codes=(0, 1, 3))
    if program not in told or "which does not exist" not in told:
        raise Failed(f"`jotsam doctor` does not tell that {program} was uninstalled\n{told}")
    run(second, "doctor", "--repair", env=env, cwd=home, codes=(0, 1, 3))
    fire(home, env, "The invoices of Falcon are due on the tenth.")
    run(second, "jobs", "wait", env=env, cwd=home)
    for name in ("Merlin", "Falcon"):
        if name not in run(second, "recall", f"invoices of {name}", env=env, cwd=home):
            raise Failed(f"a turn of a hook is lost: that of {name}")
    say("uninstall", "a hook without its program is silent, `jotsam doctor` tells it, and no turn is lost")


def install_with_pipx(folder: Path, package: Path) -> None:
    places = {"PIPX_HOME": folder / "home", "PIPX_BIN_DIR": folder / "bin", "PIPX_MAN_DIR": folder / "man"}
    env = {name: str(place) for name, place in places.items()}
    pipx = (sys.executable, "-m", "pipx")
    run(*pipx, "install", "--python", sys.executable, str(package), env=env)
    try_out(folder / "bin" / "jotsam", folder, f"pipx install {package.name}")
    run(*pipx, "install", "--force", "--python", sys.executable, str(package), env=env)
    still_hears(folder, "pipx install --force")


def install_with_uv(folder: Path, package: Path) -> None:
    env = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    command = (sys.executable, "-m", "uv", "tool", "install", "--quiet", "--no-config", "--python", sys.executable)
    run(*command, str(package), env=env)
    try_out(folder / "bin" / "jotsam", folder, f"uv tool install {package.name}")
    run(*command, "--reinstall", str(package), env=env)
    still_hears(folder, "uv tool install --reinstall")
    ran = (sys.executable, "-m", "uv", "tool", "run", "--quiet", "--no-config", "--python", sys.executable)
    say("install", f"uvx: {run(*ran, '--from', str(package), 'jotsam', '--version', env=env).strip()}")


def start_bundle(folder: Path, bundle: Path) -> None:
    """Unpack a bundle, start its server as an MCP client does, and list its tools. Raises `Failed`."""
    with zipfile.ZipFile(bundle) as file:
        file.extractall(folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    config = manifest["server"]["mcp_config"]
    if config["command"] != "uv":
        raise Failed(f"{bundle.name} is started by {config['command']!r}, and only uv is known here")
    words = [word.replace("${__dirname}", str(folder)) for word in config["args"]]
    about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    given = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in messages)
    home = folder / "user"
    home.mkdir()
    env = {"JOTSAM_DB": str(home / "jotsam.db"), "UV_PYTHON": sys.executable}
    printed = run(sys.executable, "-m", "uv", *words, env=env, cwd=home, given=given)
    answers = {one["id"]: one["result"] for one in map(json.loads, printed.splitlines())}
    names = [tool["name"] for tool in answers[2]["tools"]]
    if names != [tool["name"] for tool in manifest["tools"]] or answers[1]["serverInfo"]["name"] != "jotsam":
        raise Failed(f"{bundle.name} answered {printed!r}")
    say("bundle", f"{bundle.name}, {bundle.stat().st_size:,} bytes, started by uv: {', '.join(names)}")


def try_out(program: Path, folder: Path, by: str) -> None:
    """Store a memory in an empty home, let the background worker read it, and ask. Raises `Failed`."""
    home, env = place_of(folder)
    home.mkdir()
    asked = (("--version",), ("remember", TEXT), ("jobs", "wait"), ("recall", QUESTION), ("doctor",))
    commands = (*asked, ("install", AGENT))  # which runs the hook once
    printed = {words[0]: run(str(program), *words, env=env, cwd=home) for words in commands}
    if not printed["--version"].startswith("jotsam "):
        raise Failed(f"{by}: `jotsam --version` printed {printed['--version']!r}")
    if FOUND not in printed["recall"] or "pending" in printed["recall"]:
        raise Failed(f"{by}: `jotsam recall` printed {printed['recall']!r}")
    names = ", ".join(" ".join(words[:2] if words[0] == "jobs" else words[:1]) for words in commands)
    say("install", f"{by}: {printed['--version'].strip()}; {names}")


def place_of(folder: Path) -> tuple[Path, dict[str, str]]:
    """The home folder of a user, and the environment."""
    home = folder / "user"
    places = {name: str(home) for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")}
    return home, {**places, "JOTSAM_DB": str(home / "jotsam.db"), "JOTSAM_WORKER_IDLE_MS": "0"}


def fire(home: Path, env: Mapping[str, str], prompt: str) -> None:
    """Run the installed hook as its agent does. Raises `Failed` if it does not exit with 0, or prints an error."""
    hooks = json.loads((home / f".{AGENT}" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    line = hooks["UserPromptSubmit"][0]["hooks"][0]["command"]
    shell = ("powershell", "-NoProfile", "-Command") if sys.platform == "win32" else ("/bin/sh", "-c")
    event = {"hook_event_name": "UserPromptSubmit", "session_id": prompt, "cwd": str(home), "prompt": prompt}
    done = subprocess.run(
        [*shell, line], cwd=home, env={**os.environ, **env}, input=json.dumps(event).encode(), capture_output=True
    )
    if done.returncode or done.stderr:
        raise Failed(f"`{line}` ended with {done.returncode}: {done.stderr.decode(errors='replace')}")


def still_hears(folder: Path, after: str) -> None:
    """A hook that was installed before something works after it. Raises `Failed`."""
    home, env = place_of(folder)
    fire(home, env, "The invoices of Osprey are due on the eleventh.")
    kept = list(home.rglob("*.event"))
    if kept:
        raise Failed(f"after `{after}` the hook cannot start the program, and kept its turn in {kept[0]}")
    say("install", f"{after}: hooks that were installed before work")


def run(
    *command: str,
    env: Mapping[str, str] | None = None,
    cwd: Path = ROOT,
    umask: int = -1,
    given: str = "",
    codes: Sequence[int] = (0,),
) -> str:
    """What a command printed that was `given` this. Raises `Failed`, also for another exit code than `codes`.

    Settings of Jotsam and Python in the environment do not count.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JOTSAM_", "PYTHON", "XDG_"))}
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**kept, **(env or {})},
            input=given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            umask=umask,
        )
    except OSError as error:
        raise Failed(f"`{shown(command)}`: {error}") from error
    if done.returncode not in codes:
        raise Failed(f"`{shown(command)}` ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def shown(command: Sequence[str]) -> str:
    return " ".join([Path(command[0]).name, *command[1:]])


def say(step: str, text: str) -> None:
    print(f"ok    {step:12} {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
