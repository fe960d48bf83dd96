"""What each method of `Client.crystals` sends. The signatures are those of `Crystals`."""

from __future__ import annotations

import jotsam
from jotsam.remote.request import Request, given, reading, record, segment, tuple_of, writing


class CrystalsCalls:
    """The methods of `Crystals` as requests."""

    def list(
        self, *, state: str | None = None, project: str | None = None, limit: int = 100
    ) -> Request[tuple[jotsam.Crystal, ...]]:
        query = {"state": state, "project": project, "limit": limit}
        return reading("/v1/crystals", tuple_of(lambda: jotsam.Crystal), query)

    def confirm(self, id: str, *, kind: str | None = None) -> Request[jotsam.Crystal]:
        return writing("/v1/crystals", record(lambda: jotsam.Crystal), {"id": id, **given(kind=kind)})

    def retract(self, id: str) -> Request[jotsam.Crystal]:
        return writing(f"{_path(id)}/retract", record(lambda: jotsam.Crystal), {})

    def undo_retract(self, id: str) -> Request[jotsam.Crystal]:
        return writing(f"{_path(id)}/undo-retract", record(lambda: jotsam.Crystal), {})


def _path(id: str) -> str:
    return f"/v1/crystals/{segment('id', id)}"
