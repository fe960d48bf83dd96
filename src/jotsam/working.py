"""What a worker process is made of: its tenure, its queues, and for each kind of job a handler with the models it asks.

It stands on the door floor and builds what the settings ask for; the loop runs it. It must not know what a job means.
"""

from __future__ import annotations

from jotsam import accept
from jotsam.models.embedders import Embedders
from jotsam.records import COMMAND, EMBED, ENRICH, EVERY_QUEUE, INGEST, MEMORY_QUEUES
from jotsam.storage.nearest import Nearest
from jotsam.tenure import Tenure
from jotsam.worker import command, embed, enrich, ingest, read
from jotsam.worker.loop import Loop
from jotsam.worker.naming import Naming
from jotsam.worker.pace import Pace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.settings import Settings
    from jotsam.storage.database import Database
    from jotsam.worker.command import Run
    from jotsam.worker.loop import Handler
    from jotsam.worker.read import Reader

BATCH_MS = 45_000
"""A server may take so long to embed a batch."""


def work(
    database: Database,
    settings: Settings,
    *,
    summon: Callable[[], None],
    forever: bool = False,
    reserved: str | None = None,
    started: Callable[[Loop], None] | None = None,
    commands: Run | None = None,
) -> int | None:
    """See `Jotsam.work`. `summon` sees that another worker comes, if there is something that this one leaves behind."""
    queues = MEMORY_QUEUES if commands is None else EVERY_QUEUE
    reader = read.reader(database, settings)
    keeper = Tenure(database, settings, summon=summon, forever=forever, queues=queues)
    if not keeper.begin(reserved):
        return None
    pace = Pace(concurrency=settings.concurrency, linger_ms=settings.linger_ms, grace_ms=settings.grace_ms)
    handlers = _handlers(database, settings, reader)
    if commands is not None:
        handlers[COMMAND] = command.handler(database, commands)
    loop = Loop(database, handlers, queues=queues, owner=keeper.owner, pace=pace, keeper=keeper)
    if started:
        started(loop)
    try:
        return loop.run()
    finally:
        keeper.end()
        if reader is not None:
            reader.close()


def _handlers(database: Database, settings: Settings, reader: Reader | None) -> dict[str, Handler]:
    embedders = Embedders(settings, timeout_ms=BATCH_MS)
    similar = embed.Similar(limit=settings.similar_limit, threshold=settings.similar_threshold)
    return {
        INGEST: ingest.handler(database, context=accept.context, chunk_tokens=settings.chunk_tokens),
        ENRICH: enrich.handler(database, reader=reader, namer=Naming(settings.spacy_model), embeds=embedders.is_chosen),
        EMBED: embed.handler(database, embedders=embedders, nearest=Nearest(), similar=similar),
    }
