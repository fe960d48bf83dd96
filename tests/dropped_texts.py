"""Every path on which a stored text is dropped: what is stored first, and what drops it.

Each path has a word of its own. What a path leaves is looked for in all files of a database by the tests that use this.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jotsam import AuditEntry, Jotsam
from jotsam.core.job_records import JobSpec
from jotsam.core.names import CLUSTER, CRYSTALS, IDENTITY
from jotsam.ingest import spool
from jotsam.memory.access import idempotency
from jotsam.memory.access.audit import audited_client
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.memories import given_texts, memories
from jotsam.storage.statements import SQL, queries
from lifecycle_tables import run, undo

if TYPE_CHECKING:
    import pytest

    from conftest import StandingClock

DAY_MS = 86_400_000
LATER_MS = 400 * DAY_MS
"""Longer than anything is kept that is kept for a time."""
KEEPS = {
    "keep_documents_days": 90,
    "keep_history_days": 90,
    "keep_superseded_days": 90,
    "trash_days": 30,
    "keep_audit_days": 365,
}
WORDS = [
    "zebulon",
    "quixote",
    "kryptol",
    "wexford",
    "yarrow",
    "vandyck",
    "umbriel",
    "tolkar",
    "sibelor",
    "rodvik",
    "quennel",
    "pomfret",
    "oxborou",
    "nyborgh",
    "mwanzat",
    "larkwel",
    "lysander",
    "kibworth",
    "jocasta",
    "isidore",
    "huxtable",
    "grimsby",
    "fenwicke",
    "ebbesen",
    "dunstan",
    "corvino",
    "bathori",
    "aldgate",
    "wexcombe",
    "tarporl",
    "selwick",
    "ravenor",
    "penhale",
    "ormskir",
]

Made = dict[str, Any]


class Path:
    """One path. `store` returns what `drop` needs, `drop` drops it at once; None: it is dropped when its time is up."""

    def __init__(self, name: str, store: Callable[[Jotsam, str], Any], drop: Callable[[Jotsam, Any], object] | None):
        self.name, self.store, self.drop = name, store, drop
        self.word = WORDS[len(PATHS)]


PATHS: list[Path] = []


def path(store: Callable[[Jotsam, str], Any], *, drop: Callable[[Jotsam, Any], object] | None = None) -> None:
    PATHS.append(Path(store.__name__, store, drop))


def told(jot: Jotsam, word: str, **options: Any) -> str:
    text = f"The password is {word}x, said Quentin {word.capitalize()} of {word.capitalize()} Harbour, who prefers tea."
    return jot.remember(text, **options).id


def forget(jot: Jotsam, ids: Any, **how: bool) -> None:
    ids = [ids] if isinstance(ids, str) else ids
    jot.forget(jot.plan_forget(ids=ids), **how)


def a_memory_with_every_field(jot: Jotsam, word: str) -> str:
    return told(
        jot,
        word,
        tags=[f"{word}-tag"],
        actor=f"Wanda {word}",
        source=f"{word}.md",
        metadata={word: word},
        external_id=f"{word}-1",
        session=word,
        project=f"{word}-project",
    )


def a_memory_for_good(jot: Jotsam, word: str) -> str:
    return told(jot, word)


def a_memory_with_an_earlier_text(jot: Jotsam, word: str) -> str:
    id = told(jot, word)
    jot.work()
    jot.update(id, text="The password is another one.")
    return id


def a_document(jot: Jotsam, word: str) -> str:
    return jot.add(f"# One\n\nRivers flow.\n\n# {word}\n\nQuentin {word} sails.\n", source=f"{word}.md").id


def a_chunk(jot: Jotsam, word: str) -> str:
    id = jot.add(f"# One\n\nRivers flow.\n\n# Two\n\nQuentin {word} sails.\n", source="chunks.md").id
    jot.work()
    return jot.show(id).memories[1]


def a_text_that_is_changed(jot: Jotsam, word: str) -> str:
    return told(jot, word)


def a_history(jot: Jotsam, word: str) -> str:
    return a_memory_with_an_earlier_text(jot, word)


def tags_and_metadata_that_are_changed(jot: Jotsam, word: str) -> str:
    return jot.remember("A plain text.", tags=[word], metadata={word: word}).id


def what_is_in_the_trash(jot: Jotsam, word: str) -> str:
    id = told(jot, word)
    jot.work()
    forget(jot, id, trash=True)
    return id


def a_block(jot: Jotsam, word: str) -> str:
    return jot.blocks.set("note", f"Quentin {word}.").name


def a_block_that_is_changed(jot: Jotsam, word: str) -> str:
    return jot.blocks.set("changed", f"Quentin {word}.").name


def a_block_of_a_project(jot: Jotsam, word: str) -> str:
    jot.blocks.set("of a project", f"Quentin {word}.", project="doomed")
    return "doomed"


def a_crystal(jot: Jotsam, word: str) -> Made:
    return agreed(jot, word, f"Always run the {word} tests before a release.")


def agreed(jot: Jotsam, word: str, text: str) -> Made:
    ids = [jot.remember(text, session=f"session {n}", actor="user", project="shop").id for n in range(3)]
    jot.work()
    return {"ids": ids, "run": run(jot, CRYSTALS)}


def undo_and_forget(jot: Jotsam, made: Made) -> None:
    assert undo(jot, made["run"]).state == "undone"
    forget(jot, made["ids"])


def a_title_of_a_crystal_that_is_changed(jot: Jotsam, word: str) -> list[str]:
    return agreed(jot, word, f"I prefer {word} tea over coffee in every meeting.")["ids"]


def change_and_forget_the_crystal(jot: Jotsam, ids: list[str]) -> None:
    forget(jot, [one.id for one in jot.list(tags=["crystal"]).memories])
    for id in ids:
        jot.update(id, text="Never on Fridays.", forget_history=True)


def a_theme(jot: Jotsam, word: str) -> list[str]:
    start = f"The {word} printer on the third floor jams"
    ids = [jot.remember(f"{start} {when}.").id for when in ("when it is humid", "on thick paper", "after a power cut")]
    jot.work()
    run(jot, CLUSTER)
    return ids


def a_text_about_an_entity(jot: Jotsam, word: str) -> str:
    name = f"Quentin {word.capitalize()}"
    ids = [jot.remember(f"{name} {what}.").id for what in ("works at Globex", "lives in Oslo", "prefers tea")]
    jot.work()
    run(jot, IDENTITY)
    return json.dumps(ids)


def a_queued_command_and_a_spooled_turn(jot: Jotsam, word: str) -> str:
    return jot.remember(f"The launch code of the old coffee machine is four {word}.").id


def forget_what_waits(jot: Jotsam, id: str) -> None:
    text = jot.get(id).text
    jot.admin.send_command(["remember", text])
    plan = jot.plan_forget(ids=[id])
    spool.write(jot.database.url, {"text": text, "actor": "user"})  # After the plan, which empties the spool.
    receipt = jot.forget(plan)
    assert (receipt.jobs, receipt.spooled) == (1, 1), receipt


def a_discarded_job(jot: Jotsam, word: str) -> int:
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        return queue.send(tx, JobSpec(queue="own", kind="own", payload=json.dumps(word), tenant=tx.tenant)).id


def discard(jot: Jotsam, id: int) -> None:
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        assert queue.discard(tx, id)
    jot.database.maintain()


def jobs_of_a_batch(jot: Jotsam, word: str) -> None:
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        for number in range(2):
            payload = json.dumps(f"{word} {number}")
            queue.send(tx, JobSpec(queue="batch", kind="own", payload=payload, tenant=tx.tenant))


def acknowledge_both(jot: Jotsam, _: None) -> None:
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        jobs = queue.receive(tx, queue="batch", owner="w", limit=2)
        assert len(queue.delete_many(tx, jobs)) == 2
    jot.database.maintain()


def a_reply_of_a_model(jot: Jotsam, word: str) -> str:
    id = told(jot, "hello")
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        row = memories.get(tx, uuid=id)
        assert row is not None
        ledger.save_reply(tx, key=word, body=json.dumps(word), extractor="llm:own", memory=row["id"])
    return id


def a_person(jot: Jotsam, word: str) -> Made:
    told(jot, word)
    jot.store.put(("people",), "phone", {"of": f"Quentin {word}"})
    return {"word": word, "id": jot.remember(f"The phone number of Quentin {word} is 555 0199.").id}


def forget_person(jot: Jotsam, made: Made) -> None:
    forget(jot, made["id"], trash=True)
    plan = jot.plan_forget(person=[f"Quentin {made['word']}", made["word"], f"{made['word']}x"])
    assert jot.forget(plan).left == ()


def a_tenant(jot: Jotsam, word: str) -> None:
    other = jot.scoped(tenant="other")
    a_memory_with_every_field(other, word)
    other.blocks.set("note", word)
    other.store.put((word,), word, {word: word})
    other.work()


def the_error_and_the_result_of_a_job(jot: Jotsam, word: str) -> None:
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        queue.send(tx, JobSpec(queue="done", kind="own", payload="1", tenant=tx.tenant))
        (job,) = queue.receive(tx, queue="done", owner="w", lease_ms=60_000)
        queue.save_result(tx, job, json=json.dumps(word), life_ms=DAY_MS)
        queue.bury(tx, job, error=f"invalid {word}", trace=word)
        queue.discard(tx, job.id)


def a_kept_reply(jot: Jotsam, word: str) -> None:
    reply = idempotency.KeptReply(status=200, body=json.dumps(word))
    idempotency.run_once(jot.database, jot.settings, key=word, fingerprint="f", write=lambda tx: reply)


def what_a_session_was_given(jot: Jotsam, word: str) -> str:
    id = told(jot, "gate", session="given")
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        given_texts.add(tx, "given", kind="start", text=word, ids=[id])
    return id


def what_a_session_was_given_long_ago(jot: Jotsam, word: str) -> None:
    what_a_session_was_given(jot, word)


def an_item_of_the_store(jot: Jotsam, word: str) -> str:
    jot.store.put((word,), word, {word: word, "texts": [word]}, text=f"{word} and {word}x")
    return word


def an_item_that_is_replaced(jot: Jotsam, word: str) -> str:
    jot.store.put(("replaced",), "key", {word: word}, text=word)
    return word


def a_namespace_that_is_cleared(jot: Jotsam, word: str) -> str:
    jot.store.append((word,), [word, {word: word}])
    return word


def an_item_that_has_expired(jot: Jotsam, word: str) -> None:
    jot.store.put((word,), word, {word: word}, ttl_ms=30 * DAY_MS)


def then_work(drop: Callable[[Jotsam, str], object]) -> Callable[[Jotsam, str], object]:
    """What the store drops can be in the log of a file until a worker truncates it."""

    def dropped(jot: Jotsam, word: str) -> None:
        drop(jot, word)
        jot.work()

    return dropped


def an_entry_of_the_audit(jot: Jotsam, word: str) -> None:
    entry = AuditEntry(tenant="default", token="t", name=word, action="POST /v1/memories", address="::1", request="r")
    audited_client(jot, entry).remember("A text of the audit.")


def an_earlier_version_of_long_ago(jot: Jotsam, word: str) -> None:
    a_memory_with_an_earlier_text(jot, word)


def what_was_superseded_long_ago(jot: Jotsam, word: str) -> None:
    jot.supersede(told(jot, word), jot.remember("The password is new.").id)


def the_text_of_a_document_of_long_ago(jot: Jotsam, word: str) -> str:
    return jot.show(a_document(jot, word)).id


def what_was_put_into_the_trash_long_ago(jot: Jotsam, word: str) -> None:
    what_is_in_the_trash(jot, word)


path(a_memory_with_every_field, drop=forget)
path(a_memory_for_good, drop=lambda jot, id: forget(jot, id, never_again=True))
path(a_memory_with_an_earlier_text, drop=forget)
path(a_document, drop=forget)
path(a_chunk, drop=forget)
path(a_text_that_is_changed, drop=lambda jot, id: jot.update(id, text="It is another one.", forget_history=True))
path(a_history, drop=lambda jot, id: jot.update(id, forget_history=True))
path(
    tags_and_metadata_that_are_changed,
    drop=lambda jot, id: jot.update(id, tags=[], metadata=None, forget_history=True),
)
path(what_is_in_the_trash, drop=lambda jot, _: jot.admin.empty_trash())
path(a_block, drop=lambda jot, name: jot.blocks.delete(name))
path(a_block_that_is_changed, drop=lambda jot, name: jot.blocks.set(name, "Another text."))
path(a_block_of_a_project, drop=lambda jot, name: jot.forget(jot.plan_forget(project=name)))
path(an_item_of_the_store, drop=then_work(lambda jot, word: jot.store.delete((word,), word)))
path(an_item_that_is_replaced, drop=then_work(lambda jot, word: jot.store.put(("replaced",), "key", "another")))
path(a_namespace_that_is_cleared, drop=then_work(lambda jot, word: jot.store.clear((word,))))
path(a_crystal, drop=undo_and_forget)
path(a_title_of_a_crystal_that_is_changed, drop=change_and_forget_the_crystal)
path(a_theme, drop=forget)
path(a_text_about_an_entity, drop=lambda jot, ids: forget(jot, json.loads(ids)))
path(a_queued_command_and_a_spooled_turn, drop=forget_what_waits)
path(a_discarded_job, drop=discard)
path(jobs_of_a_batch, drop=acknowledge_both)
path(a_reply_of_a_model, drop=lambda jot, id: jot.update(id, text="It is another one.", forget_history=True))
path(what_a_session_was_given, drop=forget)
path(a_person, drop=forget_person)
path(a_tenant, drop=lambda jot, _: jot.scoped(tenant="other").admin.forget_tenant())
path(the_error_and_the_result_of_a_job)
path(a_kept_reply)
path(an_entry_of_the_audit)
path(an_earlier_version_of_long_ago)
path(what_was_superseded_long_ago)
path(what_a_session_was_given_long_ago)
path(what_was_put_into_the_trash_long_ago)
path(an_item_that_has_expired)

# Queries that delete rows and that no path above runs, by the reason why no text that was dropped can be left by them.
OTHERS = {
    "the row has a hash, ids or numbers, and no text": {
        *("allowed_secrets.forbid", "tombstones.remove", "tokens.forget_links", "relevance.delete"),
        *("lifecycle.forget_refusals", "lifecycle.allow_again"),
        *("ledger.drop", "mirror.delete_changes", "engines.remove", "table_copy.forget_migration"),
    },
    "a link or tag between texts that stay": {
        *("crystals.unlink", "found_links.delete", "graph.delete_copied_mentions", "graph.delete_copied_tags"),
        *("graph.unlink_manual", "trash.clear_order", "themes.unlink", "themes.untag"),
    },
    "what was made of texts that stay, and goes with them": {
        *("identities.delete", "themes.delete", "events.prune", "notes.delete"),
        *("ledger.claim_reply", "ledger.delete_reply", "ledger.release_reply"),
    },
    "what is restored, or written again": {
        *("trash.take", "table_copy.end", "text_index.drop", "text_index.drop_leftovers"),
        "text_index.remove_waiting",
    },
}


def walk(jot: Jotsam, clock: StandingClock, *, words_left: Callable[[], set[str]], at_once: bool) -> None:
    """Store the texts of all paths, and drop them. With `at_once`, each is gone right after it was dropped."""
    made = {}
    for one in PATHS:
        made[one.name] = one.store(jot, one.word)
        jot.work()
    stored = {one.word for one in PATHS}
    assert stored - words_left() == set(), stored - words_left()
    kept = set()
    for one in PATHS:
        if one.drop is not None:
            one.drop(jot, made[one.name])
            if at_once and one.word in words_left():
                kept.add(one.name)
    assert kept == set(), kept
    clock.tick(LATER_MS)
    jot.work()
    jot.work()


@contextmanager
def recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The names of the queries that are run meanwhile."""
    from jotsam.storage.sqlite import sqlite

    names, original = set[str](), sqlite.statement

    def noting(dialect: str, query: str) -> str:
        names.add(query)
        return original(dialect, query)

    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "statement", noting)
        yield names


def deleting() -> set[str]:
    """The queries that delete rows of a file, or empty a text."""
    import re
    from pathlib import Path as FilePath

    files = {path.stem for folder in ("common", "sqlite") for path in FilePath(SQL, folder).glob("*.sql")}
    deletes = re.compile(r"^(delete from|drop table)|body = ''", re.MULTILINE)
    return {
        f"{file}.{name}"
        for file in files
        for name, sql in queries("sqlite", file).items()
        if deletes.search(re.sub(r"--.*", "", sql))
    }
