"""NER: the bundled tagger, a spaCy pipeline instead of it, and which of their names are kept."""

from __future__ import annotations

import logging
import struct
import subprocess
import sys
import zlib
from importlib.resources import files
from pathlib import Path

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.models import spacy_ner, tagger_weights
from jotsam.pipeline.entities import tagger, tagger_features
from jotsam.pipeline.entities.rules import RULE_CONFIDENCE, TAGGER_CONFIDENCE, find_entities
from jotsam.pipeline.entities.tagger_features import LABELS
from jotsam.worker.enrichment.ner import ConfiguredTagger as Tagger
from labelled_entities import LABELLED

BUNDLED = Tagger()


def found(text: str, tagger: Tagger = BUNDLED) -> set[str]:
    return {f"{entity.category}:{entity.slug}" for entity in find_entities(text, tagger=tagger)}


PROSE = [
    ("She studied in Paris before she moved to Canada.", {"concepts:paris", "concepts:canada"}),
    ("The president of France visited Barack Obama.", {"people:barack-obama", "concepts:france"}),
    ("Thanks, Zorbina! I met Gina in Rome.", {"people:zorbina", "people:gina", "concepts:rome"}),
    ("He plays for Manchester United in England.", {"organizations:manchester-united", "concepts:england"}),
]


def test_the_tagger_finds_names_in_prose_that_the_rules_miss() -> None:
    assert {text: got for text, expected in PROSE if (got := found(text)) != expected} == {}
    by_rules = {text: {f"{e.category}:{e.slug}" for e in find_entities(text)} for text, _ in PROSE}
    assert [text for text, expected in PROSE if by_rules[text] == expected] != [text for text, _ in PROSE]


def test_with_the_tagger_the_labelled_texts_have_the_entities_of_their_labels() -> None:
    """AM-35, each row."""
    assert {text: got for text, expected in LABELLED if (got := found(text)) != set(expected)} == {}


def test_a_known_tool_is_no_place_because_something_is_in_it() -> None:
    assert found("The service is implemented in Python and runs in Docker.") == {"tools:python", "tools:docker"}
    assert found("We met in Paris.") == {"concepts:paris"}


NOT_NAMES = [
    ("Fixed Timeout in Parser.", "fixed"),
    ("Try Bun instead of Node.", "try"),
    ("Running Ansible on all hosts.", "running"),
    ("Bye Joanna! Take care.", "bye"),
    ("Absolutely Jon. Go on.", "absolutely"),
    ("Glad Max is bringing you joy.", "glad-max"),
    ("I did Warrior II today.", "ii"),
    ("He loves Harry Potter and the Philosopher's Stone.", "philosopher"),
    ("I'm a huge fan of Lord of the Rings!", "lord"),
    ("I drove to Fort Wayne with him.", "fort"),
    ("Nguyễn Văn An moved to Hanoi.", "văn"),
    ("Łukasz Żółć met with Ana.", "zolc"),
    ("Startin' my business was hard.", "startin"),
    ("We went to an LGBTQ conference.", "lgbtq"),
]


def test_verbs_greetings_numerals_and_parts_of_names_are_not_names() -> None:
    slugs = {text: {name.partition(":")[2] for name in found(text)} for text, _ in NOT_NAMES}
    assert [(text, slug) for text, slug in NOT_NAMES if slug in slugs[text]] == []


DOCUMENTS = [
    "## Phase Two\n\nRun the `CLI` of Unit M5. Redeploy it. The PR is Closed.",
    "| Step | Owner |\n|---|---|\n| Click | Server Tests |",
    "- Restore Backup\n- Verify **Migration** with Check",
    "THE SOFTWARE IS PROVIDED AS IS WITHOUT WARRANTY OF ANY KIND",
]


@pytest.mark.parametrize("text", DOCUMENTS)
def test_headings_and_bullets_of_a_document_yield_no_names(text: str) -> None:
    assert found(text) == set()


def test_a_full_name_in_the_prose_of_a_document_is_found() -> None:
    text = "# Minutes\n\nThis was decided by Melanie Underwood and nobody else.\n"
    assert "people:melanie-underwood" in found(text)


def test_a_missing_pipeline_is_logged_once_and_the_bundled_tagger_is_used(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tagger = Tagger("no_such_model")
    with caplog.at_level(logging.WARNING, logger="jotsam.worker"):
        assert found(PROSE[0][0], tagger) == PROSE[0][1]
        assert found(PROSE[2][0], tagger) == PROSE[2][1]
    (record,) = caplog.records
    assert "no_such_model" in record.getMessage()
    assert "pip install" in record.getMessage() or "spacy download" in record.getMessage()


def test_a_spacy_pipeline_is_loaded_by_its_path(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'jotsam[spacy]'")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns(
        [{"label": "PERSON", "pattern": "Zorbax"}, {"label": "ORG", "pattern": "Quuxcorp"}]
    )
    pipeline.to_disk(tmp_path / "names")
    tagger = Tagger(str(tmp_path / "names"))
    assert found("Yesterday Zorbax left Quuxcorp.", tagger) == {"people:zorbax", "organizations:quuxcorp"}


def blank(folder: Path) -> Path:
    """Write a pipeline that knows one name."""
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'jotsam[spacy]'")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Zorbina"}])
    pipeline.to_disk(folder)
    return folder


