"""Unusual texts, names and dates are stored and found. What is refused is in tests/sqlite/test_invalid_values.py."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from jotsam import InvalidInput, Jotsam
from jotsam.core.names import ENRICH
from row_counts import row_counts

HUGE = 2_000_000


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
    "a long word": "z" * 100_000,
    "a long line": "zebra " * 17_000,
    "a million lines": "zebra\n" * 1_000 + "\n" * 1_000_000,
    "a thousand headings": "# zebra\n" * 1_000,
    "a fence that never ends": "```python\n" + "zebra\n" * 10_000,
    "many stars": "*" * 50_000 + " zebra",
    "a sentence a thousand times": "Ana uses Kafka. zebra. " * 1_000,
    "a very deep list": "\n".join("  " * depth + "- zebra" for depth in range(300)),
}
LARGE = {
    "one word of a megabyte": "z" * 1_000_000,
    "a line of a megabyte": "zebra " * 170_000,
    "half a million stars": "*" * 500_000 + " zebra",
    "a sentence ten thousand times": "Ana uses Kafka. zebra. " * 10_000,
}


@pytest.mark.parametrize(
    "text",
    [*STRANGE.values(), *(pytest.param(text, marks=pytest.mark.long) for text in LARGE.values())],
    ids=[*STRANGE, *LARGE],
)
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
    "a" * 500,
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
    before = row_counts(jot)
    assert jot.add("Three.", key="k") == added.replace(duplicate=True, warnings=())
    assert jot.remember("Four.", key="m") == remembered.replace(duplicate=True, warnings=())
    assert jot.remember("Five.", external_id="id") == remembered.replace(duplicate=True, warnings=())
    assert jot.remember("Six.", key="another", external_id="id").id == remembered.id
    assert row_counts(jot) == before


def test_a_key_of_one_memory_with_the_external_id_of_another_is_not_an_accident(jot):
    first, second = jot.remember("One.", key="k"), jot.remember("Two.", external_id="id")
    before = row_counts(jot)
    again = jot.remember("Three.", key="k", external_id="id")
    assert again.duplicate
    assert again.id in (first.id, second.id)
    assert row_counts(jot) == before


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
