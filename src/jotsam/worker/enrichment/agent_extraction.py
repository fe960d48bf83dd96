"""Extraction by an agent, without an API key: it gets the prompt of a language model and returns the extractions.

The JSON is validated against the published schema first, then all of it is saved in one transaction. An item that does
not occur in its text is rejected with the reason, as in a model's reply.
"""

from __future__ import annotations

import re
from collections import Counter

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, Malformed
from jotsam.core.names import BY_ALL
from jotsam.core.records import Record
from jotsam.pipeline.extraction.extract import merge
from jotsam.pipeline.llm.json_schema import locate, parse_json
from jotsam.pipeline.llm.prompt import AGENT_SCHEMA, agent_extractor_name, agent_prompt
from jotsam.pipeline.llm.reply import validate_extraction
from jotsam.pipeline.redaction.redact import redact
from jotsam.storage.memories import memories
from jotsam.worker.enrichment.changes import apply_judged
from jotsam.worker.enrichment.enrich import extract_by_rules
from jotsam.worker.enrichment.model_context import read_context
from jotsam.worker.enrichment.save_extraction import save_extraction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.pipeline.extraction.extract import Extraction
    from jotsam.storage.database import Database, Row, Transaction

MAX_AGENT_NAME = 60  # characters
_FENCED = re.compile(r"\A\s*```[^\n`]*\n(.*?)```\s*\Z", re.DOTALL)


class AppliedExtraction(Record):
    """What was saved for one memory. `rejected` lists the invalid items with their reasons.

    `given` is the number of extractions of this memory in the file, of which the last was saved.
    """

    memory: str
    entities: int
    facts: int
    rejected: tuple[str, ...] = ()
    given: int = 1


def prompt_for_memories(tx: Transaction, ids: Iterable[str]) -> str:
    """The prompt for an agent to extract from memories, given by their UUIDs."""
    rows = [_row(tx, id) for id in ids]
    return agent_prompt((row["uuid"], row["body"], read_context(tx, row)) for row in rows)


def apply_extractions(database: Database, text: str, *, tenant: str, by: str = "") -> list[AppliedExtraction]:
    """Validate and save extractions given as JSON text, which may be fenced. `by` names the agent.

    Raises `InvalidInput` with the line and column of the first error, and saves nothing then.
    """
    extractor = agent_extractor_name(_agent_name(validate.check_text("by", by)))
    text = _without_fence(validate.check_text("text", text).removeprefix("\ufeff"))
    items = parse_json(text, AGENT_SCHEMA)["extractions"]
    with database.transaction(tenant=tenant) as tx:
        rows = [memories.get(tx, uuid=item["memory"].strip()) for item in items]
        found = [
            _validated(tx, text, index, item, row, extractor)
            for index, (item, row) in enumerate(zip(items, rows, strict=True))
        ]
        given = Counter(row["uuid"] for row, _ in found)
        last = {row["uuid"]: (row, by_agent, item) for (row, by_agent), item in zip(found, items, strict=True)}
        for row, by_agent, item in last.values():
            # The agent's own words may contain secrets that the text does not.
            summary, _ = redact(by_agent.summary or item["summary"])
            rejected = tuple(redact(reason)[0] for reason in by_agent.rejected or ())
            merged = merge(extract_by_rules(row), by_agent).replace(summary=summary, rejected=rejected)
            save_extraction(tx, row, merged, source=BY_ALL)
            apply_judged(tx, row, by_agent.changes or ())
    return [
        AppliedExtraction(
            memory=id,
            entities=len(one.entities),
            facts=len(one.facts),
            rejected=one.rejected or (),
            given=given[id],
        )
        for id, (_, one, _) in last.items()
    ]


def _without_fence(text: str) -> str:
    """The text inside a code fence, on the same lines, so that errors name the lines of the file."""
    fenced = _FENCED.match(text)
    return "\n" * text.count("\n", 0, fenced.start(1)) + fenced[1] if fenced else text


def _validated(
    tx: Transaction, text: str, index: int, item: Mapping[str, Any], row: Row | None, extractor: str
) -> tuple[Row, Extraction]:
    if row is None:
        line, column = locate(text, ("extractions", index, "memory"))
        raise InvalidInput(f"line {line}, column {column}: unknown memory {item['memory']!r}")
    try:
        found = validate_extraction(dict(item), text=row["body"], context=read_context(tx, row), extractor=extractor)
    except (Malformed, InvalidInput) as error:
        line, column = locate(text, ("extractions", index))
        raise InvalidInput(f"line {line}, column {column}: extractions[{index}]: {error}") from error
    return row, found


def _row(tx: Transaction, id: str) -> Row:
    row = memories.get(tx, uuid=id)
    if row is None:
        raise InvalidInput(f"unknown memory {id!r}")
    return row


def _agent_name(by: str) -> str:
    name = " ".join(by.split())
    if len(name) > MAX_AGENT_NAME or not name.isprintable():
        raise InvalidInput(
            f"invalid agent name {name[:MAX_AGENT_NAME]!r}: must be at most {MAX_AGENT_NAME} printable characters"
        )
    return name
