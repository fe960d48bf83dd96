"""The step `cluster`: merges memories that say the same, and groups similar ones into themes with a summary.

It has phases, each in parts. `pairs` finds the memories similar to each one, by their vectors, or by their words
where there is no vector; these pairs are kept until the run ends, so a run goes on after an interruption where it was.
`merge`, `themes` and `ended` read all pairs, and make the changes of one slice of what follows from them.
"""

from __future__ import annotations

from jotsam.worker.lifecycle import cluster_merge, cluster_pairs, cluster_themes
from jotsam.worker.lifecycle.step import Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.vector_index import Nearest
    from jotsam.worker.lifecycle.cluster_summary import SummaryModel
    from jotsam.worker.lifecycle.step import StepContext

PAIRS, MERGE, THEMES, ENDED = "pairs", "merge", "themes", "ended"


class Cluster:
    def __init__(self, *, nearest: Nearest | None = None, model: SummaryModel | None = None) -> None:
        self._nearest = nearest
        self._model = model

    def plan(self, context: StepContext, place: str | None) -> Part:
        phase, _, after = (place or f"{PAIRS}:0").partition(":")
        if phase == PAIRS:
            found, examined, last = cluster_pairs.find(context, self._index(), after=int(after))
            following = f"{MERGE}:0" if last is None else f"{PAIRS}:{last}"
            return Part(examined=examined, pairs=found, place=following)
        if phase == MERGE:
            changes, last = cluster_merge.plan(context, after=int(after))
            return Part(changes=tuple(changes), place=f"{THEMES}:0" if last is None else f"{MERGE}:{last}")
        if phase == THEMES:
            changes, number = cluster_themes.plan(context, self._model, after=int(after))
            return Part(changes=tuple(changes), place=f"{ENDED}:" if number is None else f"{THEMES}:{number}")
        changes, uuid = cluster_themes.plan_ended(context, after=after)
        return Part(changes=tuple(changes), place=None if uuid is None else f"{ENDED}:{uuid}")

    def _index(self) -> Nearest:
        if self._nearest is None:
            from jotsam.storage.vector_index import Nearest  # Needed only here.

            self._nearest = Nearest()
        return self._nearest
