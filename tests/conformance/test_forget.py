"""Forgetting: what is selected goes with all that was made of it, and everything else stays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.ingest import spool
from jotsam.storage import queue
from jotsam.worker.enrichment import enrich, ingest

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from jotsam import ForgetReceipt, Jotsam

DAY_MS = 86_400_000
START = 1_700_000_000_000


def forget(jot: Jotsam, **selection: Any) -> ForgetReceipt:
    return jot.forget(jot.plan_forget(**selection))


def everything(jot: Jotsam) -> str:
    """All rows of all tables, except numbers and names of columns."""
    with jot.database.transaction(tenant="default") as tx:
        is_file = jot.database.is_file
        names = (
            tx.execute("select name from sqlite_schema where type = 'table' and name not like '%text_index_%'")
            if is_file
            else tx.execute("select tablename as name from pg_tables where schemaname = current_schema()")
        )
        rows = {row["name"]: tx.execute(f"select * from {row['name']}") for row in names}
        if is_file:
            del rows["text_index"]
    return "\n".join(f"{name}: {row}" for name, some in rows.items() for row in some)


def indexed(jot: Jotsam, word: str) -> int:
    """How many texts the index of a file has under a word, whether they are stored or not."""
    with jot.database.transaction(tenant="default") as tx:
        return len(tx.execute(f"select rowid from text_index where text_index match '{word}'"))


def test_a_memory_goes_with_everything_that_was_made_of_it(jot: Jotsam) -> None:
    other = jot.remember("Alice Hartmann works at Globex.", tags=["shared"]).id
    text = "Zebulon Quixotic decided on 5 March 2024 to use Kryptolite at Globex."
    id = jot.remember(
        text,
        tags=["shared", "secretproject"],
        actor="Wanda Actrix",
        source="sourcename.md",
        metadata={"colour": "chartreuse"},
        external_id="externalmark",
        session="sessionmark",
    ).id
    jot.work()
    assert jot.knowledge.entities(words="Quixotic")
    plan = jot.plan_forget(ids=[id])
    assert (plan.memories, plan.documents, plan.characters) == ((id,), (), len(text))
    assert plan.facts == len(jot.show(id).facts)
    assert [(one.id, one.text) for one in plan.samples] == [(id, text)]
    assert jot.show(id).memory is not None, "a plan changes nothing"
    is_file = jot.database.is_file  # On a server, `everything` has the rows of the index.
    assert not is_file or (indexed(jot, "kryptolite"), indexed(jot, "globex")) == (1, 2)
    receipt = jot.forget(plan)
    assert (receipt.memories, receipt.documents, receipt.skipped) == (1, 0, 0)
    assert receipt.entities >= 1
    left = everything(jot).lower()
    unique = ("zebulon", "quixotic", "kryptolite", "secretproject", "actrix", "sourcename", "chartreuse", id)
    assert [word for word in (*unique, "externalmark", "sessionmark") if word in left] == []
    assert "globex" in left
    assert not is_file or (indexed(jot, "kryptolite"), indexed(jot, "globex")) == (0, 1)
    with pytest.raises(NotFound):
        jot.show(id)
    assert [hit.id for hit in jot.recall("Quixotic Globex").hits] == [other]
    assert jot.forget(plan).memories == 0, "what is gone is skipped"


def test_documents_go_whole_and_chunks_with_their_lines(jot: Jotsam) -> None:
    text = "# One\n\nApples grow on trees.\n\n# Two\n\nPlatypus venom\nis painful.\n\n# Three\n\nRivers flow.\n"
    document = jot.add(text, source="notes.md").id
    jot.work()
    one, two, three = jot.show(document).memories
    before = jot.show(three).lines
    receipt = forget(jot, ids=[two])
    assert (receipt.memories, receipt.documents) == (1, 0)
    details = jot.show(document)
    assert details.document is not None
    assert details.document.text == "# One\n\nApples grow on trees.\n\n\n\n\n\n\n# Three\n\nRivers flow.\n"
    assert details.memories == (one, three)
    assert jot.show(three).lines == before
    assert [link.target for link in jot.show(three).links if link.type == "PRECEDED_BY"] == [one]
    assert not jot.recall("platypus").hits
    assert jot.plan_forget(ids=[one]).documents == ()
    assert jot.plan_forget(ids=[one, three]).documents == (document,), "without a chunk left it goes whole"
    receipt = forget(jot, source="notes.md")
    assert (receipt.memories, receipt.documents) == (2, 1)
    raw = jot.add("Unsplit walrus text.", source="raw.md").id
    plan = jot.plan_forget(source="raw.md")
    assert (plan.documents, plan.memories, plan.jobs) == ((raw,), (), 0)
    assert jot.forget(plan).jobs == 1
    assert not jot.recall("walrus").hits
    assert jot.work() == 0
    assert "document: {" not in everything(jot)


def test_lines_of_a_chunk_whose_text_differs_go_up_to_the_next_one(jot: Jotsam) -> None:
    text = "# One\n\nApples grow on trees.\n\n# Two\n\nPlatypus venom\nis painful.\n\n# Three\n\nRivers flow.\n"
    document = jot.add(text, source="notes.md").id
    jot.work()
    one, two, three = jot.show(document).memories
    for changed, left in ((two, text.replace("# Two\n\nPlatypus venom\nis painful.\n\n", "\n" * 5)), (one, None)):
        with jot.database.transaction(tenant="default") as tx:  # As a later redaction of stored texts does.
            tx.execute("update memory set body = 'Bread is baked.' where uuid = :id", {"id": changed})
        forget(jot, ids=[changed])
        details = jot.show(document)
        assert details.document is not None
        assert details.document.text == (left or "\n" * 9 + "# Three\n\nRivers flow.\n")
        assert details.memories[-1] == three


def test_selections_are_needed_and_may_be_questions(jot: Jotsam) -> None:
    jot.remember("Otters hold hands.", session="s", tags=["animals"])
    jot.remember("Granite is hard.", session="s", tags=["rocks"])
    for options in ({}, {"tags": []}):
        with pytest.raises(InvalidInput, match="nothing is selected"):
            jot.plan_forget(**options)
    with pytest.raises(InvalidInput, match="ids and query are both given"):
        jot.plan_forget(query="otters", ids=["x"])
    with pytest.raises(InvalidInput, match="plan is str"):
        jot.forget("all")  # type: ignore[arg-type]
    assert len(jot.plan_forget(session="s").memories) == 2
    assert len(jot.plan_forget(tags=["Rocks"]).memories) == 1
    assert jot.plan_forget(query="otters", session="other").memories == ()
    assert jot.plan_forget(query="nothing like it", tags=["rocks"]).memories == ()
    assert forget(jot, query="otters hands", limit=1).memories == 1
    assert [hit.text for hit in jot.recall().hits] == ["Granite is hard."]
    assert jot.scoped(tenant="other").plan_forget(session="s").memories == ()


@pytest.mark.needs_server
def test_what_was_superseded_is_valid_again(jot: Jotsam) -> None:
    def tell(text: str, day: int, **fields: object) -> str:
        id: str = jot.remember(text, said_at=START + day * DAY_MS, **fields).id
        jot.work()
        return id

    jobs = [tell(f"Bob works at {name}.", day) for day, name in enumerate(("Acme", "Globex", "Initech"))]
    assert forget(jot, ids=[jobs[1]]).revived == ()
    (fact,) = jot.show(jobs[0]).facts
    assert fact.superseded_by == jobs[2], "another one supersedes it too"
    assert forget(jot, ids=[jobs[2]]).revived == (jobs[0],)
    assert [hit.text for hit in jot.recall("Where does Bob work?").hits] == ["Bob works at Acme."]
    old, new = tell("The plan is blue.", 1), tell("The plan is green.", 2)
    jot.supersede(old, new)
    assert forget(jot, ids=[new]).revived == (old,)
    versions = []
    for day, word in enumerate(("first", "second", "third")):
        versions.append(jot.add(f"# Title\n\nThe {word} version.", source="v.md", date=START + day * DAY_MS).id)
        jot.work()
    chunks = [jot.show(version).memories[0] for version in versions]
    assert forget(jot, document=versions[1]).revived == ()
    first = jot.show(chunks[0]).memory
    assert first is not None
    assert first.superseded_at == START + 2 * DAY_MS, "when the next one that is left was written"
    assert [hit.id for hit in jot.recall("version").hits] == [chunks[2]]
    assert forget(jot, ids=[versions[2]]).revived == (chunks[0],)
    assert [hit.id for hit in jot.recall("version").hits] == [chunks[0]]


def test_queued_commands_and_spooled_turns_with_the_text_go(jot: Jotsam) -> None:
    text = "The launch code of the old coffee machine is four sugars."
    id = jot.remember(text).id
    jot.admin.send_command(["remember", text])
    kept = jot.admin.send_command(["remember", "An unrelated text."])
    with jot.database.transaction() as tx:
        job = queue.get(tx, kept.id)
        assert job is not None
        queue.save_result(tx, job, json=json.dumps({"stdout": text}), life_ms=DAY_MS)
    path = spool.write(jot.database.url, {"text": text, "actor": "user"})
    damaged = path.replace(".json", "-2.json")
    with open(path) as file, open(damaged, "w") as other:
        other.write(file.read())
    spool.mark_damaged(damaged)
    receipt = forget(jot, ids=[id])
    assert receipt.jobs == 2, "its own and a command"
    assert receipt.spooled == 2
    with jot.database.snapshot() as tx:
        assert queue.result(tx, kept.id) is None
    assert [job.id for job in jot.admin.jobs()] == [kept.id]
    assert not spool.damaged(jot.database.url)


@pytest.mark.parametrize("kind_of_job", ["enrich", "ingest"])
def test_a_job_that_runs_meanwhile_writes_nothing(jot: Jotsam, kind_of_job: str) -> None:
    if kind_of_job == "enrich":
        id = jot.remember("Zebulon Quixotic works at Kryptolite.").id
        handler = enrich.handler(jot.database)
    else:
        id = jot.add("# Zebulon\n\nQuixotic works at Kryptolite.").id
        handler = ingest.handler(jot.database, context=lambda memory: "", chunk_tokens=500, attempts=3)
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue=kind_of_job, owner="w", lease_ms=60_000, limit=1)
    save = handler(job)
    assert save is not None
    assert forget(jot, ids=[id]).jobs == 0, "a running job is left to its worker"
    with jot.database.transaction(tenant="default") as tx:
        save(tx)
        assert queue.delete(tx, job)
    left = everything(jot).lower()
    assert [word for word in ("zebulon", "quixotic", "kryptolite") if word in left] == []
    assert jot.admin.jobs() == []


@pytest.mark.needs_server
def test_what_was_forgotten_for_good_does_not_come_back(jot: Jotsam, tmp_path: Path) -> None:
    text = "The old coffee machine needs four sugars."
    id = jot.remember(text, key="k1", external_id="x1").id
    document = jot.add("# Doc\n\nKeep this.\n\n# Other\n\nWalrus secret.\n", source="a.md").id
    jot.work()
    chunk = jot.show(document).memories[1]
    receipt = jot.forget(jot.plan_forget(ids=[id, chunk]), never_again=True)
    assert receipt.refused == 4, "two texts, a key and an external id"
    for text_and_options in ((f"  {text}\n", {}), ("new", {"key": "k1"}), ("new", {"external_id": "x1"})):
        refused = jot.remember(text_and_options[0], **text_and_options[1])
        assert (refused.forgotten, refused.id, refused.job_id) == (True, "", 0)
        assert "forgotten for good" in refused.warnings[0]
    assert jot.add(text).forgotten
    again = jot.add("# Doc\n\nKeep this.\n\n# Other\n\nWalrus secret.\n\n# Third\n\nNew.\n", source="b.md").id
    only = jot.add("# Other\n\nWalrus secret.\n\n", source="c.md")
    jot.work()
    details = jot.show(again)
    assert len(details.memories) == 2
    assert details.document is not None
    assert "Walrus" not in details.document.text
    assert only.forgotten
    assert not jot.recall("walrus").hits
    session = tmp_path / "session.jsonl"
    session.write_text(
        json.dumps({"role": "user", "content": text, "timestamp": "2026-03-01T14:00:00Z", "session": "s"}) + "\n"
    )
    result = jot.import_sessions([str(session)], format="plain")
    assert (result.added, result.forgotten, result.problems) == (0, 1, ())
    assert text not in everything(jot)
    assert jot.scoped(tenant="other").remember(text).id, "tenants have tombstones of their own"
    assert jot.allow_again("never seen") == 0
    assert (jot.allow_again(text), jot.allow_again("k1"), jot.allow_again("x1")) == (1, 1, 1)
    assert jot.remember(text, key="k1", external_id="x1").id
