"""The commands for many users: --actor, --upsert, blocks, and the initial load."""

from __future__ import annotations

import json
from pathlib import Path

from jotsam import Jotsam


def test_a_folder_is_loaded_for_an_actor_and_again_adds_only_what_changed(jotsam, tmp_path: Path) -> None:
    folder = tmp_path / "profile"
    folder.mkdir()
    (folder / "a.md").write_text("# Ana\n\nAna is a doctor in Bonn.\n")
    (folder / "b.md").write_text("# Tea\n\nAna drinks tea.\n")
    load = ("add", str(folder), "--project", "clinic", "--actor")
    assert jotsam(*load, "ana").stdout.splitlines()[-1] == "2 documents accepted"
    (folder / "b.md").write_text("# Tea\n\nAna drinks green tea.\n")
    assert jotsam(*load, "ana").stdout.splitlines()[-1] == "1 document accepted, 1 known already"
    assert jotsam(*load, "bob").stdout.splitlines()[-1] == "2 documents accepted"
    assert jotsam("work").returncode == 0
    hits = json.loads(jotsam("recall", "tea", "--actor", "ana", "--json").stdout)["hits"]
    assert {hit["actor"] for hit in hits} == {"ana"}
    assert [hit["text"] for hit in hits if "tea" in hit["text"]] == ["# Tea\n\nAna drinks green tea."]
    assert json.loads(jotsam("recall", "tea", "--actor", "eve", "--json").stdout)["hits"] == []


def test_a_memory_is_changed_by_its_key(jotsam) -> None:
    first = jotsam("remember", "Ana uses Vim.", "--upsert", "--key", "ana/editor", "--tag", "tool")
    assert first.stdout.startswith("accepted  ")
    second = jotsam("remember", "Ana uses Helix.", "--upsert", "--key", "ana/editor")
    assert second.stdout.startswith("updated   ")
    assert "version 2" in second.stdout
    assert jotsam("remember", "Ana uses Helix.", "--upsert", "--key", "ana/editor").stdout.startswith("unchanged ")
    assert jotsam.json("show", "--key", "ana/editor")["memory"]["text"] == "Ana uses Helix."
    (memory,) = json.loads(jotsam("list", "--tag", "tool", "--json").stdout)["memories"]
    assert memory["text"] == "Ana uses Helix."
    assert jotsam("remember", "x", "--upsert").returncode == 2


def test_lines_are_stored_by_their_keys(jotsam):
    lines = '{"key": "a", "text": "One.", "tags": ["t"]}\n{"key": "b", "text": "Two."}\n"no key"\n'
    first = jotsam("remember", "--lines", "-", "--upsert", input=lines)
    assert (first.returncode, first.stdout) == (1, "accepted  2 memories\n")
    assert "line 3: an item has no key" in first.stderr
    more = '{"key": "a", "text": "One more."}\n{"key": "b", "text": "Two."}\n{"key": "c", "text": "Three."}\n'
    assert jotsam("remember", "--lines", "-", "--upsert", input=more).stdout == (
        "accepted  3 memories, 1 of them updated, 1 of them unchanged\n"
    )
    memory = jotsam.json("show", "--key", "a")["memory"]
    assert (memory["text"], memory["version"], memory["tags"]) == ("One more.", 2, ["t"])
    assert jotsam("remember", "--lines", "-", "--upsert", "--key", "a", input=more).returncode == 2


def test_blocks_are_set_printed_extended_and_deleted(jotsam) -> None:
    assert jotsam("blocks", "set", "human", "Ana.", "--limit", "30", "--no-pin", "--actor", "ana").returncode == 0
    assert jotsam("blocks", "append", "human", "A doctor.", "--actor", "ana", "--version", "1").returncode == 0
    assert jotsam("blocks", "get", "human", "--actor", "ana").stdout.count("A doctor.") == 1
    assert jotsam("blocks", "get", "human").returncode == 1
    (block,) = json.loads(jotsam("blocks", "--actor", "ana", "--json").stdout)["blocks"]
    assert (block["pinned"], block["limit"], block["version"]) == (False, 30, 2)
    assert "14 of 30" in jotsam("blocks", "list").stdout
    full = jotsam("blocks", "append", "human", "And a rower on the Rhine.", "--actor", "ana")
    assert (full.returncode, "its limit is 30" in full.stderr) == (1, True)
    assert jotsam("blocks", "delete", "human", "--actor", "ana", "--version", "1").returncode == 1
    assert jotsam("blocks", "delete", "human", "--actor", "ana").stdout == "deleted   human\n"


def test_a_list_of_documents_is_loaded_with_a_receipt_each(tmp_path: Path) -> None:
    with Jotsam(tmp_path / "jotsam.db", worker="off") as memory:
        ana, bob = memory.scoped(actor="ana"), memory.scoped(actor="bob")
        for one in (ana, bob):
            results = one.add_many([{"text": "Likes tea.", "source": "profile.md"}, "", {"text": "Rows."}])
            assert [result.error is None for result in results] == [True, False, True]
            assert not any(result.receipt.duplicate for result in results if result.receipt)
        bob.add("Likes milk.", source="profile.md")
        memory.work()
        found = {(one.actor, one.text) for one in memory.list(source="profile.md").memories}
        assert found == {("ana", "Likes tea."), ("bob", "Likes milk.")}
