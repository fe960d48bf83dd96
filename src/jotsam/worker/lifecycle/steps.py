"""The steps by name."""

from __future__ import annotations

from jotsam.core.names import CLUSTER, CREATIVE, CRYSTALS, DECAY, FORGET, IDENTITY
from jotsam.worker.lifecycle.cluster import Cluster
from jotsam.worker.lifecycle.cluster_summary import open_model
from jotsam.worker.lifecycle.creative import Creative
from jotsam.worker.lifecycle.crystals import CrystalStep
from jotsam.worker.lifecycle.decay import Decay
from jotsam.worker.lifecycle.forgetting import Forget
from jotsam.worker.lifecycle.identity import Identities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.storage.recall.vector_index import Nearest
    from jotsam.worker.lifecycle.step import Step


def lifecycle_steps(settings: Settings, *, nearest: Nearest | None = None) -> dict[str, Step]:
    """The steps, by their names in `names.STEPS`."""
    cluster = Cluster(nearest=nearest, model=open_model(settings))
    return {
        CLUSTER: cluster,
        CREATIVE: Creative(),
        CRYSTALS: CrystalStep.of(settings),
        DECAY: Decay(),
        FORGET: Forget(),
        IDENTITY: Identities(),
    }
