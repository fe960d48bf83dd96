"""The kinds of changes of the lifecycle with `remove`, which moves an archived memory to the trash.

It is taken back from there, with the UUIDs and the contents of all that was deleted with it.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.storage import archive, memories, relevance
from jotsam.worker.lifecycle import actions
from jotsam.worker.lifecycle.actions import Action

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


def remove(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has the id of the `memory`, and the `batch` of the trash that it becomes a part of."""
    from jotsam.memory import trash  # Slow to import, and needed only here.

    number = data["memory"]
    before = {"job_id": archive.job_of_archived(tx, number), "relevance": relevance.of_memory(tx, number)}
    part = None if before["job_id"] is None else trash.move(tx, number, batch=data["batch"])
    return None if part is None else {**data, **before, "part": part}


def take_back(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    from jotsam.memory import trash

    try:
        done = trash.restore_part(tx, undo["batch"], undo["part"])
    except InvalidInput:  # Its key or external id belongs to another memory by now. It stays in the trash.
        return 0, 1
    if done:
        memories.set_enrich_job(tx, number=undo["memory"], job_id=undo["job_id"])
        relevance.save(tx, undo["memory"], undo["relevance"])
    return int(done), int(not done)


ACTIONS: Mapping[str, Action] = {**actions.ACTIONS, "remove": Action(apply=remove, revert=take_back)}
