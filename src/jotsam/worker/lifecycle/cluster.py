"""The step `cluster`: merges memories that say the same, and groups similar ones into themes with a summary.

It has phases, each in parts. `pairs` finds the memories similar to each one, by their vectors, or by their words
where there is no vector; these pairs are kept until the run ends, so a run goes on after an interruption where it was.
`merge`, `themes` and `ended` make the changes of one slice of what follows from all pairs. That is computed once for a
run in each process, because all pairs for every slice would cost the square of the number of memories.
"""

from __future__ import annotations

from jotsam.worker.lifecycle import cluster_merge, cluster_pairs, cluster_themes
from jotsam.worker.lifecycle.step import Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.recall.vector_index import Nearest
    from jotsam.worker.lifecycle.cluster_merge import Targets
    from jotsam.worker.lifecycle.cluster_summary import SummaryModel
    from jotsam.worker.lifecycle.cluster_themes import Themes
    from jotsam.worker.lifecycle.step import StepContext

PAIRS, MERGE, THEMES, ENDED = "pairs", "merge", "themes", "ended"


class Cluster:
    def __init__(self, *, nearest: Nearest | None = None, model: SummaryModel | None = None) -> None:
        self._nearest = nearest
        self._model = model
        # Of the latest run. Several threads may work on runs, each of another tenant.
        self._targets: tuple[str, Targets] | None = None
        self._themes: tuple[str, Themes] | None = None

    def plan(self, context: StepContext, place: str | None) -> Part:
        phase, _, after = (place or f"{PAIRS}:0").partition(":")
        if phase == PAIRS:
            found, examined, last = cluster_pairs.find(context, self._index(), after=int(after))
            following = f"{MERGE}:0" if last is None else f"{PAIRS}:{last}"
            return Part(examined=examined, pairs=found, place=following)
        if phase == MERGE:
            changes, last = cluster_merge.plan(context, self._merged(context), after=int(after))
            return Part(changes=tuple(changes), place=f"{THEMES}:0" if last is None else f"{MERGE}:{last}")
        if phase == THEMES:
            wanted, _ = self._wanted(context)
            changes, number = cluster_themes.plan(context, wanted, self._model, after=int(after))
            return Part(changes=tuple(changes), place=f"{ENDED}:" if number is None else f"{THEMES}:{number}")
        _, ended = self._wanted(context)
        changes, uuid = cluster_themes.plan_ended(context, ended, after=after)
        if uuid is None:
            self._targets = self._themes = None
        return Part(changes=tuple(changes), place=None if uuid is None else f"{ENDED}:{uuid}")

    def _merged(self, context: StepContext) -> Targets:
        known = self._targets
        if known is None or known[0] != context.run:
            self._targets = known = context.run, cluster_merge.merged(context.pairs())
        return known[1]

    def _wanted(self, context: StepContext) -> Themes:
        known = self._themes
        if known is None or known[0] != context.run:
            self._themes = known = context.run, cluster_themes.wanted(context, self._merged(context))
        return known[1]

    def _index(self) -> Nearest:
        if self._nearest is None:
            from jotsam.storage.recall.vector_index import Nearest  # Needed only here.

            self._nearest = Nearest()
        return self._nearest
