"""The kinds of changes of the lifecycle with `remove`, which moves an archived memory to the trash.

It is taken back from there, with the rows and the ids of all that was deleted with it.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.storage.memories import archive
from jotsam.worker.lifecycle import actions
from jotsam.worker.lifecycle.actions import Action

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


def remove(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has the id of the `memory`, and the `batch` of the trash that it becomes a part of."""
    from jotsam.memory.transfer import trash  # Slow to import, and needed only here.

    number = data["memory"]
    part = trash.move(tx, number, batch=data["batch"]) if archive.is_archived_alone(tx, number) else None
    return None if part is None else {**data, "part": part}


def take_back(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    """A memory is kept as it is, removed, if it is not in the trash any longer or its key or external id is taken.

    It counts as reverted with an entity, pattern or theme that got another id since, or is gone.
    """
    from jotsam.memory.transfer import trash

    try:
        done = trash.restore_part(tx, undo["batch"], undo["part"])
    except InvalidInput:  # It stays in the trash.
        done = False
    return int(done), int(not done)


ACTIONS: Mapping[str, Action] = {**actions.ACTIONS, "remove": Action(apply=remove, revert=take_back)}
