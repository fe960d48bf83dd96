"""Where nothing was ever remembered: a command that only reads makes no database, and says that there is none.

It reads an empty one instead, which is gone afterwards: so it prints, as JSON too, what it always prints of nothing.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from jotsam.surfaces.cli.output import hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.settings import Settings

READING = frozenset(
    (
        *(
            ("recall", "recall"),
            ("recall", "show"),
            ("status", "command"),
            ("graph", "command"),
            ("redactions", "redacted"),
        ),
        *(("extraction", "facts"), ("extraction", "costs"), ("entities", "listed"), ("entities", "patterns")),
        *(("jobs", "listed"), ("jobs", "groups")),
    )
)
"""Room and command of what only reads."""


def is_missing(settings: Settings) -> bool:
    """Whether there is no database yet. A server is not asked."""
    return "://" not in settings.db and not os.path.exists(os.path.expanduser(settings.db))


@contextmanager
def empty(settings: Settings) -> Iterator[Settings]:
    """Settings of an empty database, after saying why."""
    from tempfile import TemporaryDirectory  # Only who has no database pays for it.

    path = os.path.abspath(os.path.expanduser(settings.db))
    hint(f"nothing is remembered yet: there is no {path}; `jotsam add FILE` begins it")
    with TemporaryDirectory() as folder:
        yield settings.replace(db=os.path.join(folder, "empty.db"), worker="off")
