"""What was stored in any way can be forgotten in any way, and then no file has it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

SECRET = "wombatsecret"


def holders(jotsam: Shell) -> list[str]:
    """The files below the home directory that have the word."""
    files = (path for path in jotsam.home.rglob("*") if path.is_file())
    return [path.name for path in files if SECRET.encode() in path.read_bytes().lower()]


def test_what_was_stored_in_five_ways_is_forgotten_in_five_ways(jotsam: Shell) -> None:
    note = jotsam.home / "diary.md"
    note.write_text(f"# Diary\n\nA {SECRET} in a document.\n")
    jotsam("add", str(note))
    note.unlink()
    jotsam("remember", f"One {SECRET} is my salary.", "--tag", "private")
    jotsam("remember", f"One {SECRET} is my doctor.", "--project", "health")
    turn = {"session_id": "talk", "hook_event_name": "UserPromptSubmit", "prompt": f"A {SECRET} said to an agent."}
    jotsam("hook", "UserPromptSubmit", input=json.dumps(turn))
    updated = jotsam.json("remember", "We chose tabs.")["receipt"]["id"]
    jotsam("update", updated, "--text", f"We chose a {SECRET}.")
    jotsam("work")
    assert jotsam.json("recall", SECRET)["coverage"]["total"] == 5

    preview = jotsam("forget", "--tag", "private")
    assert "would forget 1 memory" in preview.stdout
    assert jotsam.json("recall", SECRET)["coverage"]["total"] == 5
    for way in (["--tag", "private"], ["--project", "health"], ["--session", "talk"], [updated], ["--query", SECRET]):
        assert jotsam("forget", *way, "--yes").stdout.startswith("forgot "), way
    assert jotsam.json("recall", SECRET)["hits"] == []
    assert jotsam.json("list", "--history")["memories"] == []
    assert holders(jotsam) == []


def test_forgetting_names_backups_that_may_still_have_it(jotsam: Shell) -> None:
    id = jotsam.json("remember", f"One {SECRET} is my salary.")["receipt"]["id"]
    jotsam("work")
    jotsam("backup")
    done = jotsam("forget", id, "--yes")
    assert "1 backup was made before and may still have it" in done.stderr
    assert len(holders(jotsam)) == 1


def test_a_person_is_forgotten_everywhere_with_a_preview_and_a_second_search(jotsam: Shell) -> None:
    jotsam("remember", "Wanda Quixley works at Globex.")
    jotsam("work")
    jotsam("remember", "The phone number of Wanda Quixley is 555 0199.")
    jotsam("remember", "Wanda sails.")
    jotsam("blocks", "set", "persona", "Wanda Quixley pays.")
    preview = jotsam("forget", "--person", "Wanda Quixley")
    for said in ("1  memories mention them", "1  memory blocks", "only its words match", "555 0199", "would forget 2"):
        assert said in preview.stdout, said
    assert "1 text has only 'wanda', and would stay: --person wanda" in preview.stderr
    both = ("forget", "--person", "Wanda Quixley", "--person", "Wanda")
    done = jotsam(*both, "--yes")
    assert "0 left" in done.stdout
    assert "forgot 3 memories" in done.stdout
    assert jotsam.json(*both, "--yes")["receipt"]["left"] == []
    files = (path for path in jotsam.home.rglob("*") if path.is_file())
    assert [path.name for path in files if b"quixley" in path.read_bytes().lower()] == []
    assert "give it without ids" in jotsam("forget", "--person", "x", "--tag", "y").stderr
