"""What an operator sees of embeddings and can do about them: which model is chosen, how far it has come, begin anew.

It stands on the door floor. Nothing here embeds: that is the worker's.
"""

from __future__ import annotations

import os

from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.core.records import Record
from jotsam.ingest import start_worker
from jotsam.models import download
from jotsam.models.embedder_registry import EmbedderRegistry, models_folder
from jotsam.storage import queue, vectors
from jotsam.worker import embed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.client import Jotsam
    from jotsam.models.download import DownloadedModel

BATCH_MS = 45_000


class Made(Record):
    """An embedder whose vectors are here: its name, where it was found, and how many memories have one of it."""

    name: str
    place: str
    dimension: int
    vectors: int


class Embedding(Record):
    """Of one tenant. `name` is that of the chosen embedder, `problem` says why it cannot be used."""

    name: str | None
    place: str | None
    problem: str | None
    memories: int
    made: tuple[Made, ...]
    waiting: int  # memories whose vector is wanted
    missing: int  # memories that have none of the chosen embedder, and none is wanted: `refresh` takes them in
    failed: int  # memories that cannot be embedded
    compares: bool  # whether the database itself compares vectors


def state(jot: Jotsam) -> Embedding:
    """What is there. A server is not asked."""
    name, place, problem = _chosen(jot)
    tenant = jot.settings.tenant
    with jot.database.snapshot(tenant=tenant) as tx:
        made = tuple(
            Made(name=one.name, place=one.place, dimension=one.dimension, vectors=count)
            for one, count in vectors.counts(tx)
        )
        return Embedding(
            name=name,
            place=place,
            problem=problem,
            memories=vectors.memories(tx),
            made=made,
            waiting=vectors.wanting(tx),
            missing=vectors.lacking(tx, name=name)["memories"] if name else 0,
            failed=vectors.failed(tx),
            compares=tx.compares_vectors(),
        )


def refresh(jot: Jotsam, *, force: bool = False, dry_run: bool = False) -> tuple[int, int]:
    """Ask for a vector of the chosen embedder wherever there is none; with `force`, everywhere.

    The worker makes them in the background, and what is there serves meanwhile. Returns how many memories that are, and
    their characters, which is what a server charges for. Raises `InvalidInput` when no embedder can be used.
    """
    name, _, problem = _chosen(jot)
    if name is None or problem is not None:
        raise InvalidInput(problem or "no embedder is chosen: set embed_model, or embed_url and embed_model")
    tenant, wanted_of = jot.settings.tenant, "" if force else name
    with jot.database.snapshot(tenant=tenant) as tx:
        lacking = vectors.lacking(tx, name=wanted_of)
    if not dry_run and lacking["memories"]:
        with jot.database.transaction(tenant=tenant) as tx:
            vectors.want_all(tx, name=wanted_of)
            queue.ensure(tx, embed.job_spec(tenant))
        if jot.settings.worker == "auto":
            start_worker.start_if_needed(jot.database, worker_idle_ms=jot.settings.worker_idle_ms)
    return lacking["memories"], lacking["characters"]


def fetch(source: str, *, name: str | None, sha256: str | None, weights: str) -> DownloadedModel:
    """Copy a model, from a folder or an address, to where `embed_model` finds it by its name."""
    name = name or os.path.basename(source.rstrip("/"))
    return download.download_model(source, into=models_folder(), name=name, sha256=sha256, weights=weights)


def _chosen(jot: Jotsam) -> tuple[str | None, str | None, str | None]:
    """Name, place, and what is wrong with it."""
    embedders = EmbedderRegistry(jot.settings, timeout_ms=BATCH_MS)
    if not embedders.is_configured:
        return None, None, None
    try:
        embedder = embedders.configured()
    except JotsamError as error:
        return jot.settings.embed_model, None, str(error)
    return embedder.name, embedder.location, None
