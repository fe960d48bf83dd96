"""Fuse the scores of all retrievers into one: a weighted sum of scores, each divided by its retriever's best.

Pure. Scores are fused and not ranks: with reciprocal rank fusion one strong match loses against two weak ones, which
was measured to be worse than text search alone. A retriever without results changes nothing.

Three kinds of memory are scored differently. A turn of a session also by the turns around it, by who said it and when.
A chunk and a single memory by their own match only, and by how much of the question one passage of them covers. `graph`
connects single memories through rare entities. All constants are in `weights`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from math import log, sqrt

from jotsam.core.records import Record
from jotsam.retrieval.question.intent import DAY_MS, may_answer, named_actor
from jotsam.retrieval.rank.coverage import best_coverage, part_of, passage_coverage, turn_coverage
from jotsam.retrieval.rank.scores import Scores, add_similarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from jotsam.retrieval.question.intent import DAY_MS, Intent
    from jotsam.retrieval.question.parse import ParsedQuestion
    from jotsam.retrieval.rank.context import Context, Row
    from jotsam.retrieval.rank.weights import Weights

    # Scores by reference, for each retriever.
    Candidates = Mapping[str, Mapping[int, float]]

# Retrievers that score how well a text matches, which also counts for its neighbours.
MATCHING = ("text", "vectors")

# Retrievers whose scores are not divided by their best: a weak match stays weak even if it is the only one.
ABSOLUTE = frozenset(("facts", "title", "phrase", "hints"))

# Retrievers whose scores are added by functions of their own.
APART = frozenset(("vectors", "hyponyms", "notes"))

DIGITS = 9  # of a score; further ones depend on the order of its parts

MAX_ANSWER_CHECKS = 120  # top candidates checked for what the question asks for; the rest could not get ahead of them


class Ranked(Record):
    """A reference with its score and the parts that make up the score."""

    ref: int
    score: float
    scores: Mapping[str, float]
    path: tuple[str, ...] = ()  # how the graph reached it


def fuse(
    candidates: Candidates,
    context: Context,
    parsed: ParsedQuestion,
    weights: Weights,
    dates: Mapping[int, float] | None = None,
    similar: Mapping[int, float] | None = None,
) -> Scores:
    """Score every candidate in the context: by the retrievers, the turns around it, and the question's intent.

    `dates` are the scores for matching the times that the question names, `similar` the similarity of every candidate
    that has a vector; without it, only what the vector retriever found has one.
    """
    is_matched = any(candidates.get(name) for name in MATCHING)
    refs = {ref for found in candidates.values() for ref in found}
    if is_matched:
        refs |= context.conversation
    scores = Scores(ref for ref in context.rows if ref in refs)
    nearest, words = candidates.get("vectors", {}), candidates.get("text", {})
    if near := similar or nearest:
        # Turns do not need it: what surrounds them says more than their vector.
        covered = best_coverage(context, words, parsed.stems) if near.keys() - context.turns else 1.0
        add_similarity(scores, near, words, context, weights, covered=covered)
    for name, found in candidates.items():
        if name in APART:
            continue
        best = 1.0 if name in ABSOLUTE else max(found.values(), default=0.0)
        weight = getattr(weights, name) / best if best > 0 else 0.0
        scores.add(name, {ref: weight * score for ref, score in found.items()})
    if is_matched:
        match = {ref: value for ref, value in scores.sum_of(MATCHING).items() if value > 0}
        scores.add("neighbours", _neighbours(context, match, weights))
        scores.add("coverage", turn_coverage(context, match, parsed.stems, weights.coverage))
        scores.add("passage", passage_coverage(scores, context, parsed.stems, weights.passage))
        scores.add("session", _sessions(context, match, weights))
        _add_intent(scores, context, parsed.intent, weights)
        scores.scale(_factors(context, weights))
    scores.remove(context.archived)
    # A date match is worth the same to every kind of memory in one answer.
    factor = weights.turn if is_matched and context.turns else 1.0
    scores.add("period", {ref: factor * gain for ref, gain in (dates or {}).items()})
    if parsed.intent.latest:
        scores.add("latest", _latest(scores, context, weights, is_matched=is_matched))
    return scores


def prefer_kinds(
    scores: Scores, context: Context, parsed: ParsedQuestion, found: Mapping[int, Collection[str]], weights: Weights
) -> None:
    """Add a score to what contains something of a kind that is asked for, the same to every kind of memory.

    `found`: the texts, each with the words of the question for the kinds.
    """
    if not found:
        return
    worth = weights.turn_hyponyms
    if not context.turns:
        worth = weights.hyponyms * part_of(scores, context, parsed.stems, frozenset[str]().union(*found.values()))
    scores.add("hyponyms", dict.fromkeys(found, worth))


def prefer_noted(scores: Scores, context: Context, found: Mapping[int, float], weights: Weights) -> None:
    """Add a score to what holds as a rule, a decision or a fix, by how well it fits the question."""
    factor = weights.notes * (weights.turn if context.turns else 1.0)
    scores.add("notes", {ref: factor * fit for ref, fit in found.items()})


def prefer_project(scores: Scores, context: Context, project: str | None, weights: Weights) -> None:
    """Add a small score to the memories of one project."""
    if project is not None:
        refs = [ref for ref, row in context.rows.items() if row["project"] == project]
        scores.add("project", dict.fromkeys(refs, weights.project))


def prefer_places(scores: Scores, context: Context, places: frozenset[str], weights: Weights) -> None:
    """Lower what is of another source, or another project, than those that the question names, if there are such.

    What has neither may be about them, so it stays where it is.
    """
    for field in ("source", "project") if places else ():
        paths = {row[field] for row in context.rows.values() if row[field]}
        named = {path for path in paths if not places.isdisjoint(_place_names(path))}
        if named:
            others = [ref for ref, row in context.rows.items() if row[field] in paths - named]
            scores.add("place", dict.fromkeys(others, weights.place))


def _place_names(path: str) -> set[str]:
    """The parts of a path, and the name of its file without the ending."""
    parts = [part for part in re.split(r"[/\\]", path.casefold()) if part]
    return {*parts, *(part.rpartition(".")[0] for part in parts[-1:])}


def rank(scores: Scores, number: int, paths: Mapping[int, str] | None = None) -> list[Ranked]:
    """The top candidates in order, each with the breakdown of its score."""
    paths = paths or {}
    return [
        Ranked(
            ref=ref,
            score=round(scores.totals[ref], DIGITS),
            scores=scores.breakdown(ref),
            path=(paths[ref],) if ref in paths else (),
        )
        for ref in scores.top(number)
    ]


def _factors(context: Context, weights: Weights) -> dict[int, float]:
    return dict.fromkeys(context.sequences, weights.chunk) | dict.fromkeys(context.turns, weights.turn)


def _neighbours(context: Context, match: Mapping[int, float], weights: Weights) -> dict[int, float]:
    """Each match passes a part of its score to the turns one or two steps away."""
    rows = context.rows
    gains: defaultdict[int, float] = defaultdict(float)
    for ref, value in match.items():
        for step, other in context.neighbours.get(ref, {}).items():
            if other not in rows:
                continue
            part = weights.adjacent if -2 < step < 2 else weights.second
            if step == 1 and ref in context.questions:
                part = weights.reply
            elif step == -1 and other in context.questions:
                part = weights.replied
            gains[other] += part * value
    return gains


def _sessions(context: Context, match: Mapping[int, float], weights: Weights) -> dict[int, float]:
    """How well the session of a turn matches as a whole."""
    sums: defaultdict[tuple[str, object], float] = defaultdict(float)
    for ref, value in match.items():
        if ref in context.conversation:
            sums[context.sequences[ref]] += value**weights.match_power
    best = max(sums.values(), default=0.0)
    worth = weights.session / best if best > 0 else 0.0
    return {ref: worth * sums[context.sequences[ref]] for ref in context.conversation if context.sequences[ref] in sums}


def _add_intent(scores: Scores, context: Context, intent: Intent, weights: Weights) -> None:
    """Score turns by what the question asks for: an actor, a kind of answer."""
    rows = {ref: context.rows[ref] for ref in context.conversation}
    scores.add("question", dict.fromkeys(context.questions & context.conversation, weights.question))
    scores.add("length", _lengths(rows, weights))
    actor = named_actor(intent.names, {row["actor"] for row in rows.values()})
    if actor is not None:
        scores.add("actor", {ref: weights.actor for ref, row in rows.items() if row["actor"] == actor})
    if intent.kind:
        checked = [ref for ref in scores.top(MAX_ANSWER_CHECKS) if ref in rows]
        scores.add("kind", {ref: weights.kind for ref in checked if may_answer(intent.kind, rows[ref]["body"])})


def _lengths(rows: Mapping[int, Row], weights: Weights) -> dict[int, float]:
    """How much longer than the other turns it is, in standard deviations of the logarithm."""
    logs = {ref: log(1 + len(row["body"])) for ref, row in rows.items()}
    mean = sum(logs.values()) / max(1, len(logs))
    deviation = sqrt(sum([(value - mean) ** 2 for value in logs.values()]) / max(1, len(logs)))
    if deviation <= 0:
        return {}
    return {ref: weights.length * (value - mean) / deviation for ref, value in logs.items()}


def _latest(scores: Scores, context: Context, weights: Weights, *, is_matched: bool) -> dict[int, float]:
    """A part of its own score for each candidate: 0 for the oldest date, all for the newest.

    Of what matches, files that were handed in on one day are equally new.
    """
    when = {ref: row["date"] for ref, row in context.rows.items()}
    if is_matched:
        when |= {ref: when[ref] // DAY_MS * DAY_MS for ref, row in context.rows.items() if row["document_id"]}
    dates = sorted({*when.values()})
    part = {date: weights.latest * number / max(1, len(dates) - 1) for number, date in enumerate(dates)}
    return {ref: part[when[ref]] * max(0.0, score) for ref, score in scores.totals.items()}
