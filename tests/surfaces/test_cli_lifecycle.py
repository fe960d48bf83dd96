"""`jotsam db lifecycle` as a user runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


def test_a_dry_run_changes_nothing_and_says_what_it_would_change(jotsam: Shell) -> None:
    jotsam("remember", "Herons stand in the lake.")
    jotsam("work")
    for _ in range(2):
        planned = jotsam("lifecycle", "run", "decay").stdout
        assert "decay would make 1 change, 1 examined" in planned
        assert "computed for 1 memory" in planned
        assert planned.endswith("nothing was changed: --apply does it\n")
    assert jotsam.json("lifecycle", "run", "decay")["plans"][0]["counts"] == {"relevance": 1}
    assert jotsam.json("lifecycle")["runs"] == []


def test_a_run_is_applied_shown_and_taken_back_after_yes(jotsam: Shell) -> None:
    jotsam("remember", "Herons stand in the lake.")
    jotsam("work")
    queued = jotsam("lifecycle", "run", "decay", "--apply", "--timeout", "0")
    assert (queued.returncode, "is waiting: `jotsam db lifecycle show" in queued.stdout) == (8, True)
    jotsam("work")
    (run,) = jotsam.json("lifecycle", "list", "--step", "decay")["runs"]
    id = run["id"][:8]
    assert f"{id}  decay  done   request" in jotsam("lifecycle").stdout
    shown = jotsam("lifecycle", "show", id)
    assert "computed for 1 memory" in shown.stdout
    assert f"`jotsam db lifecycle undo {id}` takes it back" in shown.stderr
    assert jotsam("lifecycle", "undo", id).stdout.endswith("nothing was changed: --yes does it\n")
    assert jotsam.json("lifecycle", "show", id)["run"]["state"] == "done"
    assert jotsam("lifecycle", "undo", id, "--yes").stdout == f"took back 1 change of run {id} (decay)\n"
    assert jotsam.json("lifecycle", "show", id)["changes"][0]["reverted"] is True
    again = jotsam("lifecycle", "undo", id, "--yes")
    assert (again.returncode, f"run {id} of decay was undone already" in again.stderr) == (1, True)


def test_apply_waits_for_the_worker_that_it_starts_and_names_the_undo(jotsam: Shell) -> None:
    jotsam("remember", "Herons stand in the lake.")
    jotsam("work")
    done = jotsam("lifecycle", "run", "decay", "--apply", JOTSAM_WORKER="auto")
    assert (done.returncode, "1 examined, 1 changed" in done.stdout) == (0, True)
    assert "`jotsam db lifecycle undo " in done.stderr


def test_forgetting_without_a_threshold_says_that_it_is_off(jotsam: Shell) -> None:
    jotsam("remember", "Herons stand in the lake.")
    jotsam("work")
    off = "hint: forget changes nothing while archive_below and remove_below are 0"
    assert off in jotsam("lifecycle", "run", "forget").stderr
    assert off not in jotsam("lifecycle", "run", "forget", JOTSAM_ARCHIVE_BELOW="0.2").stderr
    assert off not in jotsam("lifecycle", "run", "decay").stderr
    jotsam("lifecycle", "run", "forget", "--apply", "--no-wait", JOTSAM_ARCHIVE_BELOW="0.2")
    jotsam("work")
    shown = jotsam("lifecycle", "show", jotsam.json("lifecycle")["runs"][0]["id"]).stdout
    assert "archive   below a relevance of 0.2\nremove    off\n" in shown


def test_the_doctor_and_the_status_name_a_run_that_failed(jotsam: Shell) -> None:
    jotsam("remember", "Herons stand in the lake.")
    jotsam("work")
    assert "steps run by themselves" in jotsam("doctor").stdout
    run = jotsam.json("lifecycle", "run", "decay", "--apply", "--no-wait")["runs"][0]
    jotsam("jobs", "discard", str(run["job_id"]), "--yes")
    found = jotsam("doctor").stdout
    assert "the last run of decay failed: its job was discarded" in found
    assert f"`jotsam db lifecycle show {run['id'][:8]}` shows it" in found
    assert f"The last run of the step decay has failed: run `jotsam db lifecycle show {run['id'][:8]}`" in " ".join(
        jotsam("status").stdout.split()
    )
