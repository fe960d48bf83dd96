"""The step `creative`: links memories of a random sample that have no link yet, by the rules of `creative_links`.

The sample is the same until a run of the step has ended, so a dry run, a repeated job and the run see the same one.
It is bounded, so is the run: a larger memory is sampled more sparsely.
"""

from __future__ import annotations

import json
from hashlib import blake2s

from jotsam.core.names import CONTRASTS, EXPLAINS, PARALLEL_CONTEXT, SHARES_THEME
from jotsam.pipeline.lifecycle.creative_links import BY_VECTORS, BY_WORDS, CONFIDENCES, Sampled, find_links
from jotsam.pipeline.lifecycle.relevance import relevance_of
from jotsam.pipeline.likeness.word_likeness import stemmed_words, word_cosines
from jotsam.storage.lifecycle import found_links
from jotsam.storage.recall import vectors
from jotsam.storage.recall.vector_index import between
from jotsam.worker.lifecycle.step import Change, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jotsam.pipeline.lifecycle.creative_links import FoundLink
    from jotsam.storage.database import Row, Transaction
    from jotsam.worker.lifecycle.step import StepContext

LINK = "link"  # the kind of the changes
SAMPLE = 200  # memories; AutoMem compares 20
MAX_DRAWS = 5  # times as many are looked at, because most of an old memory is no longer relevant
# Of a memory that is compared. AutoMem has 0.3, but counts storing a memory as its first use: here a memory of middling
# importance that was never in an answer begins at 0.26, and is compared in its first three weeks.
MIN_RELEVANCE = 0.2
MIN_WORDS = 6  # that say something: "Wow, thanks!" is linked with nothing
EMBEDDED = 0.5  # the part of the sample that must have vectors; else all are compared by words

# A reason quotes no text, because it outlives the memory.
REASONS = {
    EXPLAINS: "an insight and a pattern that are alike",
    SHARES_THEME: "of different types, and alike",
    CONTRASTS: "two decisions that are not alike, both about one entity",
    PARALLEL_CONTEXT: "of one week and not alike, both about one entity",
}


class Creative:
    def plan(self, context: StepContext, place: str | None) -> Part:
        with context.database.snapshot(tenant=context.tenant) as tx:
            rows = _sample(tx)
            refs = [row["id"] for row in rows]
            names: dict[int, set[str]] = {}
            for one in found_links.entities(tx, refs):
                names.setdefault(one["memory_id"], set()).add(one["name"])
            linked = found_links.linked(tx, refs)
            maker, stored = _vectors(tx, refs)
        sample = [_sampled(row, names.get(row["id"], ())) for row in rows]
        cosines = _cosines(stored) if maker else word_cosines({row["id"]: row["body"] for row in rows})
        found = find_links(sample, cosines, linked=linked, thresholds=BY_VECTORS if maker else BY_WORDS)
        by_id = {row["id"]: row for row in rows}
        changes = [_change(one, by_id, compared=maker or "words") for one in found]
        return Part(changes=tuple(changes), examined=len(rows))


def link_hash(source: str, target: str) -> str:
    """The hash of the change that links two memories, by their UUIDs."""
    return Change(kind=LINK, ids=(source, target), why="", data={}).hash()


def _sample(tx: Transaction) -> list[Row]:
    """Random current memories that say something and are still relevant."""
    bounds = found_links.bounds(tx)
    if bounds is None:
        return []
    numbers = range(bounds[0], bounds[1] + 1)
    seed = f"{tx.tenant} {found_links.last_ended(tx)}"
    drawn = _drawn(numbers, seed=seed)
    found: dict[int, Row] = {}
    for start in range(0, len(drawn), SAMPLE):
        for row in found_links.sample(tx, drawn[start : start + SAMPLE]):
            if _relevance(row, tx.now) > MIN_RELEVANCE and len(stemmed_words(row["body"])) >= MIN_WORDS:
                found[row["id"]] = row
        if len(found) >= SAMPLE:
            break
    return [found[number] for number in sorted(found)[:SAMPLE]]


def _drawn(numbers: range, *, seed: str) -> list[int]:
    """Some of the numbers in a random order, the same for the same seed."""

    def random(number: int) -> int:
        return int.from_bytes(blake2s(f"{seed} {number}".encode(), digest_size=8).digest(), "big")

    if len(numbers) <= SAMPLE * MAX_DRAWS:
        return sorted(numbers, key=random)
    return [*dict.fromkeys(numbers[random(number) % len(numbers)] for number in range(SAMPLE * MAX_DRAWS))]


def _relevance(row: Row, now: int) -> float:
    return relevance_of(row, now=now) if row["relevance"] is None else float(row["relevance"])


def _vectors(tx: Transaction, refs: Sequence[int]) -> tuple[str, list[tuple[int, bytes]]]:
    """The embedder of most of the sample and its vectors; an empty name if too few memories have one."""
    best: tuple[str, list[tuple[int, bytes]]] = "", []
    for maker in vectors.embedders(tx):
        found = vectors.some(tx, maker=maker, refs=json.dumps([*refs]))
        if len(found) > max(len(best[1]), EMBEDDED * len(refs)):
            best = maker.name, found
    return best


def _cosines(stored: Sequence[tuple[int, bytes]]) -> dict[tuple[int, int], float]:
    found = between([vector for _, vector in stored], stored)
    return {(one, other): value for (one, _), row in zip(stored, found, strict=True) for other, value in row.items()}


def _sampled(row: Row, names: set[str] | tuple[()]) -> Sampled:
    document = f"document {row['document_id']}"
    return Sampled(
        id=row["id"],
        project=row["project"],
        type=row["type"],
        at=row["at"],
        context=row["session"] or (document if row["document_id"] is not None else f"memory {row['id']}"),
        words=frozenset(stemmed_words(row["body"])),
        entities=frozenset(names),
        found=row["found"],
    )


def _change(one: FoundLink, rows: Mapping[int, Row], *, compared: str) -> Change:
    source, target = rows[one.source], rows[one.target]
    properties = {
        "kind": one.kind,
        "confidence": CONFIDENCES[one.kind],
        "similarity": one.similarity,
        "shared": one.shared,
        "origin": f"cosine of {compared}",
    }
    return Change(
        kind=LINK,
        ids=(source["uuid"], target["uuid"]),
        why=f"{one.type} {one.kind} {target['uuid'][:8]}: {REASONS[one.kind]} (cosine {one.similarity:.2f})",
        data={
            "source": [one.source, source["version"]],
            "target": [one.target, target["version"]],
            "type": one.type,
            "weight": one.weight,
            "properties": json.dumps(properties),
        },
    )
