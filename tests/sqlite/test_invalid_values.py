"""Invalid values are refused with a message that states what is allowed, and nothing is written.

They are refused before any SQL, so once, on SQLite. Each test tries all of them and lists every offender.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from jotsam import InvalidInput, Jotsam, Processor, Queue
from row_counts import row_counts

INVALID_FOR_MEMORY = {
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
    "facts": (lambda jot: jot.knowledge.facts(colour=1), "unknown field 'colour'; allowed: actor, archived"),
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
INVALID_FOR_QUEUE = {
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

NOTHING_WRITTEN: dict[str, Callable[[Jotsam], object]] = {
    "empty text": lambda jot: jot.add(""),
    "white space": lambda jot: jot.add(" \n\t\r\u00a0\u2003 "),
    "a mark of byte order alone": lambda jot: jot.add("\ufeff"),
    "no text": lambda jot: jot.add(None),
    "a number as text": lambda jot: jot.add(7),
    "bytes as text": lambda jot: jot.add(b"bytes"),
    "an empty memory": lambda jot: jot.remember("  "),
    "a list as memory": lambda jot: jot.remember(["text"]),
    "a number as source": lambda jot: jot.add("text", source=7),
    "a list as project": lambda jot: jot.add("text", project=["a"]),
    "a number as key": lambda jot: jot.add("text", key=7),
    "a key of a megabyte": lambda jot: jot.add("text", key="k" * 1_000_000),
    "a source of a megabyte": lambda jot: jot.add("text", source="s" * 1_000_000),
    "a word as date": lambda jot: jot.add("text", date="yesterday"),
    "a day that does not exist": lambda jot: jot.add("text", date="2026-02-30"),
    "a date before 1970": lambda jot: jot.add("text", date=-1),
    "a date beyond all calendars": lambda jot: jot.add("text", date=10**15),
    "a fraction as date": lambda jot: jot.add("text", date=1.5),
    "true as date": lambda jot: jot.add("text", date=True),
    "the first of all dates": lambda jot: jot.add("text", date=datetime.min),
    "a field that does not exist": lambda jot: jot.remember("text", colour="red"),
    "importance that is not a number": lambda jot: jot.remember("text", importance=math.nan),
    "infinite importance": lambda jot: jot.remember("text", importance=math.inf),
    "negative importance": lambda jot: jot.remember("text", importance=-0.1),
    "importance above 1": lambda jot: jot.remember("text", importance=1.1),
    "importance in words": lambda jot: jot.remember("text", importance="high"),
    "true as confidence": lambda jot: jot.remember("text", confidence=True),
    "tags that are one text": lambda jot: jot.remember("text", tags="decision"),
    "a number among the tags": lambda jot: jot.remember("text", tags=["a", 7]),
    "a number as tags": lambda jot: jot.remember("text", tags=7),
    "metadata that is a list": lambda jot: jot.remember("text", metadata=["a"]),
    "metadata that is text": lambda jot: jot.remember("text", metadata='{"a": 1}'),
    "metadata with a set": lambda jot: jot.remember("text", metadata={"a": {1, 2}}),
    "metadata with NaN": lambda jot: jot.remember("text", metadata={"a": math.nan}),
    "metadata with a tuple as name": lambda jot: jot.remember("text", metadata={(1, 2): 3}),
    "metadata that contains itself": lambda jot: jot.remember("text", metadata=endless()),
    "metadata that is very deep": lambda jot: jot.remember("text", metadata=deep(100_000)),
    "a position in words": lambda jot: jot.remember("text", position="first"),
    "true as position": lambda jot: jot.remember("text", position=True),
    "a position beyond 64 bits": lambda jot: jot.remember("text", position=1 << 63),
    "valid until before it is valid": lambda jot: jot.remember("text", valid_from=2, valid_until=1),
    "a wrong date of validity": lambda jot: jot.remember("text", valid_from="soon"),
    "a list as own id": lambda jot: jot.remember("text", external_id=["a"]),
    "a budget of nothing": lambda jot: jot.recall("text", tokens=0),
    "a negative limit": lambda jot: jot.recall("text", limit=-1),
    "a question that is no text": lambda jot: jot.recall(7),
}


def endless() -> dict[str, Any]:
    loop: dict[str, Any] = {}
    loop["again"] = loop
    return loop


def deep(levels: int) -> dict[str, Any]:
    inner: dict[str, Any] = {}
    for _ in range(levels):
        inner = {"a": inner}
    return inner


def message(call: Callable[..., object], *args: object) -> str:
    """The error that a call raises, or what it did instead."""
    try:
        done = call(*args)
    except InvalidInput as error:
        return str(error)
    return f"accepted: {done!r}"


def test_an_invalid_value_for_memory_is_refused_with_what_is_allowed(jot: Jotsam) -> None:
    found = {name: (message(call, jot), expected) for name, (call, expected) in INVALID_FOR_MEMORY.items()}
    assert {name: pair for name, pair in found.items() if not re.search(pair[1], pair[0])} == {}


def test_an_invalid_value_for_a_queue_is_refused_with_what_is_allowed(url: str) -> None:
    with Queue(url, "mail") as mail:
        found = {name: (message(call, mail), expected) for name, (call, expected) in INVALID_FOR_QUEUE.items()}
    assert {name: pair for name, pair in found.items() if not re.search(pair[1], pair[0])} == {}


def test_a_refused_call_writes_nothing_and_its_message_is_short(jot: Jotsam) -> None:
    jot.add("A document about aardvarks.", key="k")
    before = row_counts(jot)
    offenders = {}
    for name, call in NOTHING_WRITTEN.items():
        said = message(call, jot)
        if said.startswith("accepted") or len(said) >= 1_000 or row_counts(jot) != before:
            offenders[name] = said[:200]
    assert offenders == {}
    assert jot.add("Another one.")
