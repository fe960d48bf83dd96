"""The tagger that is shipped, a spaCy pipeline in its place, and which of their names are kept."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.models import spacy_ner as spacy_model
from jotsam.pipeline.entities.rules import RULE_CONFIDENCE, TAGGER_CONFIDENCE, find_entities
from jotsam.worker.ner import Naming
from measured import MEASURED

NAMING = Naming()


def found(text: str, naming: Naming = NAMING) -> set[str]:
    return {f"{entity.category}:{entity.slug}" for entity in find_entities(text, tagger=naming)}


TOLD = [
    ("She studied in Paris before she moved to Canada.", {"concepts:paris", "concepts:canada"}),
    ("The president of France visited Barack Obama.", {"people:barack-obama", "concepts:france"}),
    ("Thanks, Zorbina! I met Gina in Rome.", {"people:zorbina", "people:gina", "concepts:rome"}),
    ("He plays for Manchester United in England.", {"organizations:manchester-united", "concepts:england"}),
]


@pytest.mark.parametrize(("text", "expected"), TOLD)
def test_the_tagger_finds_in_plain_prose_what_no_rule_can_know(text: str, expected: set[str]) -> None:
    assert found(text) == expected
    assert {f"{e.category}:{e.slug}" for e in find_entities(text)} != expected


PLACES = {"concepts:zurich", "concepts:new-york"}


@pytest.mark.parametrize(("text", "expected"), MEASURED)
def test_with_the_tagger_the_measured_texts_give_what_a_person_would_name(text: str, expected: list[str]) -> None:
    """AM-35, each row; places may come in addition, as concepts."""
    assert found(text) - PLACES == set(expected)


SURELY_NONE = [
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


@pytest.mark.parametrize(("text", "slug"), SURELY_NONE)
def test_a_verb_a_greeting_a_numeral_and_a_part_of_a_name_are_no_names(text: str, slug: str) -> None:
    assert slug not in {name.partition(":")[2] for name in found(text)}


def test_a_name_of_which_the_tagger_does_not_know_the_kind_is_a_concept() -> None:
    assert found("Jotsam uses SQLite.") == {"concepts:jotsam", "tools:sqlite"}


DOCUMENTS = [
    "## Phase Two\n\nRun the `CLI` of Unit M5. Redeploy Crystal. The PR is Closed.",
    "| Step | Owner |\n|---|---|\n| Click | Server Tests |",
    "- Restore Backup\n- Verify **Migration** with Check",
    "THE SOFTWARE IS PROVIDED AS IS WITHOUT WARRANTY OF ANY KIND",
]


@pytest.mark.parametrize("text", DOCUMENTS)
def test_in_a_document_the_tagger_makes_no_names_of_headings_and_bullets(text: str) -> None:
    assert found(text) == set()


def test_a_full_name_in_the_prose_of_a_document_is_found_all_the_same() -> None:
    text = "# Minutes\n\nThis was decided by Melanie Underwood and nobody else.\n"
    assert "people:melanie-underwood" in found(text)


def test_a_model_that_is_not_there_is_told_once_and_the_shipped_tagger_reads_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    naming = Naming("no_such_model")
    with caplog.at_level(logging.WARNING, logger="jotsam.worker"):
        assert found(TOLD[0][0], naming) == TOLD[0][1]
        assert found(TOLD[2][0], naming) == TOLD[2][1]
    (record,) = caplog.records
    assert "no_such_model" in record.getMessage()
    assert "pip install" in record.getMessage() or "spacy download" in record.getMessage()


def test_a_spacy_pipeline_on_disk_is_loaded_by_its_path_and_finds_the_names(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'jotsam[spacy]'")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns(
        [{"label": "PERSON", "pattern": "Zorbax"}, {"label": "ORG", "pattern": "Quuxcorp"}]
    )
    pipeline.to_disk(tmp_path / "names")
    naming = Naming(str(tmp_path / "names"))
    assert found("Yesterday Zorbax left Quuxcorp.", naming) == {"people:zorbax", "organizations:quuxcorp"}


def blank(folder: Path) -> Path:
    """A pipeline on disk that knows one name."""
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'jotsam[spacy]'")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Zorbina"}])
    pipeline.to_disk(folder)
    return folder


@pytest.mark.parametrize("file", ["meta.json", "config.cfg", "tokenizer", "entity_ruler/patterns.jsonl"])
def test_a_damaged_pipeline_is_told_once_and_the_shipped_tagger_reads_under_its_own_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, file: str
) -> None:
    folder = blank(tmp_path / "names")
    (folder / file).write_bytes(b"{ this is broken \xff")
    naming = Naming(str(folder))
    with caplog.at_level(logging.WARNING, logger="jotsam.worker"):
        assert found(TOLD[0][0], naming) == TOLD[0][1]
        assert found(TOLD[2][0], naming) == TOLD[2][1]
    (record,) = caplog.records
    assert str(folder) in record.getMessage()
    assert naming.name == "tagger/1"


def test_each_name_says_who_found_it_and_how_sure_that_is(tmp_path: Path) -> None:
    text = "Thanks, Zorbina! We moved from Redis to Zurich."
    for naming, who in ((NAMING, "tagger/1"), (Naming(str(blank(tmp_path / "n"))), f"spacy:{tmp_path / 'n'}")):
        assert naming.name == who
        by = {entity.slug: (entity.extractor, entity.confidence) for entity in find_entities(text, tagger=naming)}
        assert by["zorbina"] == (who, TAGGER_CONFIDENCE)
        assert by["redis"] == (None, RULE_CONFIDENCE)


def test_a_path_that_holds_no_pipeline_is_named_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="spacy_model is"):
        spacy_model.load(str(tmp_path))


TOGETHER = """
import threading
from jotsam.models import tagger_weights as names
gate, found = threading.Barrier(4), []
def want():
    gate.wait()
    found.append(names.weights())
threads = [threading.Thread(target=want) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len({id(one) for one in found}))
"""


def test_threads_that_want_the_names_at_once_read_them_once():
    """Each of a worker's threads would hold them for itself meanwhile: fifty megabytes."""
    done = subprocess.run([sys.executable, "-c", TOGETHER], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
