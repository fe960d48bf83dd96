"""`jotsam hook --harness git`: commits that say something become memories, once."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jotsam.ingest import commits

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

SAYING = [
    "Use PostgreSQL for the orders service",
    "fix(cart): round prices half up",
    "登录改用短信验证码",
    "Merge main\n\nIt fixes the cart.",
]
NOTHING = [
    "wip",
    "fix typo",
    "fixup! Use PostgreSQL for orders\n\nbody",
    "Merge branch 'main' into x",
    "chore: bump version",
    ".",
]


@pytest.mark.parametrize("message", SAYING)
def test_a_message_that_says_what_was_done_is_kept(message: str) -> None:
    event = commits.event_of(f"1772000000\0Ana\0{message}\n\0\na.py\0b/c.py\0", "/home/ana/shop")
    assert event is not None
    assert (event.text, event.actor) == (f"{message}\n\nChanged files: a.py, b/c.py", "Ana")


@pytest.mark.parametrize("message", NOTHING)
def test_a_message_that_says_nothing_is_passed_over(message: str) -> None:
    assert commits.event_of(f"1772000000\0Ana\0{message}\n\0\na.py\0", "/home/ana/shop") is None


def test_trailers_and_long_lists_of_files_are_shortened() -> None:
    files = "".join(f"{number}.py\0" for number in range(25))
    message = "Round prices half up in the cart\n\nSigned-off-by: Ana <a@b.org>\nReviewed-by: Bo <b@b.org>"
    event = commits.event_of(f"1772000000\0Ana\0{message}\0\n{files}", "/home/ana/shop")
    assert event is not None
    assert event.text.startswith("Round prices half up in the cart\n\nChanged files: 0.py")
    assert event.text.endswith("19.py and 5 more")


def test_the_commits_of_a_repository_are_stored_once_also_after_a_rebase(jotsam: Shell) -> None:
    shop = jotsam.home / "shop"
    shop.mkdir()
    assert jotsam("migrate").returncode == 0
    # Git reads no configuration of this machine, and the hook finds this interpreter.
    env = jotsam.env | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*arguments: str) -> str:
        given = ("git", "-c", "user.name=Ana", "-c", "user.email=ana@example.org", *arguments)
        return subprocess.run(given, cwd=shop, env=env, check=True, capture_output=True, text=True).stdout

    git("init", "--quiet")
    hook = shop / ".git" / "hooks" / "post-commit"
    hook.parent.mkdir(exist_ok=True)
    pipe = " ".join(f"'{one}'" for one in jotsam.command("hook", "--harness", "git"))
    hook.write_text(f"#!/bin/sh\ngit log -1 -z --name-only --format='{commits.FORMAT}' | {pipe}\n")
    hook.chmod(0o755)
    for number, message in enumerate(("Add the price list of the shop", "wip", "Round prices half up in the cart")):
        (shop / f"{number}.py").write_text("x")
        git("add", ".")
        git("commit", "--quiet", "--message", message)
    git("rebase", "--quiet", "--force-rebase", "HEAD~2")
    stored = jotsam.json("list")["memories"]
    assert sorted((one["text"], one["actor"], one["project"], one["source"]) for one in stored) == [
        ("Add the price list of the shop\n\nChanged files: 0.py", "Ana", str(shop), "git"),
        ("Round prices half up in the cart\n\nChanged files: 2.py", "Ana", str(shop), "git"),
    ]
    assert Path(stored[0]["session"]).name == "git shop"
