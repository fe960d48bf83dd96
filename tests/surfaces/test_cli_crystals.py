"""`jotsam themes crystals` and `jotsam themes checkpoint` in real processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

RULE = "Always run the migration tests before a release."


def write_sessions(folder: Path, *, of: str) -> None:
    """A session file for each letter, in which the user states one rule."""
    for session in of:
        same = {"session": session, "timestamp": "2026-03-01T10:00:00Z"}
        turns = (
            {"role": "user", "content": f"{RULE} Then we look at part {session}.", **same},
            {"role": "assistant", "content": "Understood, thanks.", **same},
        )
        (folder / f"{session}.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))


def test_a_checkpoint_imports_processes_and_promotes_and_repeats_nothing(jotsam: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    write_sessions(folder, of="abc")
    planned = jotsam("checkpoint", folder, "--dry-run")
    assert "would import 6 turns, judge 0 memories, promote 0 crystals" in planned.stdout
    done = jotsam("checkpoint", folder, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["imported"], found["judged"], found["promoted"]) == (0, 6, 6, 1)
    assert (found["state"], found["left"], found["dry_run"]) == ("done", 0, False)
    again = jotsam("checkpoint", folder)
    assert again.stdout.startswith("0 turns imported, 0 memories judged, 0 crystals promoted")
    write_sessions(folder, of="d")
    assert (
        "2 turns imported, 2 memories judged, 0 crystals promoted, 1 supported" in jotsam("checkpoint", folder).stdout
    )
    (crystal,) = jotsam.json("crystals", "--state", "promoted")["crystals"]
    assert (crystal["text"], len(crystal["sources"])) == (RULE.rstrip("."), 4)
    undone = jotsam("lifecycle", "undo", found["run"], "--yes")
    assert undone.returncode == 0


def test_crystals_are_listed_confirmed_and_retracted(jotsam: Shell) -> None:
    memory = jotsam.json("remember", "The heron stands in the northern lake.")["receipt"]["id"]
    jotsam("work")
    done = jotsam("crystals", "confirm", memory[:8], "--kind", "fact")
    assert "fact: The heron stands in the northern lake." in done.stdout
    crystal = done.stdout.split()[1]
    assert "confirmed by hand" in jotsam("crystals").stdout
    assert jotsam("crystals", "retract", crystal).stdout.startswith(f"retracted {crystal}")
    assert "no crystals" in jotsam("crystals").stdout
    assert jotsam("crystals", "retract", crystal, "--undo").stdout.startswith("promoted")
    assert crystal in jotsam("crystals", "list", "--state", "promoted").stdout
