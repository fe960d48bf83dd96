"""The steps by name."""

from __future__ import annotations

from jotsam.core.names import CREATIVE, DECAY, FORGET, IDENTITY
from jotsam.worker.lifecycle.creative import Creative
from jotsam.worker.lifecycle.decay import Decay
from jotsam.worker.lifecycle.forgetting import Forget
from jotsam.worker.lifecycle.identity import Identities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.worker.lifecycle.step import Step


def lifecycle_steps(settings: Settings) -> dict[str, Step]:
    """The steps, by their names in `names.STEPS`."""
    return {CREATIVE: Creative(), DECAY: Decay(), FORGET: Forget(), IDENTITY: Identities()}
