"""An agent without a key reads itself: it gets the prompt that a model would get, and hands in what it has read.

What it hands in is checked against the published schema before anything is saved, and then all of it is saved in one
transaction. An item that does not stand in the text is rejected and named, as that of a model is.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, Malformed
from jotsam.core.names import BY_ALL
from jotsam.core.records import Record
from jotsam.pipeline.llm import extraction
from jotsam.pipeline.llm.json_schema import parsed, place
from jotsam.pipeline.redaction.redact import redact
from jotsam.storage import memories
from jotsam.worker.enrich import by_rules, with_model
from jotsam.worker.llm_extraction import Outcome, context_of
from jotsam.worker.save_extraction import keep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.pipeline.llm.extraction import Reading
    from jotsam.storage.database import Database, Row, Transaction

SCHEMA = extraction.HANDED_IN


class AppliedExtraction(Record):
    """What was saved of one reading. `rejected` names what was not, with the reason."""

    memory: str
    entities: int
    facts: int
    rejected: tuple[str, ...] = ()


def prompt(tx: Transaction, ids: Iterable[str]) -> str:
    """What an agent reads to extract from memories, by their UUIDs."""
    rows = [_row(tx, id) for id in ids]
    return extraction.for_an_agent((row["uuid"], row["body"], context_of(row)) for row in rows)


def hand_in(database: Database, text: str, *, tenant: str, by: str = "") -> list[AppliedExtraction]:
    """Check and save a JSON text with readings. `by` names the agent.

    Raises `InvalidInput` with the line and column of the first error; then nothing is saved.
    """
    extractor = extraction.by_agent(_name(validate.check_text("by", by)))
    text = validate.check_text("text", text).removeprefix("\ufeff")
    handed = parsed(text, SCHEMA)["readings"]
    with database.transaction(tenant=tenant) as tx:
        rows = [memories.get(tx, uuid=one["memory"].strip()) for one in handed]
        found = [_checked(text, number, one, row) for number, (one, row) in enumerate(zip(handed, rows, strict=True))]
        for (row, read), one in zip(found, handed, strict=True):
            whole = with_model(by_rules(row), Outcome(reading=read), extractor=extractor)
            summary, _ = redact(read.summary or one["summary"])  # What is in the agent's own words may hold anything.
            rejected = tuple(redact(word)[0] for word in read.rejected)
            whole = whole.replace(extractor=extractor, summary=summary, rejected=rejected)
            keep(tx, row, whole, whose=BY_ALL)
    return [
        AppliedExtraction(
            memory=row["uuid"], entities=len(read.entities), facts=len(read.facts), rejected=read.rejected
        )
        for row, read in found
    ]


def _checked(text: str, number: int, one: Mapping[str, Any], row: Row | None) -> tuple[Row, Reading]:
    if row is None:
        line, column = place(text, ("readings", number, "memory"))
        raise InvalidInput(f"line {line}, column {column}: there is no memory {one['memory']!r}")
    try:
        return row, extraction.believe(dict(one), text=row["body"], context=context_of(row))
    except (Malformed, InvalidInput) as error:
        line, column = place(text, ("readings", number))
        raise InvalidInput(f"line {line}, column {column}: readings[{number}]: {error}") from error


def _row(tx: Transaction, id: str) -> Row:
    row = memories.get(tx, uuid=id)
    if row is None:
        raise InvalidInput(f"there is no memory {id!r}")
    return row


def _name(by: str) -> str:
    name = " ".join(by.split())
    if len(name) > 60 or not name.isprintable():
        raise InvalidInput(f"the name of the agent is {name[:60]!r}: give at most 60 plain characters")
    return name