@pytest.mark.parametrize("file", ["meta.json", "config.cfg", "tokenizer", "entity_ruler/patterns.jsonl"])
def test_a_damaged_pipeline_is_logged_once_and_the_bundled_tagger_is_used_under_its_own_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, file: str
) -> None:
    folder = blank(tmp_path / "names")
    (folder / file).write_bytes(b"{ this is broken \xff")
    tagger = Tagger(str(folder))
    with caplog.at_level(logging.WARNING, logger="jotsam.worker"):
        assert found(PROSE[0][0], tagger) == PROSE[0][1]
        assert found(PROSE[2][0], tagger) == PROSE[2][1]
    (record,) = caplog.records
    assert str(folder) in record.getMessage()
    assert tagger.name == "tagger/2"


def test_each_entity_has_its_extractor_and_confidence(tmp_path: Path) -> None:
    text = "Yesterday I saw Zorbina there. We moved from Redis to Zurich."
    for one, who in (
        (BUNDLED, "tagger/2"),
        (Tagger(str(blank(tmp_path / "n"))), f"spacy:{tmp_path / 'n'}"),
    ):
        assert one.name == who
        by = {entity.slug: (entity.extractor, entity.confidence) for entity in find_entities(text, tagger=one)}
        assert by["zorbina"] == (who, TAGGER_CONFIDENCE)
        assert by["redis"] == (None, RULE_CONFIDENCE)


def test_a_folder_without_a_pipeline_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="spacy_model is"):
        spacy_ner.load(str(tmp_path))


CONCURRENT_LOAD = """
import threading
from jotsam.models import tagger_weights
gate, found = threading.Barrier(4), []
def load():
    gate.wait()
    found.append(tagger_weights.load_weights())
threads = [threading.Thread(target=load) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len({id(one) for one in found}))
"""


def test_concurrent_threads_load_the_weights_once():
    """Otherwise each thread of a worker would hold its own copy."""
    done = subprocess.run([sys.executable, "-c", CONCURRENT_LOAD], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_packed_weights_are_those_of_the_file() -> None:
    data = files("jotsam.models").joinpath("names.bin").read_bytes()
    (count,) = struct.unpack_from("<I", data)
    body, columns = zlib.decompress(data[4:]), 2 * len(LABELS)
    assert len(body) == (4 + columns) * count
    packed, number, known = tagger_weights.PackedWeights(data), 0, set()
    for at, difference in enumerate(struct.unpack_from(f"<{count}I", body)):
        number += difference
        known.add(number)
        if at % 97 == 0 or at == count - 1:
            written = bytes(body[(4 + column) * count + at] for column in range(columns))
            row = struct.unpack(f"<{len(LABELS)}h", written)
            assert packed.by_label(packed.total([number])) == tuple(one + tagger_weights.OFFSET for one in row)
    assert len(packed) == count == len(known)
    beside = {other for one in known for other in (one - 1, one + 1, one ^ 1 << 31)} - known
    assert (packed.total(beside), packed.total([2**32 - 1, 0])) == (0, 0)
    pair = sorted(known)[:2]
    assert packed.total(pair) == sum(packed.total([one]) for one in pair) != 0


def test_the_tagger_keeps_few_totals_and_finds_the_same_after_many_texts() -> None:
    bundled = tagger.Tagger(tagger_weights.load_weights())
    text = "The president of France visited Barack Obama in New York."
    before = bundled.names(text)
    for number in range(tagger.MAX_KEPT // 100):
        bundled.names(" ".join(f"Name{number}x{one} word{one}y{number}" for one in range(100)))
    kept = [value for value in vars(bundled).values() if isinstance(value, dict)]
    assert [len(one) for one in kept if len(one) > tagger.MAX_KEPT] == []
    assert max(map(len, kept)) > tagger.MAX_KEPT // 2
    assert bundled.names(text) == before != ()


def test_the_tagger_adds_the_features_that_its_training_uses() -> None:
    """The tagger keeps totals of groups of features; training adds one feature after the other."""
    weights = tagger_weights.load_weights()
    for text, _ in (*PROSE, *LABELLED):
        words = [text[start:end] for start, end in tagger.token_spans(text)]
        for window in tagger_features.windows([tagger_features.form_of(word) for word in words]):
            named = tagger_features.of_neighbours(*window)
            assert tagger_features.hashes_of_neighbours(*window) == tuple(zlib.crc32(one.encode()) for one in named)
        before, last, expected = 0, 0, []
        for at, own in enumerate(tagger_features.features(words)):
            every = (*own, *tagger_features.with_history(words, at, before, last))
            scores = weights.by_label(weights.total([zlib.crc32(feature.encode()) for feature in every]))
            before, last = last, tagger.best_label(scores, last)
            expected.append(last)
        assert [label for label, *_ in tagger.Tagger(weights)._tag(words)] == expected, text
