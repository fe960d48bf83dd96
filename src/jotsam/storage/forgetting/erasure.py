"""Removal of memories and documents with all that was made of them, and of the bytes that deletion leaves in a file."""

from __future__ import annotations

import json
import re

from jotsam.core.records import Record
from jotsam.storage import events
from jotsam.storage.forgetting import run_records, trash
from jotsam.storage.lifecycle import identities
from jotsam.storage.memories import archive, given_texts
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jotsam.storage.database import Row, Transaction

    Shared = Callable[[Iterable[bool]], bool]  # `any` or `all`


class Doomed(Record):
    """Ids of what is removed in one transaction, as JSON lists."""

    memories: str
    documents: str

    @staticmethod
    def of(*, memories: Iterable[int], documents: Iterable[int]) -> Doomed:
        return Doomed(memories=json.dumps(sorted(memories)), documents=json.dumps(sorted(documents)))


def numbers(tx: Transaction, *, memories: Iterable[str], documents: Iterable[str]) -> tuple[list[int], list[int]]:
    """The ids of memories and documents with these UUIDs. Those that do not exist are left out."""
    found = (
        tx.all("erasure.numbers", uuids=json.dumps([*memories])),
        tx.all("erasure.document_numbers", uuids=json.dumps([*documents])),
    )
    return [row["id"] for row in found[0]], [row["id"] for row in found[1]]


def listed(tx: Transaction, *, memories: Iterable[int]) -> list[Row]:
    """By id: uuid, document_id, source, the beginning of the text, and `cut_at` of the document."""
    return tx.all("erasure.listed", memories=json.dumps([*memories]))


def chunks(tx: Transaction, *, documents: Iterable[int]) -> list[int]:
    """The memories that were made of documents."""
    return [row["id"] for row in tx.all("erasure.chunks", documents=json.dumps([*documents]))]


def document_sizes(tx: Transaction, *, documents: Iterable[int]) -> dict[int, Row]:
    """By id: uuid, body, source, project, cut_at, job_id, and the number of `chunks`."""
    return {row["id"]: row for row in tx.all("erasure.document_sizes", documents=json.dumps([*documents]))}


def counts(tx: Transaction, *, memories: Iterable[int]) -> Row:
    """How many `facts`, `links`, `jobs` and `characters` these memories have."""
    row = tx.one("erasure.counts", memories=json.dumps([*memories]))
    assert row is not None
    return row


def lock(tx: Transaction, *, memories: Iterable[int], documents: Iterable[int]) -> list[Row]:
    """Wait for jobs that are saving results of these, and keep others from it until the commit.

    Returns the memories that exist: id, uuid, body, document_id, line, position, job_id, key, external_id.
    """
    tx.all("erasure.lock_documents", documents=json.dumps([*documents]))
    return tx.all("erasure.lock_memories", memories=json.dumps([*memories]))


def is_memory(tx: Transaction, number: int) -> bool:
    """Whether a memory still exists. If so, it is not removed before the commit."""
    return tx.one("erasure.is_memory", id=number) is not None


def is_document(tx: Transaction, number: int) -> bool:
    """Whether a document still exists. If so, it is not removed before the commit."""
    return tx.one("erasure.is_document", id=number) is not None


def remove_lines(tx: Transaction, document: Row, chunk: Row) -> str:
    """Replace the text of a chunk in the body of its document by empty lines. Returns the new body.

    The number of lines stays, so that the lines of other chunks still fit.
    """
    body: str = document["body"]
    line = chunk["line"] or 1
    if (found := without_text(body, chunk["body"], line=line)) is not None:
        return found
    # The memory was changed since.
    row = tx.one("erasure.next_line", document_id=document["id"], position=chunk["position"], line=line)
    end = _start_of_line(body, row["line"]) if row and row["line"] else len(body)
    return _blank(body, _start_of_line(body, line), end)


def without_text(body: str, text: str, *, line: int) -> str | None:
    """A body with empty lines instead of a text, searched from a line on. None if it is not found."""
    at = body.find(text, _start_of_line(body, line))
    return None if at < 0 else _blank(body, at, at + len(text))


def _blank(body: str, at: int, end: int) -> str:
    return body[:at] + "\n" * body.count("\n", at, end) + body[end:]


