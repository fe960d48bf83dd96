"""`jotsam install git`: a block in the hook of a repository, which stores commits and can be removed again."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


class Repository:
    """A git repository with the hook of an installed Jotsam."""

    def __init__(self, shell: Shell) -> None:
        self.shell, self.folder = shell, shell.home / "shop"
        self.folder.mkdir()
        self.hook = self.folder / ".git" / "hooks" / "post-commit"
        self.env = shell.env | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        self.git("init", "--quiet", "--template=")
        shell.home = self.folder  # where its commands run

    def git(self, *arguments: str) -> str:
        command = ("git", "-c", "user.name=Ana", "-c", "user.email=ana@example.org", *arguments)
        return subprocess.run(command, cwd=self.folder, env=self.env, check=True, capture_output=True, text=True).stdout

    def commit(self, message: str) -> None:
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def write_hook(self, text: str) -> None:
        self.hook.parent.mkdir(exist_ok=True)
        self.hook.write_text(text)
        self.hook.chmod(0o755)


@pytest.fixture
def repository(jotsam: Shell) -> Repository:
    assert jotsam("migrate").returncode == 0
    return Repository(jotsam)


def test_commits_are_stored_until_it_is_uninstalled(repository: Repository) -> None:
    shell = repository.shell
    done = shell.json("install", "git")
    assert (done["scope"], done["applied"], done["self_test"]["level"]) == ("project", True, "ok")
    repository.commit("Round prices half up in the cart")
    assert [one["text"] for one in shell.json("list")["memories"]] == ["Round prices half up in the cart"]
    assert shell("install", "git").stdout.count("already installed") == 1
    assert shell("uninstall", "git").returncode == 0
    assert not repository.hook.exists()
    repository.commit("Send the invoice as an attachment")
    assert len(shell.json("list")["memories"]) == 1


def test_a_hook_of_others_keeps_working_and_its_bytes(repository: Repository) -> None:
    before = "#!/usr/bin/env bash\necho ran >> ran.log\nexit 0\n"
    repository.write_hook(before)
    shell = repository.shell
    assert shell("install", "git").returncode == 0
    repository.commit("Round prices half up in the cart")
    assert (repository.folder / "ran.log").read_text() == "ran\n"
    assert len(shell.json("list")["memories"]) == 1
    assert shell("uninstall", "git").returncode == 0
    assert repository.hook.read_text() == before
    assert os.access(repository.hook, os.X_OK)


def test_what_cannot_be_edited_is_named_and_not_changed(repository: Repository) -> None:
    shell = repository.shell
    done = shell("install", "git", "--scope", "user")
    assert (done.returncode, "invalid scope 'user': git has only project" in done.stderr) == (1, True)
    repository.write_hook("#!/usr/bin/env python3\n")
    assert "is not that of a shell script; nothing was changed" in shell("install", "git").stderr
    assert repository.hook.read_text() == "#!/usr/bin/env python3\n"
    repository.git("config", "core.hooksPath", ".husky/_")
    done = shell("install", "git")
    assert "sets core.hooksPath to .husky/_" in done.stderr
    assert "hook --harness git" in done.stderr
    shell.home = Path(shell.env["HOME"])
    assert "is not a git repository" in shell("install", "git").stderr
