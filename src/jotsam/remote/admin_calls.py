"""What each method of `Client.admin` sends. The signatures are those of `Admin`.

What concerns all tenants is refused here, and the error names the place to do it.
"""

from __future__ import annotations

from jotsam.memory.admin_client import Admin
from jotsam.remote.operation_calls import request_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jotsam.memory.jobs import JobChange
    from jotsam.remote.request import Steps


_RETRY: Callable[..., Any] = request_for(Admin.retry_many)
_DISCARD: Callable[..., Any] = request_for(Admin.discard_many)


class AdminCalls:
    """The methods of `Admin` as requests."""

    def retry(self, job_id: int) -> Steps[None]:
        _raise_refused((yield _RETRY({}, [job_id])))

    def discard(self, job_id: int) -> Steps[None]:
        _raise_refused((yield _DISCARD({}, [job_id])))


def _raise_refused(changes: list[JobChange]) -> None:
    for one in changes:
        if one.error is not None:
            raise one.error
