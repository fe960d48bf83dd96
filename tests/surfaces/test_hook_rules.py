"""Rules in what `jotsam hook` prints: none that a file of the repository has, and those about an action."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

PNPM, LOCK, TESTS = "always use pnpm, never npm", "never commit the lock file", "run the tests with two processes"
PUSH = "never push to main without a review"


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture
def shop(jotsam: Shell) -> Shell:
    """A shell with a repository and rules for it."""
    jotsam.env["JOTSAM_RECALL_TIMEOUT_MS"] = "60000"  # A busy machine must not decide what a hook prints.
    (jotsam.home / "shop" / ".git").mkdir(parents=True)
    for rule in (PNPM, LOCK, TESTS, PUSH):
        assert jotsam("rules", "add", rule, "--project", str(jotsam.home / "shop")).returncode == 0
    jotsam("work")
    return jotsam


def given(shell: Shell, event: str, folder: str = "shop", session: str = "s", **fields: str) -> str:
    done = shell.hook(event, session_id=session, cwd=str(shell.home / folder), **fields)
    assert (done.returncode, done.stderr) == (0, "")
    text: str = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""
    return text


def told(shell: Shell, folder: str = "shop") -> list[bool]:
    """Which of four rules the brief of a new session has."""
    brief = given(shell, "SessionStart", folder, source="clear")
    return [rule in brief for rule in (PNPM, LOCK, TESTS, PUSH)]


def test_a_rule_that_a_file_of_the_repository_has_is_not_repeated(shop: Shell) -> None:
    assert told(shop) == [True] * 4
    (shop.home / "shop" / "CLAUDE.md").write_text("# Shop\n\n- Always use pnpm,\n  never npm: it is slow.\n")
    assert told(shop) == [False, True, True, True]
    (shop.home / "shop" / "web" / ".github").mkdir(parents=True)
    (shop.home / "shop" / "web" / ".github" / "copilot-instructions.md").write_text("Never commit the lock file!")
    assert told(shop, "shop/web") == [False, False, True, True]
    assert told(shop) == [False, True, True, True], "a session elsewhere does not read it"
    (shop.home / ".claude").mkdir()
    (shop.home / ".claude" / "CLAUDE.md").write_text("1. Run the tests with two processes.\n")
    assert told(shop) == [False, True, False, True]


def test_a_line_that_says_the_opposite_or_everything_does_not_hide_a_rule(shop: Shell) -> None:
    words = " ".join((PNPM, LOCK, TESTS, PUSH))
    (shop.home / "shop" / "AGENTS.md").write_text(
        f"Push to main without a review.\nCommit the lock file.\nPnpm is nice.\n\n{words * 10}\n"
    )
    assert told(shop) == [True] * 4


@pytest.mark.skipif(os.name != "posix", reason="it makes links and pipes")
def test_a_file_that_is_no_small_text_costs_nothing_and_hides_nothing(shop: Shell) -> None:
    folder = shop.home / "shop"
    (folder / "CLAUDE.md").symlink_to("/dev/zero")
    os.mkfifo(folder / "AGENTS.md")
    (folder / "GEMINI.md").write_text(f"{PNPM}\n" + "x\n" * 200_000)
    (folder / ".cursorrules").write_bytes(b"\xff\xfe\0\n" + LOCK.encode() + b"\n\xff")
    (folder / ".github").symlink_to(folder / ".github")
    (folder / ".claude").mkdir()
    (folder / ".claude" / "CLAUDE.md").symlink_to(Path("/nowhere"))
    assert told(shop) == [True, False, True, True]


def test_a_prompt_that_names_only_an_action_gets_the_rules_about_it(shop: Shell) -> None:
    shop("remember", "We decided to push on Mondays.", "--type", "Decision", "--project", str(shop.home / "shop"))
    shop("work")
    asked = {"push the change": PUSH, "commit": LOCK, "run the tests": TESTS, "Bitte pushen": PUSH, "go on": None}
    asked |= {"Git push": PUSH, "yes": None, "ok": None, "deploy it": None, "/commit": None}
    for number, (prompt, rule) in enumerate(asked.items()):
        found = given(shop, "UserPromptSubmit", session=f"p{number}", prompt=prompt)
        assert [one for one in (PNPM, LOCK, TESTS, PUSH) if one in found] == ([rule] if rule else []), prompt
        assert "Mondays" not in found
        assert bool(found) == bool(rule)
    assert given(shop, "UserPromptSubmit", session="p0", prompt="push the change again") == "", "it was given"
