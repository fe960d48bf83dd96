"""The Python API as a script uses it: wrong values are named, and threads, coroutines and forks share what is there."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jotsam import InvalidInput, Jotsam, Processor, Queue
from jotsam.core.settings import Settings

WRONG_OF_MEMORY = {
    "add a number": (lambda jot: jot.add(3), "invalid text of type int"),
    "add bytes": (lambda jot: jot.add(b"x"), "invalid text of type bytes"),
    "source": (lambda jot: jot.add("x", source=3), "invalid source 3"),
    "date": (lambda jot: jot.add("x", date="soon"), "invalid date 'soon'"),
    "remember a field": (lambda jot: jot.remember("x", colour=1), "unknown field 'colour'; allowed: actor"),
    "tags": (lambda jot: jot.remember("x", tags="abc"), r"must be a list of strings, for example \['abc'\]"),
    "recall a number": (lambda jot: jot.recall(3), "question is 3"),
    "recall a field": (lambda jot: jot.recall("x", colour=1), "unknown field 'colour'; allowed: "),
    "recall tags": (lambda jot: jot.recall("x", tags=3), "invalid tags 3: must be a list"),
    "recall one tag": (lambda jot: jot.recall("x", tags="ops"), "tags is 'ops': give a list of at most 100 tags"),
    "recall expand a word": (
        lambda jot: jot.recall("x", expand="entities"),
        "invalid expand 'entities': must be a list",
    ),
    "recall without": (lambda jot: jot.recall("x", without=3), "invalid without 3: must be a list"),
    "recall expand": (lambda jot: jot.recall("x", expand=3), "invalid expand 3: must be a list"),
    "recall pinned": (lambda jot: jot.recall("x", pinned=3), "invalid pinned 3: must be a list"),
    "recall history": (lambda jot: jot.recall("x", history="x"), "invalid history 'x': must be True or False"),
    "recall every_tag": (lambda jot: jot.recall("x", every_tag="x"), "invalid every_tag 'x'"),
    "recall prefer": (lambda jot: jot.recall("x", prefer=3), "invalid prefer 3"),
    "recall limit": (lambda jot: jot.recall("x", limit=0), "invalid limit 0: must be an integer from 1 to 1,000"),
    "wait": (lambda jot: jot.wait(3), "invalid ids 3: must be a list"),
    "wait for one": (lambda jot: jot.wait("abc"), "invalid ids 'abc': must be a list"),
    "wait timeout": (lambda jot: jot.wait(timeout_ms="a"), "invalid timeout_ms 'a': must be an integer"),
    "plan": (lambda jot: jot.plan_reprocess("abc"), "invalid ids 'abc': must be a list"),
    "plan a field": (lambda jot: jot.plan_reprocess(colour=1), "unknown field 'colour'; allowed: degraded"),
    "plan a type": (lambda jot: jot.plan_reprocess(type=3), "invalid type 3: must be a string"),
    "plan degraded": (lambda jot: jot.plan_reprocess(degraded="x"), "invalid degraded 'x'"),
    "reprocess": (lambda jot: jot.reprocess(None), "plan is NoneType: give what plan_reprocess returned"),
    "extract_prompt": (lambda jot: jot.extract_prompt(3), "invalid ids 3: must be a list"),
    "extract_apply": (lambda jot: jot.extract_apply(3), "invalid text 3: must be a string"),
    "extract_apply by": (lambda jot: jot.extract_apply("{}", by=3), "invalid by 3: must be a string"),
    "costs": (lambda jot: jot.admin.costs(days="a"), "invalid days 'a': must be an integer"),
    "jobs state": (lambda jot: jot.admin.jobs(state="sleepy"), "invalid state 'sleepy': must be one of ready, leased"),
    "jobs limit": (lambda jot: jot.admin.jobs(limit=-1), "invalid limit -1"),
    "jobs after": (lambda jot: jot.admin.jobs(after="x"), "invalid after 'x'"),
    "jobs older": (lambda jot: jot.admin.jobs(older_ms="x"), "invalid older_ms 'x'"),
    "jobs kind": (lambda jot: jot.admin.jobs(kind=3), "invalid kind 3"),
    "stuck": (lambda jot: jot.admin.stuck(limit="x"), "invalid limit 'x'"),
    "failure_groups": (lambda jot: jot.admin.failure_groups(kind=3), "invalid kind 3"),
    "dead": (lambda jot: jot.admin.dead(group=3), "invalid group 3"),
    "retry_many": (lambda jot: jot.admin.retry_many("12"), "invalid ids '12': must be a list"),
    "entities": (lambda jot: jot.knowledge.entities(category="x"), "invalid category 'x': must be one of people"),
    "entities words": (lambda jot: jot.knowledge.entities(words=3), "invalid words 3"),
    "merge": (lambda jot: jot.knowledge.merge(3, into="x"), "invalid name 3"),
    "facts": (lambda jot: jot.knowledge.facts(colour=1), "unknown field 'colour'; allowed: history"),
    "facts subject": (lambda jot: jot.knowledge.facts(subject=3), "invalid subject 3"),
    "patterns": (lambda jot: jot.knowledge.patterns(type=3), "invalid type 3"),
    "allow": (lambda jot: jot.knowledge.allow(3, reason="x"), "invalid text 3"),
    "allow a reason": (lambda jot: jot.knowledge.allow("x", reason=3), "invalid reason 3"),
    "forbid": (lambda jot: jot.knowledge.forbid(3), "invalid fingerprint 3"),
    "allow_redacted": (lambda jot: jot.knowledge.allow_redacted(3, reason="x"), "invalid fingerprint 3"),
    "redactions": (lambda jot: jot.knowledge.redactions(limit="x"), "invalid limit 'x'"),
    "settings": (lambda jot: Jotsam(settings={}), "invalid settings of type dict: must be a jotsam.Settings"),
    "db": (lambda jot: Jotsam(3), "invalid db 3"),
}
WRONG_OF_A_QUEUE = {
    "parallel": (lambda mail: mail.send("x", parallel="x"), "invalid parallel 'x': must be True or False"),
    "wait_ms": (lambda mail: mail.receive(wait_ms="x"), "invalid wait_ms 'x'"),
    "max_bytes": (lambda mail: Queue(mail.database, max_bytes="x"), "invalid max_bytes 'x'"),
    "where": (lambda mail: Queue(3), "invalid where 3: must be the path of a file"),
    "processor of no queue": (
        lambda mail: Processor("mail", {"a": print}),
        "invalid queue 'mail': must be a jotsam.Queue",
    ),
    "handlers": (lambda mail: Processor(mail, 3), "invalid handlers 3: must be a dict of functions"),
    "no function": (lambda mail: Processor(mail, {"a": 3}), "must be a dict of functions"),
}


@pytest.mark.parametrize("wrong", WRONG_OF_MEMORY)
def test_a_wrong_value_is_named_with_what_is_allowed(wrong, jot):
    call, message = WRONG_OF_MEMORY[wrong]
    with pytest.raises(InvalidInput, match=message):
        call(jot)


@pytest.mark.parametrize("wrong", WRONG_OF_A_QUEUE)
def test_a_wrong_value_for_a_queue_is_named_too(wrong, url):
    call, message = WRONG_OF_A_QUEUE[wrong]
    with Queue(url, "mail") as mail, pytest.raises(InvalidInput, match=message):
        call(mail)


def test_a_script_does_everything_with_one_object(jot):
    old = jot.add("We chose Redis for the cache.", source="adr-1.md")
    new = jot.add("We chose Valkey for the cache.", source="adr-2.md")
    assert not jot.wait(timeout_ms=0)
    jot.work()
    assert jot.wait([old.id, new.id], timeout_ms=0)
    assert jot.supersede(old.id, new.id).since is not None
    assert [hit.source for hit in jot.recall("which cache did we choose?").hits] == ["adr-2.md"]
    assert jot.show(new.id).done
    assert jot.status().enriched == 2
    plan = jot.plan_reprocess([new.id], force=True)
    assert (jot.reprocess(plan), len(plan.due)) == (1, 1)
    jot.work()
    jot.admin.forget_tenant()
    assert (jot.status().memories, jot.recall("cache").hits) == (0, ())


def test_many_threads_share_one_object(jot):
    with ThreadPoolExecutor(8) as threads:
        receipts = list(
            threads.map(lambda n: jot.remember(f"Number {n} is red.", external_id=f"n-{n % 20}"), range(40))
        )
        answers = list(threads.map(lambda n: jot.recall(f"number {n}"), range(8)))
    assert len({receipt.id for receipt in receipts}) == 20
    assert sum(receipt.duplicate for receipt in receipts) == 20
    assert all(answer.coverage.pending == 20 for answer in answers)


def test_a_coroutine_hands_over_to_threads(jot):
    async def both():
        await asyncio.gather(*(asyncio.to_thread(jot.remember, f"Number {n} is red.") for n in range(8)))
        return await asyncio.to_thread(jot.recall, "red")

    assert len(asyncio.run(both()).hits) == 8


def test_a_queue_changes_no_job_of_another(url):
    """Ids are those of the whole database; the jobs of memory may lie beside."""
    with Queue(url, "mail") as mail, Queue(mail.database, "other") as other:
        sent = other.send("theirs", max_receive=1)
        assert (mail.discard(sent.id), mail.cancel(sent.id)) == (False, False)
        other.bury(other.receive(), error="hopeless")
        assert mail.redrive(sent.id) == 0
        assert other.redrive(sent.id) == 1


def test_a_path_may_be_a_path(tmp_path: Path):
    with Jotsam(tmp_path / "a.db", worker="off") as jot:
        jot.remember("It is red.")
    with Queue(tmp_path / "a.db", "mail") as mail:
        mail.send("x")
        assert os.path.samefile(mail.database.url, tmp_path / "a.db")
    assert Settings(db=str(tmp_path / "a.db")).db
