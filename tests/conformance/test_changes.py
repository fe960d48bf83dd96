"""A text that says that it replaces, ends or corrects something retires what it replaces, or marks it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from jotsam import Jotsam
    from jotsam.core.answers import Answer

DAY_MS = 86_400_000
START = 1_700_000_000_000
OLD = "The loan period of the library is 14 days."
NEW = "The loan period of the library has been extended to 21 days."
LATEST = "The loan period of the library is now 28 days."
ASK = "loan period of the library"


def tell(jot: Jotsam, text: str, day: int, **fields: object) -> str:
    id: str = jot.remember(text, said_at=START + day * DAY_MS, **fields).id
    jot.work()
    return id


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_only_the_latest_is_shown_in_any_order_of_arrival(jot: Jotsam, order: tuple[int, ...]) -> None:
    said = (OLD, NEW, LATEST)
    ids = {number: tell(jot, said[number], number) for number in order}
    assert texts(jot.recall(ASK)) == [LATEST]
    assert set(texts(jot.recall(ASK, history=True))) == set(said)
    assert texts(jot.recall(ASK, as_of=START + DAY_MS + 1)) == [NEW]
    assert texts(jot.recall(ASK, as_of=START + 1)) == [OLD]
    jot.reprocess(jot.plan_reprocess(ids.values(), force=True))
    jot.work()
    assert texts(jot.recall(ASK)) == [LATEST]


def test_the_sentence_is_given_as_the_reason(jot: Jotsam) -> None:
    old, new = tell(jot, OLD, 0), tell(jot, f"Two news. {NEW}", 1)
    (hit,) = [hit for hit in jot.recall(ASK, history=True).hits if hit.id == old]
    assert (hit.superseded_at, hit.superseded_by) == (START + DAY_MS, new)
    assert hit.reason == NEW.removesuffix(".")
    (link,) = [link for link in jot.show(old).links if link.type == "INVALIDATED_BY"]
    assert (link.target, link.properties) == (new, {"reason": NEW.removesuffix(".")})


@pytest.mark.needs_server
def test_a_text_that_says_more_is_marked_and_comes_second(jot: Jotsam) -> None:
    old = tell(jot, f"{OLD} Ask at the desk for a card of the library.", 0)
    new = tell(jot, NEW, 1)
    first, second = jot.recall(ASK).hits
    assert (first.id, second.id) == (new, old)
    assert (first.conflicts, second.conflicts) == ((), (new,))
    assert second.reason == NEW.removesuffix(".")
    assert f"[conflict] may be outdated, see {new[:8]}" in jot.recall(ASK).text
    jot.undo_supersede(old, new)
    assert [hit.reason for hit in jot.recall(ASK).hits] == [None, None]


def test_a_chunk_of_a_document_is_marked_and_never_hidden(jot: Jotsam) -> None:
    jot.add(OLD, source="rules.md", date=START)
    jot.work()
    new = tell(jot, NEW, 1)
    marks = {hit.text: hit.conflicts for hit in jot.recall(ASK).hits}
    assert marks == {NEW: (), OLD: (new,)}


def test_undo_takes_it_back_for_good(jot: Jotsam) -> None:
    old, new = tell(jot, OLD, 0), tell(jot, NEW, 1)
    jot.undo_supersede(old, new)
    jot.reprocess(jot.plan_reprocess([old, new], force=True))
    jot.work()
    assert set(texts(jot.recall(ASK))) == {OLD, NEW}


def test_the_older_one_is_back_when_the_newer_one_is_forgotten_changed_or_superseded(jot: Jotsam) -> None:
    tell(jot, OLD, 0)
    new = tell(jot, NEW, 1)
    assert texts(jot.recall(ASK)) == [NEW]
    jot.update(new, text="The loan period of the library was discussed.")
    jot.work()
    assert OLD in texts(jot.recall(ASK))
    jot.update(new, text=NEW)
    jot.work()
    assert texts(jot.recall(ASK)) == [NEW]
    other = tell(jot, "The desk of the library is made of oak.", 2)
    jot.supersede(new, other)
    assert OLD in texts(jot.recall(ASK))
    jot.undo_supersede(new, other)
    assert OLD not in texts(jot.recall(ASK))
    jot.forget(jot.plan_forget(ids=[new]))
    assert OLD in texts(jot.recall(ASK))


def test_another_project_or_person_changes_nothing(jot: Jotsam) -> None:
    tell(jot, OLD, 0, project="north")
    tell(jot, NEW, 1, project="south")
    tell(jot, "I live in Porto.", 0, actor="Ann")
    tell(jot, "I moved to Braga.", 1, actor="Ben")
    assert set(texts(jot.recall(ASK))) >= {OLD, NEW}
    assert "I live in Porto." in texts(jot.recall("Where does Ann live?"))


def test_a_statement_about_oneself_replaces_ones_own(jot: Jotsam) -> None:
    tell(jot, "I live in Porto.", 0, actor="Ann")
    tell(jot, "I moved to Braga.", 1, actor="Ann")
    tell(jot, "我住在青岛。", 0, actor="林")
    tell(jot, "我搬到了大连。", 1, actor="林")
    found = texts(jot.recall("Porto Braga 青岛 大连", history=False))
    assert set(found) == {"I moved to Braga.", "我搬到了大连。"}


def test_the_older_one_is_back_when_a_version_replaces_the_document_that_said_so(jot: Jotsam) -> None:
    tell(jot, OLD, 0)
    jot.add(f"# Rules\n\n{NEW}\n", source="rules.md", date=START + DAY_MS)
    jot.work()
    assert OLD not in texts(jot.recall(ASK))
    second = jot.add("# Rules\n\nThe library has rules.\n", source="rules.md", date=START + 2 * DAY_MS).id
    jot.work()
    assert OLD in texts(jot.recall(ASK))
    jot.forget(jot.plan_forget(ids=[second]))
    assert OLD not in texts(jot.recall(ASK))


def test_what_is_restored_from_the_trash_replaces_again(jot: Jotsam) -> None:
    tell(jot, OLD, 1)
    new = tell(jot, NEW, 2)
    jot.forget(jot.plan_forget(ids=[new]), trash=True)
    early = tell(jot, OLD.replace("14", "7"), 0)  # The memory in the trash speaks of this one too.
    assert OLD in texts(jot.recall(ASK))
    (batch,) = jot.admin.trash()
    jot.admin.restore_forgotten(batch.id)
    assert texts(jot.recall(ASK)) == [NEW]
    assert early in {hit.id for hit in jot.recall(ASK, history=True).hits}
    tell(jot, OLD.replace("14", "10"), 0)
    assert texts(jot.recall(ASK)) == [NEW]


def test_changes_are_imported_with_their_reasons_and_replace_what_comes_later(jot: Jotsam, tmp_path: Path) -> None:
    old, new = tell(jot, OLD, 1), tell(jot, NEW, 2)
    path = tmp_path / "memories.jsonl"
    with path.open("wb") as file:
        jot.export(file)
    jot.forget(jot.plan_forget(ids=[old, new]))
    assert jot.recall(ASK, history=True).hits == ()
    jot.import_memories(path)
    assert texts(jot.recall(ASK)) == [NEW]
    (hit,) = [hit for hit in jot.recall(ASK, history=True).hits if hit.id == old]
    assert (hit.reason, hit.superseded_by) == (NEW.removesuffix("."), new)
    tell(jot, OLD.replace("14", "10"), 0)
    assert texts(jot.recall(ASK)) == [NEW]


def test_a_chunk_that_names_no_more_than_one_common_noun_changes_nothing(jot: Jotsam) -> None:
    for day, value in enumerate(("is Monday", "is now Friday")):
        tell(jot, f"The deadline {value}.", day, project="notes")
        for name in ("plain", "specific"):
            about = "deadline of the thesis" if name == "specific" else "deadline"
            jot.add(f"The {about} {value}.", source=f"{name}{day}.md", date=START + day * DAY_MS, project=name)
    jot.work()
    for project, changed in (("notes", True), ("plain", False), ("specific", True)):
        found = jot.recall("deadline", project=project, history=True).hits
        assert any(hit.reason for hit in found) == changed, project
