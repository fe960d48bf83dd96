"""A day with the program on systems that lack what Linux has, and with what people have elsewhere.

Each is a real process from which `tests/lacks` takes something away before it starts. docs/platforms.md says what was
run on which system.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from processes import PATIENCE, until

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

pytestmark = pytest.mark.no_database

LACKS = Path(__file__).parents[1] / "lacks"
KESTREL = "The invoices of Kestrel are due on the fifth."


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture
def without(jotsam: Shell, tmp_path: Path) -> Iterator[Callable[..., Shell]]:
    """The program without something, in a home of its own, which other programs may have named as they like."""

    def make(*lacks: str, home: Path | None = None, **env: str) -> Shell:
        shell = type(jotsam)(home or tmp_path)
        shell.home.mkdir(parents=True, exist_ok=True)
        places = [str(LACKS), *filter(None, [os.environ.get("PYTHONPATH")])]
        shell.env |= {"PYTHONPATH": os.pathsep.join(places), "LACKS": " ".join(lacks), **env}
        shells.append(shell)
        return shell

    shells: list[Shell] = []
    yield make
    for shell in shells:
        for process in shell.started:
            if process.poll() is None:
                process.kill()
            process.communicate()


def fire(shell: Shell, said: str, *, newline: str = "\n") -> bytes:
    """Run the installed hook line as Claude Code does. Returns what it printed."""
    settings = json.loads((shell.home / ".claude" / "settings.json").read_text(encoding="utf-8"))
    line = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"]
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": said, "cwd": str(shell.home)}
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        input=json.dumps(event, indent=1).replace("\n", newline).encode(),
        env=shell.env,
        cwd=shell.home,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def spend_a_day(shell: Shell, document: str = "notes.md", *, newline: str = "\n") -> None:
    """Store a document, let a worker in the background read it, ask, install an agent, and let it hear a prompt."""
    path = shell.home / document
    path.write_bytes(f"# Invoices\n\n{KESTREL}\n".replace("\n", newline).encode())
    added = shell("add", path, JOTSAM_WORKER="auto", JOTSAM_WORKER_IDLE_MS="0")
    assert (added.returncode, added.stderr) == (0, "")
    assert shell("jobs", "wait", JOTSAM_WORKER="auto", JOTSAM_WORKER_IDLE_MS="0").returncode == 0
    installed = shell("install", "claude")
    assert "ok  self-test: the hook stored a prompt" in installed.stdout, installed.stdout + installed.stderr
    assert KESTREL.encode() in fire(shell, "When are the invoices of Kestrel due?", newline=newline)
    found = shell("recall", "invoices")
    assert (found.returncode, found.stderr) == (0, "")
    assert KESTREL in found.stdout
    assert "When are the invoices of Kestrel due?" in found.stdout
    assert " done · 0 failed · 0 dead" in shell("status").stdout
    assert not list(shell.home.rglob("hooks.log"))


def wake(shell: Shell) -> None:
    """Let a worker read a text, wait, and be woken by another text. It ends without an error."""
    worker = shell.start("jobs", "work", "--forever")
    for text in ("The lamp is green.", "The door is blue."):
        assert shell("remember", text).returncode == 0
        assert shell("jobs", "wait").returncode == 0
    worker.terminate()
    _, errors = worker.communicate(timeout=PATIENCE)
    assert errors.splitlines()[1:] == [line for line in errors.splitlines() if "stopping on SIGTERM" in line]


def test_without_proc_and_named_pipes(without: Callable[..., Shell]) -> None:
    shell = without("proc", "named_pipes_here")
    wake(shell)
    spend_a_day(shell)


def test_without_fork_spawn_affinity_and_named_pipes(without: Callable[..., Shell]) -> None:
    shell = without("spawn", "fork", "affinity", "named_pipes")
    wake(shell)
    spend_a_day(shell)


def test_on_macos(without: Callable[..., Shell], tmp_path: Path) -> None:
    shell = without("linux")
    del shell.env["XDG_DATA_HOME"], shell.env["JOTSAM_DB"]
    spend_a_day(shell)
    assert (tmp_path / "Library" / "Application Support" / "jotsam" / "jotsam.db").exists()
    assert not (tmp_path / ".local").exists()


def test_where_upper_and_lower_case_are_one_a_folder_is_one_project(without: Callable[..., Shell]) -> None:
    shell = without("case")
    for name in ("Shop", "Café"):
        (shell.home / name).mkdir()
    for written in ("Shop", "SHOP", "shop", "CAFÉ"):
        folder = str(shell.home / written)
        done = shell.hook("UserPromptSubmit", session_id=written, cwd=folder, prompt=f"We use tabs in {written}.")
        assert (done.returncode, done.stderr) == (0, "")
    shell("jobs", "work")
    projects = [one["project"] for one in shell.json("list")["memories"]]
    assert sorted(projects) == [str(shell.home / "Café"), *[str(shell.home / "Shop")] * 3]


def test_in_a_folder_with_spaces_and_umlauts_whose_path_is_long(without: Callable[..., Shell], tmp_path: Path) -> None:
    """Of 300 characters; the address of a socket has at most 108."""
    home = tmp_path / "Jörg Müller & Söhne (100 %)" / "'Büro'" / ("ü" * 100)
    home /= "o" * (300 - len(str(home)) - 1)
    assert len(str(home)) == 300
    spend_a_day(without(home=home), "Übersicht & Löhne.md")


def test_on_a_console_that_has_few_characters(without: Callable[..., Shell]) -> None:
    shell = without(PYTHONIOENCODING="cp1252")
    said = "Ana zeigt 日本 → λ ✓ für Müller."
    assert shell("remember", said).returncode == 0
    path = shell.file("日本 λ.md", f"{said}\n")
    for command in (("add", path), ("jobs", "work"), ("show", "1"), ("list",), ("status",), ("doctor",), ("--help",)):
        done = subprocess.run(
            shell.command(*command), env=shell.env, cwd=shell.home, capture_output=True, timeout=PATIENCE, check=False
        )
        assert b"Traceback" not in done.stderr, done.stderr
        assert b"charmap" not in done.stderr, done.stderr
        assert done.returncode in ((0, 3, 4) if command[0] == "show" else (0, 3)), done.stderr
    found = subprocess.run(shell.command("recall", "Müller"), env=shell.env, cwd=shell.home, capture_output=True)
    assert "Ana zeigt ?? ? ? ? für Müller.".encode("cp1252") in found.stdout
    assert found.stderr == b""


def test_with_the_line_ends_of_windows(without: Callable[..., Shell]) -> None:
    """An editor of Windows has written the settings, the files of agents and of git, and what is stored."""
    shell = without()
    written = {
        "config/jotsam/config.toml": b'# Settings\r\ntenant = "ana"\r\n',
        ".claude/settings.json": b'{\r\n  "model": "opus"\r\n}\r\n',
        ".claude/CLAUDE.md": b"# Rules\r\n\r\nUse tabs.\r\n",
        ".codex/config.toml": b'model = "gpt"\r\n\r\n[tui]\r\ntheme = "dark"\r\n',
        "shop/.git/config": b'[remote "origin"]\r\n\turl = https://example.com/ana/shop.git\r\n',
        "shop/lib/.jotsam.toml": b'project = "lib"\r\n',
        "shop/lib/notes.csv": b"text,author\r\nThe lamp is green.,Ana\r\n",
    }
    for name, content in written.items():
        shell.file(name).write_bytes(content)
    spend_a_day(shell, newline="\r\n")
    for agent in ("claude", "codex", "claude"):
        assert shell("install", agent, "--instructions").returncode == 0
    for name in (".claude/settings.json", ".claude/CLAUDE.md", ".codex/config.toml"):
        content = (shell.home / name).read_bytes()
        assert b"jotsam" in content
        assert content.count(b"\r\n") == content.count(b"\n"), name
    assert (shell.home / ".claude/CLAUDE.md").read_bytes().count(b"jotsam: begin") == 1
    for agent in ("claude", "codex"):
        assert shell("agents", "uninstall", agent).returncode == 0
    for name, content in written.items():
        assert (shell.home / name).read_bytes() == content, name

    done = shell.hook("UserPromptSubmit", cwd=str(shell.home / "shop" / "lib"), prompt="We use\r\nspaces here.")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\r" not in shell("recall", "spaces invoices").stdout
    projects = {one["project"] for one in shell.json("list")["memories"]}
    assert "example.com/ana/shop#lib" in projects


def test_without_a_home(without: Callable[..., Shell]) -> None:
    """What it needs a home for names what is missing; a database and folders that are named are enough."""
    shell = without("home")
    del shell.env["HOME"]
    assert shell("remember", KESTREL).returncode == 0
    assert KESTREL in shell("recall", "invoices").stdout
    assert shell.hook("UserPromptSubmit", prompt="We use tabs.").returncode == 0
    assert "We use tabs." in shell("list").stdout
    del shell.env["XDG_DATA_HOME"], shell.env["XDG_CONFIG_HOME"]
    shell.env["TMPDIR"] = str(shell.home)
    assert shell("remember", "A database is named, and nothing else.").returncode == 0
    assert shell.hook("UserPromptSubmit", prompt="We use spaces in Makefiles.").returncode == 0
    assert {"A database is named, and nothing else.", "We use spaces in Makefiles."} <= {
        one["text"] for one in shell.json("list")["memories"]
    }
    (shell.home / f"jotsam-{os.getuid()}").symlink_to(shell.home)
    assert "belongs to another user" in shell("recall", "spaces").stderr
    del shell.env["JOTSAM_DB"]
    shell.env["TMPDIR"] = str(shell.home / "empty")
    for command in (("remember", KESTREL), ("install", "claude"), ("status",)):
        done = shell(*command)
        assert done.returncode == 1, done.stdout
        assert "no home folder: set HOME" in done.stderr
    assert shell.hook("UserPromptSubmit", prompt="We use tabs.").returncode == 0
    assert not (shell.home / "~").exists()


HOLD = "import sys; file = open(sys.argv[1], 'rb'); print(flush=True); sys.stdin.read()"


@contextmanager
def held(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process has a file open."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.readline()
        yield process
        process.stdin.close()


def test_where_an_open_file_cannot_be_replaced_or_deleted(without: Callable[..., Shell]) -> None:
    """As on Windows. A restore is refused while the database is open, and done otherwise."""
    shell = without("replacing")
    for command in (
        ("remember", KESTREL),
        ("jobs", "work"),
        ("db", "backup", "kept.db"),
        ("export", "all.jsonl"),
        ("config", "set", "llm_daily_tokens", "6"),
        ("install", "claude"),
        ("agents", "capture", "off"),
        ("agents", "capture", "on"),
        ("remember", "The lamp is green."),
    ):
        done = shell(*command)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    log = shell.home / "data" / "jotsam" / "hooks.log"
    log.write_text("x" * 70_000)
    with held(log):
        assert shell("hook", input='{"hook_event_name": "UserPromptSubmit"').returncode == 0
    assert log.stat().st_size < 1_000

    worker = shell.start("jobs", "work", "--forever")
    assert worker.stderr
    assert "working on" in worker.stderr.readline()
    refused = shell("db", "restore", "kept.db")
    assert (refused.returncode, refused.stdout) == (1, ""), refused.stderr
    assert "other processes use it" in refused.stderr
    assert "The lamp is green." in shell("list").stdout
    worker.terminate()
    worker.communicate(timeout=PATIENCE)

    with held(shell.db):  # A program that takes no lock, such as one that makes backups or looks for viruses.
        refused = shell("db", "restore", "kept.db")
        assert "other processes use it" in refused.stderr
    assert "The lamp is green." in shell("list").stdout
    restored = shell("db", "restore", "kept.db")
    assert restored.returncode == 0, restored.stderr
    assert KESTREL in shell("list").stdout
    assert "The lamp is green." not in shell("list").stdout
    (before,) = shell.db.parent.glob("*.before-restore-*Z")
    assert "The lamp is green." in shell("--db", before, "list").stdout
    assert shell("import", "all.jsonl").returncode == 0
    assert shell("forget", "--everything", "--yes").returncode == 0

    config = Path(shell.env["XDG_CONFIG_HOME"]) / "jotsam" / "config.toml"
    (shell.home / "refused").unlink()
    with held(config) as reader:
        setting = shell.start("config", "set", "llm_daily_tokens", "7")
        until((shell.home / "refused").exists)
        assert reader.stdin
        reader.stdin.close()
        reader.wait(PATIENCE)
        assert setting.wait(PATIENCE) == 0
    with held(config):
        refused = shell("config", "set", "llm_daily_tokens", "8", LACKS="replacing patience")
        assert refused.returncode == 1
        assert "another program has it open" in refused.stderr
        assert str(config) in refused.stderr
    assert "llm_daily_tokens = 7" in config.read_text()
