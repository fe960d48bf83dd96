"""What a step of the lifecycle is: it plans parts, each of which is applied in one transaction and can be taken back.

A step only reads. What it wants is a list of changes; `actions` knows how to make each kind of change and how to take
it back. So a dry run is the same code without the second half.
"""

from __future__ import annotations

from hashlib import blake2s

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol

    from jotsam.models.request_limit import RequestLimit
    from jotsam.storage.database import Database

PART = 500  # memories or entities that a step looks at in one part


class Change(Record):
    """One change that a step wants."""

    kind: str  # a name in `actions.ACTIONS`
    ids: tuple[str, ...]  # UUIDs of the memories it is about, or tags of entities; the changed one first
    why: str  # a sentence for people
    data: Mapping[str, Any]  # plain JSON values, as the action needs them
    number: int = 1  # memories, links or entities that it changes

    def hash(self) -> str:
        """What identifies the change, so that it is not made again after it was taken back."""
        return blake2s("\n".join((self.kind, *sorted(self.ids))).encode(), digest_size=16).hexdigest()


class Part(Record):
    """A part of a run."""

    changes: tuple[Change, ...] = ()
    examined: int = 0  # memories or entities that were looked at
    place: str | None = None  # where the next part begins; None: this is the last
    pairs: Mapping[tuple[int, int], float] = {}  # similar memories found, lower id first; `StepContext.pairs` has all


class StepContext(Record):
    """What a step may use."""

    database: Database
    tenant: str
    run: str  # its id; a dry run has one too
    options: Mapping[str, Any]  # the settings of the run, see `OPTIONS`
    pairs: Callable[[], Iterable[tuple[int, int, float]]]  # that earlier parts of this run have found, in order
    job_id: int = 0  # whose budget pays for calls of a model; 0: none may be called
    limit: RequestLimit | None = None  # of requests to the model, shared by the worker; None: there is no other


if TYPE_CHECKING:

    class Step(Protocol):
        """A step of the lifecycle."""

        def plan(self, context: StepContext, place: str | None) -> Part:
            """The part that begins at `place`; None: the first. Opens snapshots, and changes nothing."""
            ...
