"""Which extractor set the type, importance and confidence of a memory: '' in the row, a name wherever it is read."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from jotsam.storage.memories import memories

if TYPE_CHECKING:
    from pathlib import Path

    from jotsam import Jotsam

COLUMNS = ("type_by", "importance_by", "confidence_by")


def exported(jot: Jotsam) -> list[str | None]:
    file = io.BytesIO()
    jot.export(file)
    lines = [json.loads(line) for line in file.getvalue().splitlines()]
    (memory,) = (line for line in lines if line["kind"] == "memory")
    return [memory.get(name) for name in COLUMNS]


def stored(jot: Jotsam, id: str) -> list[str | None]:
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        (row,) = tx.execute("select * from memory where uuid = :id", {"id": id})
    return [row[name] for name in COLUMNS]


def enriched(jot: Jotsam, id: str, **values: Any) -> None:
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        row = memories.get(tx, uuid=id)
        assert row is not None
        memories.mark_enriched(tx, number=row["id"], summary=None, **values)


def test_the_name_is_stored_once_and_exported_for_each_value(jot: Jotsam) -> None:
    id = jot.remember("Ana lives in Lisbon.", importance=0.7).id
    enriched(jot, id, extractor="one/1", type="Decision", importance=0.9, confidence=0.6)
    assert stored(jot, id) == ["", None, ""]
    assert exported(jot) == ["one/1", None, "one/1"]


def test_a_value_that_the_next_extractor_does_not_set_keeps_the_name_of_the_first(jot: Jotsam) -> None:
    id = jot.remember("Ana lives in Lisbon.").id
    enriched(jot, id, extractor="one/1", type="Decision", importance=0.9, confidence=0.6)
    enriched(jot, id, extractor="two/2", confidence=0.8)
    assert exported(jot) == ["one/1", "one/1", "two/2"]


def test_an_imported_memory_is_stored_as_it_was(jot: Jotsam, tmp_path: Path) -> None:
    id = jot.remember("Ana lives in Lisbon.").id
    enriched(jot, id, extractor="one/1", type="Decision", importance=0.9)
    enriched(jot, id, extractor="two/2", type="Style", confidence=0.8)
    jot.export(str(tmp_path / "export.jsonl"))
    before = stored(jot, id)
    jot.forget(jot.plan_forget(query="Lisbon"))
    jot.import_memories(str(tmp_path / "export.jsonl"))
    assert stored(jot, id) == before == ["", "one/1", ""]
    assert exported(jot) == ["two/2", "one/1", "two/2"]


def test_the_brief_trusts_what_a_model_found_more_than_the_rules(jot: Jotsam) -> None:
    ids = [jot.remember(f"Ana moved to {place}.").id for place in ("Lisbon", "Porto")]
    for id, extractor in zip(ids, ("llm:one", "rules/4"), strict=True):
        enriched(jot, id, extractor=extractor, type="Decision", importance=0.5, confidence=0.6)
    text = jot.brief().text
    assert text.index("Lisbon") < text.index("Porto")
