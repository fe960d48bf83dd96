"""`jotsam db backup` and `jotsam db restore`: what was deleted answers again as before."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

QUESTIONS = (("recall", "Bonn"), ("recall",), ("facts",), ("show", "ana"))


def answers(jotsam: Shell) -> list[Any]:
    """What commands answer, without what depends on the current time or counts the answers."""
    found = [jotsam.json(*question) for question in QUESTIONS]
    for name in ("recalls", "recalled_at"):
        del found[-1][name]
    hits = [[(hit["id"], hit["text"]) for hit in answer.pop("hits", [])] for answer in found[:2]]
    assert all(hits)
    return [*hits, *found[2:]]


def test_delete_the_database_restore_the_backup_and_everything_answers_as_before(jotsam: Shell) -> None:
    jotsam("remember", "Ana lives in Bonn and works at Ericsson.", "--external-id", "ana")
    note = "# Plan\n\nThe launch is on 2026-03-01. token = sk-proj-abcdefghij0123456789abcd\n"
    jotsam("add", jotsam.file("note.md", note))
    assert jotsam("work").returncode == 0
    jotsam("remember", "This one waits.")
    before = answers(jotsam)
    made = jotsam.json("backup", "--keep", "3")["backup"]
    assert (made["memories"], made["documents"], made["jobs"], made["checked"]) == (3, 1, 1, True)
    jotsam("remember", "Added after the backup.")
    shutil.copytree(jotsam.db.parent / "backups", jotsam.home / "safe")
    shutil.rmtree(jotsam.db.parent)
    backup = next((jotsam.home / "safe").iterdir())
    done = jotsam("restore", backup)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"restored {jotsam.db} from {backup}\n1 document, 3 memories, 1 job; the newest was ")
    assert answers(jotsam) == before
    assert jotsam("work").returncode == 0
    doctor = jotsam("doctor")
    assert doctor.returncode == 0, doctor.stdout
    again = jotsam.json("restore", backup)["restored"]
    assert again["kept"].startswith(f"{jotsam.db}.before-restore-20")
