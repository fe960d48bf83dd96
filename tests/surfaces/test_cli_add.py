"""`jotsam add` and `jotsam remember`: text is stored and found immediately, or refused with an error."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jotsam.core.settings import Settings
from jotsam.ingest import capture
from processes import until

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


@pytest.mark.on_both
def test_add_prints_a_receipt_and_the_text_is_found_before_a_worker_runs(jotsam: Shell) -> None:
    done = jotsam("add", jotsam.file("note.md", "Ana moved to Bonn.\n"))
    word, id, _, job, name = done.stdout.split()
    assert (done.returncode, word, job, len(id)) == (0, "accepted", "1", 36)
    assert name.endswith("note.md")
    answer = jotsam("recall", "where", "did", "Ana", "move")
    assert "Ana moved to Bonn." in answer.stdout
    assert "1 pending" in answer.stdout


def test_add_starts_a_worker_that_drains_the_queue_and_exits(jotsam: Shell) -> None:
    jotsam.env |= {"JOTSAM_WORKER": "auto", "JOTSAM_WORKER_IDLE_MS": "0"}
    jotsam("add", jotsam.file("note.md", "Ana moved to Bonn.\n"))
    assert jotsam("wait").returncode == 0
    until(lambda: jotsam.json("status")["status"]["worker"] == "none")
    status = jotsam.json("status")["status"]
    assert status["depth"]["dead"] == 0
    assert status["memories"] == status["enriched"] == 1
    log = Path(f"{jotsam.db}.log")
    until(lambda: "stopped after 2 jobs" in log.read_text())
    assert log.stat().st_mode & 0o777 == 0o600


def test_the_background_worker_imports_nothing_from_the_current_directory(jotsam: Shell) -> None:
    jotsam.file("logging.py", "raise SystemExit('a stranger was here')")
    jotsam("add", jotsam.file("note.md"), JOTSAM_WORKER="auto", JOTSAM_WORKER_IDLE_MS="0")
    log = Path(f"{jotsam.db}.log")
    until(lambda: log.read_text())
    assert "a stranger was here" not in log.read_text()


@pytest.mark.on_both
def test_the_same_file_twice_is_a_duplicate(jotsam: Shell) -> None:
    path = jotsam.file("note.md")
    first = jotsam.json("add", path)["receipts"][0]
    (jotsam.home / "elsewhere").mkdir()
    second = jotsam.json("add", "./elsewhere/../note.md")["receipts"][0]
    assert second == {**first, "name": "./elsewhere/../note.md", "duplicate": True}


@pytest.mark.on_both
def test_files_with_the_same_name_are_different_sources(jotsam: Shell) -> None:
    one, two = jotsam.file("a/README.md", "about apples"), jotsam.file("b/README.md", "about pears")
    jotsam("add", one, two, "--project", "fruit")
    jotsam("work")
    found = jotsam.json("recall", "about")["hits"]
    assert {hit["source"] for hit in found} == {"~/a/README.md", "~/b/README.md"}


def test_project_and_date_default_to_the_git_repository_and_modification_time_of_the_file(jotsam: Shell) -> None:
    (jotsam.home / "shop" / ".git").mkdir(parents=True)
    path = jotsam.file("shop/docs/note.md")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    id = jotsam.json("add", path)["receipts"][0]["id"]
    document = jotsam.json("show", id)["document"]
    assert (document["project"], document["date"]) == (str(jotsam.home / "shop"), "2023-11-14T22:13:20.000Z")
    assert document["source"] == "~/shop/docs/note.md"


@pytest.mark.on_both
def test_options_override_the_defaults_of_a_file(jotsam: Shell) -> None:
    path = jotsam.file("note.md")
    id = jotsam.json("add", path, "--project=garden", "--date", "2026-03-01", "--key", "k")["receipts"][0]["id"]
    document = jotsam.json("show", id)["document"]
    assert (document["project"], document["date"]) == ("garden", "2026-03-01T00:00:00.000Z")
    assert jotsam.json("add", jotsam.file("other.md", "else"), "--key", "k")["receipts"][0]["id"] == id


def test_standard_input_has_no_source(jotsam: Shell) -> None:
    id = jotsam.json("add", "-", input="Ana moved to Bonn.")["receipts"][0]["id"]
    assert jotsam.json("show", id)["document"]["source"] is None


@pytest.mark.on_both
def test_valid_files_are_accepted_and_an_error_names_each_other_file(jotsam: Shell) -> None:
    good = [jotsam.file("one.md", "the first"), jotsam.file("two.md", "the second")]
    binary, empty = jotsam.home / "image.png", jotsam.file("empty.md", " \n")
    binary.write_bytes(b"\x89PNG\0\0")
    done = jotsam("add", good[0], "missing.md", binary, empty, good[1])
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["accepted", "accepted"]
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert ["missing.md" in errors[0], "binary" in errors[1], "empty" in errors[2]] == [True] * 3
    assert jotsam.json("status")["status"]["documents"] == 2


def test_a_fifo_and_a_device_are_errors_and_do_not_block(jotsam: Shell) -> None:
    path = jotsam.file("notes/a.md")
    os.mkfifo(jotsam.home / "notes" / "fifo.md")
    (jotsam.home / "notes" / "zero.md").symlink_to("/dev/zero")
    done = jotsam("add", "notes", "notes/fifo.md")
    assert (done.returncode, done.stdout.count("accepted  ")) == (1, 1), path
    assert done.stderr.count("error: notes/fifo.md is a FIFO, not a regular file\n") == 1
    assert "error: notes/zero.md is a device, not a regular file\n" in done.stderr
    assert "hint: to add the output of a program: PROGRAM | jotsam add -\n" in done.stderr


def test_an_unreadable_file_is_an_error(jotsam: Shell, unprivileged: bool) -> None:
    path = jotsam.file("note.md")
    path.chmod(0)
    done = jotsam("add", path, unprivileged=unprivileged)
    assert (done.returncode, "Permission denied" in done.stderr) == (1, True)


@pytest.mark.no_database
def test_no_database_is_created_if_no_file_can_be_read(jotsam: Shell) -> None:
    assert jotsam("add", "missing.md").returncode == 1
    assert not jotsam.db.exists()


def test_bytes_that_are_not_utf_8_are_replaced_and_counted(jotsam: Shell) -> None:
    path = jotsam.home / "old.md"
    path.write_bytes("caf\ufffd ".encode() + b"caf\xe9 na\xefve")
    done = jotsam("add", path)
    assert done.returncode == 0
    assert "2 places that are not UTF-8 replaced" in done.stderr


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_selects_the_encoding(jotsam: Shell, encoding: str) -> None:
    path = jotsam.home / "note.md"
    path.write_bytes("Müller wohnt in Köln".encode(encoding))
    done = jotsam("add", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Müller wohnt in Köln" in jotsam("recall", "Köln").stdout


def test_a_directory_is_added_in_order_and_what_was_skipped_is_counted(jotsam: Shell) -> None:
    for name in ("docs/b.md", "docs/a/z.rst", "docs/.git/c.md", "docs/.hidden.md", "docs/d.TXT", "docs/e.txt"):
        jotsam.file(name, f"text of {name}")
    done = jotsam("add", "docs")
    assert [line.split()[-1] for line in done.stdout.splitlines()[:3]] == ["docs/a/z.rst", "docs/b.md", "docs/e.txt"]
    assert done.stdout.splitlines()[3:] == [
        "skipped   1 file not matching *.md, *.rst or *.txt: 1 .txt",
        "skipped   2 hidden files and folders",
        "3 documents accepted",
    ]
    more = jotsam.json("add", "docs", "--glob", "*.TXT", "--glob", "a/*.rst")
    told = [(receipt["name"], receipt["duplicate"]) for receipt in more["receipts"]]
    assert told == [("docs/a/z.rst", True), ("docs/d.TXT", False)]
    assert (more["not_matching"], more["hidden"]) == ({".md": 1, ".txt": 1}, 2)


def test_several_folders_and_a_file_in_them_are_added_once(jotsam: Shell) -> None:
    for name in ("a/one.md", "a/b/two.md", "c/three.md"):
        jotsam.file(name, f"text of {name}")
    done = jotsam.json("add", "a", "a/b", "c", "a/one.md")
    assert [one["name"] for one in done["receipts"]] == ["a/one.md", "a/b/two.md", "c/three.md"]
    wrong = jotsam("add", "a", "--glob", "*.py")
    assert "no file below a matches *.py" in wrong.stderr


def test_a_directory_without_a_match_is_an_error_that_says_what_is_there(jotsam: Shell) -> None:
    jotsam.file("docs/a.py")
    jotsam.file("docs/LICENSE")
    done = jotsam("add", "docs")
    assert (done.returncode, "no file below docs matches *.md, *.rst or *.txt" in done.stderr) == (1, True)
    assert done.stdout == "skipped   2 files not matching *.md, *.rst or *.txt: 1 without an ending, 1 .py\n"


@pytest.mark.on_both
def test_files_are_committed_in_batches_before_the_next_are_read(
    jotsam: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(jotsam.home))
    paths = [str(jotsam.file(f"docs/{number:03}.md", f"number {number}")) for number in range(120)]
    outcomes = capture.add(Settings(db=jotsam.url, worker="off"), paths)
    next(outcomes)
    assert jotsam.json("status")["status"]["documents"] == capture.BATCH_DOCUMENTS < 120
    assert len(list(outcomes)) == 119
    again = jotsam.json("add", "docs")["receipts"]
    assert [receipt["duplicate"] for receipt in again] == [True] * 120
    assert jotsam.json("status")["status"]["level"] == "ok"


def test_add_waits_until_everything_is_enriched(jotsam: Shell) -> None:
    done = jotsam("add", jotsam.file("note.md"), "--wait", JOTSAM_WORKER="auto")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "done")
    assert jotsam.json("status")["status"]["enriched"] == 1


@pytest.mark.parametrize(
    "arguments",
    [["add"], ["add", "a", "b", "--key", "k"], ["add", "a", "--date", "soon"], ["add", "a", "--colour"], ["sing"]],
)
def test_a_usage_error_exits_with_2(jotsam: Shell, arguments: list[str]) -> None:
    done = jotsam(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage: jotsam" in done.stderr


@pytest.mark.on_both
def test_a_secret_is_redacted_with_a_warning(jotsam: Shell) -> None:
    done = jotsam("add", "-", input="api_key = 'sk-abcdefghij0123456789'")
    assert "1 secret replaced by [redacted:...]" in done.stderr
    assert "sk-abc" not in jotsam("recall", "api_key").stdout


def test_a_read_only_directory_is_an_error(jotsam: Shell, unprivileged: bool) -> None:
    path = jotsam.file("note.md")
    (jotsam.home / "locked").mkdir(mode=0o500)
    done = jotsam("add", path, "--db", jotsam.home / "locked" / "jotsam.db", unprivileged=unprivileged)
    assert (done.returncode, done.stdout) == (1, "")
    assert ": Permission denied; choose another path with --db" in done.stderr


def test_a_database_below_a_file_is_an_error(jotsam: Shell) -> None:
    path = jotsam.file("note.md")
    done = jotsam("add", path, "--db", path / "jotsam.db")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: {path}/jotsam.db")
    assert "Traceback" not in done.stderr


@pytest.mark.on_both
def test_remember_stores_every_option(jotsam: Shell) -> None:
    arguments = ["--type", "decision", "--tag", "style", "--tag", "python"]
    arguments += ["--importance", "0.8", "--confidence", "0.9"]
    arguments += ["--actor", "ana", "--session", "s1", "--date", "2026-03-01", "--valid-until", "2027-01-01"]
    arguments += ["--external-id", "adr-7", "--metadata", '{"reviewed": true}', "--project", "shop"]
    first = jotsam.json("remember", "We use tabs.", *arguments)["receipt"]
    memory = jotsam.json("show", "adr-7")["memory"]
    assert memory["id"] == first["id"]
    assert (memory["type"], memory["tags"], memory["metadata"]) == ("Decision", ["python", "style"], {"reviewed": True})
    assert (memory["importance"], memory["confidence"], memory["actor"]) == (0.8, 0.9, "ana")
    assert (memory["said_at"], memory["valid_until"]) == (
        "2026-03-01T00:00:00.000Z",
        "2027-01-01T00:00:00.000Z",
    )
    assert jotsam.json("remember", "-", "--external-id", "adr-7", input="Again.")["receipt"] == {
        **first,
        "duplicate": True,
    }


@pytest.mark.parametrize(("option", "value"), [("--metadata", "[1]"), ("--metadata", "{"), ("--importance", "much")])
def test_remember_rejects_invalid_values(jotsam: Shell, option: str, value: str) -> None:
    assert jotsam("remember", "x", option, value).returncode == 2
    assert jotsam("remember", "x", "--importance", "3").returncode == 1


def test_remember_stores_the_memories_of_a_file(jotsam: Shell) -> None:
    lines = ['"It is red."', '{"text": "It is blue.", "key": "k", "type": "Insight"}', "", "{", "5"]
    lines.append('{"text": "x", "key": 1}')
    (jotsam.home / "memories.jsonl").write_text("\n".join(lines))
    done = jotsam("remember", "--lines", "memories.jsonl", "--type", "Decision", "--tag", "colour")
    assert (done.returncode, done.stdout) == (1, "accepted  2 memories\n")
    errors = [line.split(":")[1:3] for line in done.stderr.splitlines() if line.startswith("error: line")]
    assert errors == [[" line 4", " not JSON"], [" line 5", " invalid item 5"], [" line 6", " invalid key 1"]]
    found = jotsam.json("recall", "--tag", "colour")["hits"]
    assert sorted((hit["text"], hit["type"]) for hit in found) == [
        ("It is blue.", "Insight"),
        ("It is red.", "Decision"),
    ]
    again = jotsam.json("remember", "--lines", "-", input="\n".join(lines[:2]))
    assert [(one["line"], one["duplicate"]) for one in again["receipts"]] == [(1, False), (2, True)]
    for wrong in (["remember"], ["remember", "x", "--lines", "-"], ["remember", "--lines", "-", "--key", "k"]):
        assert jotsam(*wrong).returncode == 2


def test_equal_errors_of_lines_are_told_once_and_a_date_may_be_called_date(jotsam: Shell) -> None:
    lines = ['{"text": "It is red.", "date": "2026-03-01"}', *['{"text": "x", "colour": "red"}'] * 3]
    done = jotsam("remember", "--lines", "-", input="\n".join(lines))
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert errors[0].startswith("error: line 2 and 2 more: unknown field 'colour'; allowed: ")
    assert jotsam.json("list")["memories"][0]["said_at"].startswith("2026-03-01")
