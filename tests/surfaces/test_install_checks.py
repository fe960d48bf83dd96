"""What `jotsam doctor` and `jotsam agents` say of installed agents, and that hooks work through the launcher."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from processes import PATIENCE

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


def launcher(shell: Shell) -> Path:
    return shell.home / "data" / "jotsam" / "bin" / "jotsam"


def line_in(shell: Shell) -> str:
    settings = json.loads((shell.home / ".claude" / "settings.json").read_text())
    return str(settings["hooks"]["Stop"][0]["hooks"][0]["command"])


def fire(shell: Shell, text: str, *, turn: str = "1") -> subprocess.CompletedProcess[bytes]:
    """Run the installed hook line as Claude Code does."""
    event = {"hook_event_name": "Stop", "session_id": "s", "prompt_id": turn, "last_assistant_message": text}
    return subprocess.run(
        ["/bin/sh", "-c", line_in(shell)],
        input=json.dumps(event).encode(),
        env=shell.env,
        cwd=shell.home,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


def checks(shell: Shell, *arguments: str) -> dict[str, str]:
    """The results of `doctor` about agents: text and repair by level."""
    found = json.loads(shell("doctor", "--json", *arguments).stdout)["checks"]
    wanted = [one for one in found if one["name"] in ("agents", "repaired")]
    return {f"{one['level']} {one['name']}": f"{one['text']} {one['repair']}" for one in wanted}


@pytest.fixture
def kind() -> str:
    return "sqlite"


def test_a_turn_survives_that_the_program_moves_and_is_stored_after_the_repair(jotsam: Shell) -> None:
    jotsam("migrate")
    assert "self-test: the hook stored a prompt" in jotsam("install", "claude").stdout
    script = launcher(jotsam).read_text()
    assert (fire(jotsam, "We use tabs.").returncode, jotsam("agents").returncode) == (0, 0)

    target = next(line for line in script.splitlines() if line.startswith("program="))
    launcher(jotsam).write_text(script.replace(target, "program=/gone/jotsam"))
    done = fire(jotsam, "We use SQLite.", turn="2")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (kept,) = (jotsam.home / "data" / "jotsam" / "hooks.spool").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.read_text().splitlines()[:3] == ["hook --harness claude", str(jotsam.home), f"JOTSAM_DB={jotsam.db}"]

    assert "which does not exist" in checks(jotsam)["fail agents"]
    assert jotsam("agents").returncode == 3
    broken = subprocess.run([launcher(jotsam), "mcp"], env=jotsam.env, capture_output=True, text=True, check=False)
    assert (broken.returncode, broken.stdout) == (127, "")
    assert "error: /gone/jotsam is missing: run `jotsam install` again" in broken.stderr

    repaired = checks(jotsam, "--repair")
    assert "fail agents" not in repaired
    assert str(launcher(jotsam)) in repaired["ok repaired"]
    assert launcher(jotsam).read_text() == script
    jotsam("work")
    assert "We use SQLite." in jotsam("list").stdout


def test_a_hook_is_silent_where_its_program_is_missing(jotsam: Shell) -> None:
    """As in a container that mounts the settings alone."""
    jotsam("migrate")
    jotsam("install", "claude")
    launcher(jotsam).rename(jotsam.home / "elsewhere")
    done = fire(jotsam, "We use tabs.")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (jotsam.home / "elsewhere").rename(launcher(jotsam))
    assert fire(jotsam, "We use tabs.").returncode == 0
    assert "We use tabs." in jotsam("list").stdout


def test_doctor_says_that_codex_ignores_hooks_until_they_are_trusted(jotsam: Shell) -> None:
    installed = jotsam("install", "codex")
    assert "type /hooks" in installed.stderr
    assert "type /hooks" in checks(jotsam)["warn agents"]
    hooks = json.loads((jotsam.home / ".codex" / "hooks.json").read_text())["hooks"]
    command = hooks["UserPromptSubmit"][0]["hooks"][0]["command"]
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "turn_id": "1", "prompt": "We use tabs."}
    jotsam("migrate")
    subprocess.run(
        ["/bin/sh", "-c", command], input=json.dumps(event).encode(), env=jotsam.env, cwd=jotsam.home, check=True
    )
    assert "last turn" in checks(jotsam)["ok agents"]
    (one,) = json.loads(jotsam("agents", "--json").stdout)["agents"]
    assert (one["agent"], one["last_turn_at"] >= one["installed_at"]) == ("codex", True)


def test_doctor_names_a_file_that_lost_our_entries(jotsam: Shell) -> None:
    jotsam("install", "cursor")
    path = jotsam.home / ".cursor" / "hooks.json"
    path.write_text('{"version": 1}')
    found = checks(jotsam)
    assert f"{path} no longer has the entries of Jotsam" in found["warn agents"]
    assert "jotsam install cursor" in found["warn agents"]
    os.unlink(path)
    assert f"{path} cannot be read: No such file" in checks(jotsam)["warn agents"]
    jotsam("install", "cursor")
    assert "warn agents" not in checks(jotsam)


def test_the_command_line_shows_the_changes_and_says_what_they_mean(jotsam: Shell) -> None:
    dry = jotsam("install", "claude", "--dry-run")
    assert dry.returncode == 0
    assert not (jotsam.home / ".claude").exists()
    for text in (
        "create     ~/.claude/settings.json",
        '+  "hooks": {',
        "nothing leaves",
        "`jotsam agents capture off`",
    ):
        assert text in dry.stdout
    assert "nothing was changed" in dry.stdout

    first = jotsam.json("install", "claude")
    assert (first["applied"], [one["change"] for one in first["files"]]) == (True, ["create", "create"])
    assert first["self_test"]["level"] == "ok"
    assert "already installed" in jotsam("install", "claude").stdout
    assert "capture is off" in jotsam("install", "claude", JOTSAM_CAPTURE="0").stdout

    gone = jotsam("uninstall", "claude")
    assert "uninstalled" in gone.stdout
    assert "not installed" in jotsam("uninstall", "claude").stdout
    assert jotsam.json("agents")["agents"] == []
    assert not (jotsam.home / ".claude.json").exists()


def test_a_moved_environment_is_repaired_by_its_own_program_or_says_what_to_do(jotsam: Shell, tmp_path: Path) -> None:
    jotsam("install", "cursor")
    launcher(jotsam).unlink()
    scripts = tmp_path / "moved" / "bin"
    scripts.mkdir(parents=True)
    code = (
        "import sys; from jotsam.admin.agents import agent_checks, launcher\n"
        f"sys.executable = {str(scripts / 'python')!r}\n"
        "print(launcher.problem()); print(*[one.text for one in agent_checks.repaired()]); print(launcher.problem())"
    )

    def lines() -> list[str]:
        return subprocess.run(
            [sys.executable, "-c", code], env=jotsam.env, capture_output=True, text=True, check=True
        ).stdout.splitlines()

    assert f"{scripts / 'jotsam'} does not exist" in lines()[1]
    script = scripts / "jotsam"
    script.write_text("#!/gone/bin/python\n")
    script.chmod(0o700)
    assert f"{script} needs /gone/bin/python, which does not exist: install the package again" in lines()[1]
    script.write_text(f"#!{sys.executable}\n")
    assert lines() == [
        f"{launcher(jotsam)} does not exist: agents cannot start Jotsam",
        f"{launcher(jotsam)} runs {script}",
        "None",
    ]


def test_the_folder_of_a_plugin_is_printed_for_an_agent_that_has_one(jotsam: Shell) -> None:
    for arguments, manifest in (((), ".claude-plugin/plugin.json"), (("gemini",), "gemini-extension.json")):
        folder = Path(jotsam("agents", "--plugin-folder", *arguments).stdout.strip())
        assert (folder / manifest).exists()
    refused = jotsam("agents", "--plugin-folder", "codex")
    assert refused.stderr == "error: there is no folder of a plugin for Codex CLI: use `jotsam install codex`\n"
    assert refused.returncode == 1
