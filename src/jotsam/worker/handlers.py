"""Who carries out which kind of job, and what they hold open while a worker runs: connections to models.

It makes the handlers out of the settings. It must not run them: that is the loop's.
"""

from __future__ import annotations

from jotsam.core.names import COMMAND, EMBED, ENRICH, INGEST
from jotsam.models.embedder_registry import EmbedderRegistry
from jotsam.queueing.options import LoopOptions
from jotsam.storage import ledger
from jotsam.storage.budget import Till
from jotsam.worker import command, embed, enrich, ingest, llm_extraction
from jotsam.worker.ner import ConfiguredTagger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.records import Memory
    from jotsam.core.settings import Settings
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Database
    from jotsam.storage.vector_index import Nearest
    from jotsam.worker.command import Run

BATCH_MS = 45_000
"""So long may a server take to embed a batch."""


class Crew:
    """The `handlers` of a worker, by kind, and its `loop_options`.

    Raises `InvalidInput` if what the settings name cannot be used.
    """

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        context: Callable[[Memory], str],
        nearest: Nearest,
        commands: Run | None,
    ) -> None:
        """`context` gives what is indexed around a memory's own words; `commands` carries out queued command lines."""
        self.loop_options = LoopOptions(
            concurrency=settings.concurrency,
            first_backoff_ms={ENRICH: settings.enrich_backoff_ms},
            worker_idle_ms=settings.worker_idle_ms,
            shutdown_grace_ms=settings.shutdown_grace_ms,
            poll_interval_ms=settings.poll_interval_ms,
        )
        self._reader = llm_extraction.reader(database, settings)
        self._embedders = EmbedderRegistry(settings, timeout_ms=BATCH_MS)
        similar = embed.Similar(limit=settings.similar_limit, threshold=settings.similar_threshold)
        self.handlers: dict[str, Handler] = {
            INGEST: ingest.handler(
                database, context=context, chunk_tokens=settings.chunk_tokens, attempts=settings.enrich_attempts
            ),
            ENRICH: enrich.handler(
                database,
                reader=self._reader,
                tagger=ConfiguredTagger(settings.spacy_model),
                summarises=settings.summaries == "on",
                embeds=self._embedders.is_configured,
            ),
            EMBED: embed.handler(
                database,
                embedders=self._embedders,
                nearest=nearest,
                similar=similar,
                till=Till(database, cap=ledger.cap_of(settings)),
                price=settings.embed_price,
            ),
        }
        if commands is not None:
            self.handlers[COMMAND] = command.handler(database, commands)

    def close(self) -> None:
        """Close what they hold open."""
        self._embedders.close()
        if self._reader is not None:
            self._reader.close()
