"""Starts a worker if jobs or spooled turns wait, from a process that stays open. Imports nothing slow."""

from __future__ import annotations

import os

from jotsam.ingest import capture, spool
from jotsam.ingest.start_worker import start_if_needed
from jotsam.storage import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings


def start_waiting(settings: Settings) -> None:
    """Start a worker for a file that has jobs or spooled turns, if none is running; deliver the spool of a server.

    Creates no database. Raises the errors of the database.
    """
    is_file = "://" not in settings.db
    if settings.worker != "auto" or (is_file and not os.path.exists(settings.db) and not spool.waiting(settings.db)):
        return
    database = connect(settings.db, wait_ms=settings.lock_timeout_ms)
    try:
        if not is_file:
            capture.empty_spool(database, settings)
        start_if_needed(database, worker_idle_ms=settings.worker_idle_ms, embeds=settings.has_embedder)
    finally:
        database.close()
