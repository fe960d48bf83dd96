"""Read-only commands without a database: they read a temporary empty one instead of creating the real one.

So the output, JSON included, is the same as for an empty database. If turns of hooks are spooled for the real one, it
is created after all, so that answers and counts include them as pending.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from jotsam.core.settings import Settings
from jotsam.ingest import spool
from jotsam.surfaces.cli.output import hint


def is_missing(settings: Settings) -> bool:
    """Whether the database file does not exist yet, and no turn is spooled for it. A server is not checked."""
    if "://" in settings.db or os.path.exists(os.path.expanduser(settings.db)):
        return False
    return not spool.waiting(settings.db)


@contextmanager
def temporary(settings: Settings) -> Iterator[Settings]:
    """Settings with a temporary empty database. Prints a hint that the real one does not exist."""
    from tempfile import TemporaryDirectory  # Slow to import, and seldom needed.

    path = os.path.abspath(os.path.expanduser(settings.db))
    hint(f"nothing is stored yet: {path} does not exist; `jotsam add FILE` creates it")
    with TemporaryDirectory() as folder:
        yield settings.replace(db=os.path.join(folder, "empty.db"), worker="off")
