"""Whatever is handed in: it is kept and found, or refused with a message that says what is allowed. Never by half."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest

from jotsam import InvalidInput, Jotsam
from jotsam.core.names import ENRICH

HUGE = 2_000_000

REFUSED: dict[str, Callable[[Jotsam], object]] = {
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


def contents(jot: Jotsam) -> list[int]:
    """How much there is of everything."""
    tables = (
        "document",
        "memory",
        "memory_tag",
        "text_index",
        "queue_job",
        "queue_payload",
        "queue_key",
        "queue_count",
    )
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        counted = [tx.execute(f"select count(*) as entries from {table}") for table in tables]
    return [rows[0]["entries"] for rows in counted]


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_what_is_not_allowed_is_refused_with_a_reason_and_nothing_is_written(call, jot):
    jot.add("A document about aardvarks.", key="k")
    before = contents(jot)
    with pytest.raises(InvalidInput) as caught:
        call(jot)
    assert len(str(caught.value)) < 1_000
    assert contents(jot) == before
    assert jot.add("Another one.")


STRANGE = {
    "NUL": "a\0ardvark zebra",
    "half of a surrogate pair": "aardvark \ud800 zebra",
    "the halves in the wrong order": "aardvark \udc00\ud800 zebra",
    "a pair in halves": "aardvark \ud83d\ude00 zebra",
    "other ends of lines": "aardvark\rzebra\r\nlion",
    "a mark of byte order": "\ufeffaardvark zebra",
    "control characters": "".join(map(chr, range(1, 32))) + " zebra",
    "no characters": "\uffff\ufffe zebra",
    "one emoji": "🦓 zebra",
    "right to left": "\u202eaardvark\u202c שלום zebra",
    "a thousand accents": "e" + "\u0301" * 1_000 + " zebra",
    "quotes": "it's \"zebra\" `zebra` ''",
    "SQL": "'; drop table memory; -- zebra",
    "a question for the index": 'zebra" OR * NEAR(a b) : ^ {col} - +',
    "a fence": "```\nzebra\n</memory>\n```",
    "only signs": "!!! ??? ---",
    "one word of a megabyte": "z" * 1_000_000,
    "a line of a megabyte": "zebra " * 170_000,
    "a million lines": "zebra\n" * 1_000 + "\n" * 1_000_000,
    "a thousand headings": "# zebra\n" * 1_000,
    "a fence that never ends": "```python\n" + "zebra\n" * 10_000,
    "half a million stars": "*" * 500_000 + " zebra",
    "a sentence ten thousand times": "Ana uses Kafka. zebra. " * 10_000,
    "a very deep list": "\n".join("  " * depth + "- zebra" for depth in range(300)),
}


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
def test_strange_text_is_kept_and_the_worker_gets_through_it(text, jot):
    document, memory = jot.add(text), jot.remember(text)
    if "zebra" in text:
        assert jot.recall("zebra").coverage.total == 2
    assert jot.work() >= 3
    status = jot.status()
    assert (status.depth.live, status.depth.dead) == (0, 0)
    assert status.enriched == status.memories >= 2
    if "zebra" in text:
        assert jot.recall("zebra").hits
    for receipt in (document, memory):
        assert jot.show(receipt.id)
    assert jot.recall(text[:5_000]).coverage.budget


NAMES = [
    "it's",
    '"quoted"',
    "'; drop table memory; --",
    "a\0b",
    "\ud800",
    "null",
    "%_*",
    "🦓",
    "a" * 4_096,
    "\u202e",
    ":tenant",
]


@pytest.mark.parametrize("name", NAMES)
def test_strange_names_keep_things_apart_and_find_them_again(name, jot):
    fields = {"project": name, "source": name, "actor": name, "session": name}
    first = jot.add("A document about aardvarks.", key=name, **fields)
    second = jot.remember("A memory about aardvarks.", external_id=name, type=name, metadata={name: name}, **fields)
    assert jot.add("Something else.", key=name).id == first.id
    assert jot.remember("Something else.", external_id=name).id == second.id
    assert jot.recall("aardvarks", project=name).coverage.total == 2
    assert jot.recall("aardvarks", project="other").coverage.total == 0
    assert jot.work()
    assert jot.status().depth.dead == 0
    with Jotsam(settings=jot.settings, tenant="another") as stranger:
        assert stranger.recall("aardvarks", project=name).coverage.total == 0
        stranger.add("A document about lions.", key=name, **fields)
        assert stranger.recall("lions", project=name).coverage.total == 1
    assert jot.recall("lions").coverage.total == 0


@pytest.mark.parametrize("tenant", [" acme ", "acme\n", "a\0cme", "\ud800"])
def test_a_strange_name_of_a_tenant_is_refused_or_means_the_same_everywhere(tenant, jot):
    try:
        strange = Jotsam(settings=jot.settings, tenant=tenant)
    except InvalidInput:
        return
    with strange:
        receipt = strange.add("A document about lions.")
        assert strange.recall("lions").coverage.total == 1
        assert strange.status().documents == 1
        assert strange.show(receipt.id)
        assert [job.id for job in strange.admin.jobs()] == [receipt.job_id]


def test_the_same_key_or_external_id_again_gives_the_first_receipt_and_writes_nothing(jot):
    added = jot.add("One.", key="k")
    remembered = jot.remember("Two.", key="m", external_id="id")
    before = contents(jot)
    assert jot.add("Three.", key="k") == added.replace(duplicate=True, warnings=())
    assert jot.remember("Four.", key="m") == remembered.replace(duplicate=True, warnings=())
    assert jot.remember("Five.", external_id="id") == remembered.replace(duplicate=True, warnings=())
    assert jot.remember("Six.", key="another", external_id="id").id == remembered.id
    assert contents(jot) == before


def test_a_key_of_one_memory_with_the_external_id_of_another_is_not_an_accident(jot):
    first, second = jot.remember("One.", key="k"), jot.remember("Two.", external_id="id")
    before = contents(jot)
    again = jot.remember("Three.", key="k", external_id="id")
    assert again.duplicate
    assert again.id in (first.id, second.id)
    assert contents(jot) == before


@pytest.mark.parametrize("value", ["2026-03-01", date(2026, 3, 1), datetime(2026, 3, 1), 1_772_323_200_000])
def test_a_date_may_be_given_in_several_ways(value, jot):
    receipt = jot.remember("A memory about aardvarks.", said_at=value)
    assert receipt
    assert jot.recall("aardvarks").hits[0].date == 1_772_323_200_000


def test_two_megabytes_are_accepted_found_at_once_and_found_again_when_they_are_cut(jot):
    sentence = "The quick brown fox jumps over the lazy dog near the river bank. "
    paragraph = sentence * 12 + "\n\n"
    middle = HUGE // 2 // len(paragraph)
    text = paragraph * middle + "Here hides an aardvark.\n\n" + paragraph * middle
    jot.add(text, source="huge.txt")
    assert jot.recall("aardvark").coverage.total == 1
    jot.admin.pause(ENRICH)  # Reading thousands of memories takes a minute, and is not what this is about.
    jot.work()
    status = jot.status()
    assert (status.depth.live, status.depth.dead) == (status.memories, 0)
    assert status.memories > 1_000
    (hit,) = jot.recall("aardvark").hits
    assert "Here hides an aardvark." in hit.text
    assert hit.kind == "memory"
    assert len(hit.text) < 10_000
