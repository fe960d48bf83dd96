"""What changed in memory lately, and taking back the last change that a command made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.memory.api.change_log import log, note_change, undo

if TYPE_CHECKING:
    from jotsam import Jotsam


def stored(jot: Jotsam, *texts: str) -> list[str]:
    ids = [jot.remember(text).id for text in texts]
    jot.work()
    return ids


@pytest.mark.needs_server
def test_changes_are_taken_back_from_the_last_to_the_first(jot: Jotsam) -> None:
    old, new, other = stored(jot, "The port is 1.", "The port is 2.", "We chose Kafka.")
    done = jot.supersede(old, new)
    note_change(jot, "supersede", done.old, done.new or "")
    jot.archive(other)
    note_change(jot, "archive", other)
    batch = jot.forget(jot.plan_forget(ids=[new]), trash=True).trash
    assert batch
    note_change(jot, "forget to trash", batch)
    assert undo(jot, dry_run=True).what == "forget to trash"
    assert [undo(jot).what for _ in range(3)] == ["forget to trash", "archive", "supersede"]
    assert jot.get(old).superseded_at is None
    assert jot.get(other).archived_at is None
    assert jot.get(new).text == "The port is 2."
    with pytest.raises(InvalidInput, match="there is nothing to take back"):
        undo(jot)
    said = [(one.what, one.by) for one in log(jot)]
    by_commands = [what for what, by in said if by == "cli"]
    assert by_commands[:3] == ["undo supersede", "unarchive", "restore"]
    assert ("stored 3", "") in said


def test_what_was_taken_back_otherwise_is_not_the_last_change(jot: Jotsam) -> None:
    one, other = stored(jot, "Postgres is fast.", "We chose Kafka.")
    for id in (one, other):
        jot.archive(id)
        note_change(jot, "archive", id)
    jot.unarchive(other)
    note_change(jot, "unarchive", other)
    assert undo(jot).ids == (one,)


def test_a_change_that_cannot_be_taken_back_is_refused_and_no_earlier_one_is_instead(jot: Jotsam) -> None:
    one, other = stored(jot, "Postgres is fast.", "We chose Kafka.")
    jot.archive(one)
    note_change(jot, "archive", one)
    jot.forget(jot.plan_forget(ids=[other]))
    note_change(jot, "forget")
    with pytest.raises(InvalidInput, match=r"\(forget\) cannot be taken back: it was deleted for good"):
        undo(jot)
    assert jot.get(one).archived_at is not None


def test_a_change_that_something_else_has_changed_since_is_refused(jot: Jotsam) -> None:
    old, new = stored(jot, "The port is 1.", "The port is 2.")
    jot.supersede(old, new)
    note_change(jot, "supersede", old, new)
    jot.undo_supersede(old, new)
    with pytest.raises(InvalidInput, match=r"cannot be taken back: .*there is nothing to undo"):
        undo(jot)


def test_verdicts_links_and_merges_are_taken_back(jot: Jotsam) -> None:
    one, other = stored(jot, "Ana uses Postgres with PostgreSQL tools.", "Bob uses PostgreSQL.")
    rule = jot.notes.add("pnpm, never npm")
    note_change(jot, "verdict", jot.notes.judge(rule.id, verdict="wrong").id)
    jot.knowledge.link(one, "LEADS_TO", other)
    note_change(jot, "link", one, "LEADS_TO", other)
    assert [undo(jot).what for _ in range(2)] == ["link", "verdict"]
    assert [note.text for note in jot.notes.list(kind="rule")] == ["pnpm, never npm"]
    assert [found.type for found in jot.knowledge.graph(one).neighbours if found.type == "LEADS_TO"] == []
    names = [entity.name for entity in jot.knowledge.entities(limit=10)]
    assert len(names) > 1, names
    jot.knowledge.merge(names[0], into=names[1])
    note_change(jot, "merge", names[0])
    assert undo(jot).ids == (names[0],)
    assert jot.knowledge.entity(names[0]).name == names[0]
