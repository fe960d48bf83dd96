"""Builds the job handlers of a worker from the settings, with the model clients that they share."""

from __future__ import annotations

from jotsam.core.names import COMMAND, EMBED, ENRICH, INGEST, LIFECYCLE, MIRROR_QUEUES, MODEL, SESSION_NOTES
from jotsam.models.embedder_registry import EmbedderRegistry
from jotsam.queueing.options import LoopOptions
from jotsam.storage.costs import ledger
from jotsam.storage.costs.budget import Budget
from jotsam.worker import command, session_notes
from jotsam.worker.enrichment import embed, enrich, ingest, llm_extraction
from jotsam.worker.enrichment.extraction_process import ExtractionProcess
from jotsam.worker.enrichment.ner import ConfiguredTagger
from jotsam.worker.lifecycle import run as lifecycle_run
from jotsam.worker.lifecycle.steps import lifecycle_steps
from jotsam.worker.mirror import Mirror

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jotsam.core.records import Memory
    from jotsam.core.settings import Settings
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Database
    from jotsam.storage.recall.vector_index import Nearest
    from jotsam.worker.command import Run
    from jotsam.worker.lifecycle.actions import Action

EMBED_TIMEOUT_MS = 45_000  # of one batch on a server


class Handlers:
    """The job handlers of a worker, `by_kind`, and its `loop_options`. Close it to close the model clients.

    Raises `InvalidInput` for settings that cannot be used.
    """

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        context: Callable[[Memory], str],
        nearest: Nearest,
        commands: Run | None,
        changes: Mapping[str, Action],
    ) -> None:
        """`context` returns what is indexed along with a memory's text; `commands` runs queued command lines;
        `changes` are the kinds of changes of the lifecycle.
        """
        self._llm = llm_extraction.open_extractor(database, settings)
        self.loop_options = LoopOptions(
            concurrency=settings.concurrency,
            limits={} if self._llm is None else {MODEL: self._llm.at_once},
            first_backoff_ms=dict.fromkeys((ENRICH, MODEL), settings.enrich_backoff_ms),
            worker_idle_ms=settings.worker_idle_ms,
            shutdown_grace_ms=settings.shutdown_grace_ms,
            poll_interval_ms=settings.poll_interval_ms,
        )
        # Only in a process of its own: a program that calls `work` does not expect it to start another.
        is_by_rules = commands is not None and self._llm is None and not settings.spacy_model
        self._extraction = ExtractionProcess() if is_by_rules and settings.concurrency > 1 else None
        self._embedders = EmbedderRegistry(settings, timeout_ms=EMBED_TIMEOUT_MS)
        self.mirror = Mirror(database, settings)
        how: Any = {
            "tagger": ConfiguredTagger(settings.spacy_model),
            "process": self._extraction,
            "summaries": settings.summaries == "on",
            "embeds": settings.has_embedder,
        }
        self.by_kind: dict[str, Handler] = {
            INGEST: ingest.handler(
                database, context=context, chunk_tokens=settings.chunk_tokens, attempts=settings.enrich_attempts
            ),
            ENRICH: enrich.handler(database, asks_later=self._llm is not None, **how),
            MODEL: enrich.handler(database, llm=self._llm, **how),
        }
        if settings.has_embedder:
            self.by_kind[EMBED] = embed.handler(
                database,
                embedders=self._embedders,
                nearest=nearest,
                similar=embed.SimilarityOptions(limit=settings.similar_limit, threshold=settings.similar_threshold),
                budget=Budget(database, cap=ledger.cap_of(settings), timeout_ms=EMBED_TIMEOUT_MS),
                price=settings.embed_price,
            )
        self.by_kind |= dict.fromkeys(MIRROR_QUEUES, self.mirror)
        steps = lifecycle_steps(settings, nearest=nearest)
        limit = self._llm.limit if self._llm else None
        self.by_kind[LIFECYCLE] = lifecycle_run.handler(database, steps, changes, limit=limit)
        self.by_kind[SESSION_NOTES] = session_notes.handler(database, settings, limit=limit)
        if commands is not None:
            self.by_kind[COMMAND] = command.handler(database, commands)

    def rest(self) -> None:
        """Free what is needed only while there is much to do."""
        if self._extraction is not None:
            self._extraction.rest()

    def close(self) -> None:
        self.rest()
        self._embedders.close()
        self.mirror.close()
        if self._llm is not None:
            self._llm.close()