def _start_of_line(text: str, line: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
        if not start:
            return len(text)
    return start


def set_body(tx: Transaction, *, document: int, body: str) -> None:
    tx.run("erasure.set_body", id=document, body=body)


def superseded(tx: Transaction, doomed: Doomed) -> tuple[list[Row], list[Row], list[int]]:
    """What these supersede: memories and documents, and the ids of memories with a fact that one of them ended."""
    memories = tx.all("erasure.superseded_memories", memories=doomed.memories)
    documents = tx.all("erasure.superseded_documents", documents=doomed.documents)
    stating = tx.all("erasure.memories_with_facts_superseded", memories=doomed.memories)
    tx.run("erasure.clear_manual_ends", memories=doomed.memories)
    return memories, documents, [row["id"] for row in stating]


def restore_source(tx: Transaction, *, document: int) -> list[str]:
    """Make the chunks of a document valid of which no newer one is left. Returns their UUIDs."""
    return [row["uuid"] for row in tx.all("erasure.restore_source", document_id=document)]


def delete(tx: Transaction, doomed: Doomed) -> tuple[int, int]:
    """Delete memories and documents, and the entities and patterns that nothing else has.

    Returns the numbers of these entities and patterns.
    """
    memories: list[int] = json.loads(doomed.memories)
    refs = memories + [-number for number in json.loads(doomed.documents)]
    entities = [row["id"] for row in tx.all("erasure.entities", memories=doomed.memories)]
    patterns = [row["id"] for row in tx.all("erasure.patterns", memories=doomed.memories)]
    texts = [row["body"] for row in tx.all("erasure.texts", memories=doomed.memories)]
    identities.forget_sources(tx, doomed.memories)
    events.forget(tx, memories=doomed.memories, documents=doomed.documents)
    tx.run_many("erasure.bridge", [{"id": number} for number in memories])
    search.unindex_many(tx, refs)
    tx.run("erasure.delete_memories", memories=doomed.memories)
    tx.run("erasure.delete_documents", documents=doomed.documents)
    gone = delete_unused(tx, entities=entities, patterns=patterns)
    orphans = delete_orphans(tx, texts)
    return gone[0] + orphans[0], gone[1] + orphans[1]


def delete_unused(tx: Transaction, *, entities: Iterable[int], patterns: Iterable[int]) -> tuple[int, int]:
    """Delete those among these entities that no memory mentions, and those patterns without an example.

    Returns how many were deleted of each.
    """
    gone = tx.all("erasure.delete_entities", entities=json.dumps([*entities]))
    themes = tx.all("erasure.delete_patterns", patterns=json.dumps([*patterns]))
    return len(gone), len(themes)


def delete_orphans(tx: Transaction, texts: Iterable[str]) -> tuple[int, int]:
    """Delete entities without a mention and patterns without an example that have a word of texts that were dropped.

    An earlier version of a text, or an earlier extraction, may have left them. The others may only wait for a memory
    that is being enriched again, and a caller may have merged them. Returns how many were deleted of each.
    """
    left = _orphans(tx, texts, shared=any)
    return delete_unused(tx, entities=left["entity"], patterns=left["pattern"])


def orphans_of(tx: Transaction, *, memories: Iterable[int]) -> dict[str, list[int]]:
    """The ids of entities and patterns that `delete` would delete as orphans, by table.

    Only those that these memories name whole: another may share a word, and be of a text that goes for good before.
    """
    texts = [row["body"] for row in tx.all("erasure.texts", memories=json.dumps([*memories]))]
    return _orphans(tx, texts, shared=all)


def forget_summaries(tx: Transaction, numbers: str) -> None:
    """Delete the summaries of some memories (a JSON list of ids), which may repeat their texts. The next run makes them
    again.
    """
    made = {row["id"] for row in tx.all("themes.summaries_of", refs=numbers)} - {*json.loads(numbers)}
    if made:
        delete(tx, Doomed.of(memories=made, documents=()))


def clear_text(tx: Transaction, number: int) -> None:
    """Before the text of a memory changes: delete what repeats the old one, and show again what was merged into it."""
    refs = json.dumps([number])
    forget_summaries(tx, refs)
    archive.unarchive_merged(tx, refs)
    tx.run("themes.unlink_merged", id=number)


def _orphans(
    tx: Transaction, texts: Iterable[str], *, shared: Callable[[Iterable[bool]], bool]
) -> dict[str, list[int]]:
    """Of which any or all words are in one of the texts."""
    dropped = [text.casefold() for text in texts]
    queries = {"entity": "erasure.unmentioned_entities", "pattern": "erasure.unused_patterns"}
    return {
        table: [row["id"] for row in tx.all(query) if _is_named(row["name"], dropped, shared)]
        for table, query in queries.items()
    }


def _is_named(name: str, texts: list[str], shared: Shared) -> bool:
    words = [word for word in re.split(r"[\W_]+", name.casefold()) if word]
    return bool(words) and any(shared(word in text for word in words) for text in texts)


def remove_traces(tx: Transaction) -> None:
    """Remove what deletion leaves of texts: in the trash, in the records of runs, in what sessions were given, and the
    words in the text index of a file.

    Call it in the last transaction that drops texts, because it takes as long for one text as for many.
    """
    trash.forget_gone(tx)
    run_records.forget_gone(tx)
    given_texts.forget_gone(tx)
    tx.run("run_records.delete_empty_themes")
    merge_index(tx)


def merge_index(tx: Transaction) -> None:
    """Remove the words of deleted texts from the text index of a file."""
    tx.run("erasure.merge_index")
