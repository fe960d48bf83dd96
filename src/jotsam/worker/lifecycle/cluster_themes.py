"""The third phase of `cluster`: themes of groups of similar memories, and summaries of those from five members on."""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms, new_id
from jotsam.core.records import Record
from jotsam.pipeline.extraction.summarise import summarise
from jotsam.pipeline.lifecycle.theme_text import MAX_NAMES, DatedText, best_sentences, ranked_terms, shared_terms
from jotsam.pipeline.likeness.star_groups import matched, star_groups
from jotsam.storage.lifecycle import likeness, themes
from jotsam.storage.recall import search
from jotsam.worker.lifecycle.cluster_pairs import REPEATS_FIRST, REPEATS_SECOND
from jotsam.worker.lifecycle.step import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jotsam.storage.database import Row, Transaction
    from jotsam.worker.lifecycle.cluster_merge import Targets
    from jotsam.worker.lifecycle.cluster_summary import SummaryModel
    from jotsam.worker.lifecycle.step import StepContext

MIN_SUMMARISED = 5
SLICE = 100  # themes of a part
ASKED_MS = 100_000  # for which a part asks a model, so that it ends within its lease
COUNTED = 100_000  # texts with a term
RULES = "rules"


class _Wanted(Record):
    """What should be a theme: its UUID, and its members; without members it goes."""

    uuid: str
    members: tuple[int, ...] = ()
    before: frozenset[int] = frozenset()
    summary: str | None = None  # UUID of the one it has


if TYPE_CHECKING:
    Themes = tuple[list[_Wanted], list[_Wanted]]


def plan(
    context: StepContext, wanted: Sequence[_Wanted], model: SummaryModel | None, *, after: int
) -> tuple[list[Change], int | None]:
    """The changes of the next themes, and how many have been looked at; None if none is left."""
    if context.job_id == 0:
        model = None
    began = monotonic_ms()
    changes: list[Change] = []
    done = after
    for theme in wanted[after : after + SLICE]:
        if monotonic_ms() - began > ASKED_MS:
            break
        changes += _changes(context, theme, model)
        done += 1
    return changes, done if done < len(wanted) else None


def plan_ended(context: StepContext, ended: Iterable[_Wanted], *, after: str) -> tuple[list[Change], str | None]:
    """The changes of the next themes that no group continues, and the last of them; None if none is left."""
    some = [theme for theme in ended if theme.uuid > after][:SLICE]
    changes = [change for theme in some for change in _removal(context, theme)]
    return changes, some[-1].uuid if len(some) == SLICE else None


def wanted(context: StepContext, gone: Targets) -> Themes:
    """The themes that should be, in an order that the changes of earlier parts keep, and those that should not.

    `gone` are the memories that were merged.
    """
    groups = star_groups(
        (first, second, score % REPEATS_FIRST if score < REPEATS_SECOND else score - REPEATS_SECOND)
        for first, second, score in context.pairs()
        if first not in gone and second not in gone
    )
    with context.database.snapshot(tenant=context.tenant) as tx:
        known, summaries = themes.all_members(tx)
    continued, ended = matched(groups, known)
    found = []
    for group in groups:
        uuid = continued.get(group)
        before = known[uuid] if uuid else frozenset[int]()
        found.append(_Wanted(uuid=uuid or new_id(), members=group, before=before, summary=summaries.get(uuid or "")))
    return found, [_Wanted(uuid=uuid, before=known[uuid], summary=summaries[uuid]) for uuid in ended]


def _changes(context: StepContext, theme: _Wanted, model: SummaryModel | None) -> Iterator[Change]:
    is_same = theme.before == {*theme.members}
    lacks_summary = len(theme.members) >= MIN_SUMMARISED and theme.summary is None
    if is_same and not lacks_summary:
        return
    with context.database.snapshot(tenant=context.tenant) as tx:
        rows = likeness.some(tx, theme.members)
        members = [rows[number] for number in theme.members if number in rows]
        terms = _terms(tx, members)
    if len(members) < len(theme.members):
        return  # Some were forgotten just now; the next run sees it.
    ids = tuple(row["uuid"] for row in members)
    name = ", ".join(terms[:MAX_NAMES]) or summarise(members[0]["body"], limit=60) or "theme"
    if not is_same:
        data = {"theme": theme.uuid, "project": members[0]["project"], "name": name, "terms": " ".join(terms)}
        why = f'{len(ids)} similar memories about "{name}"' + (f", {len(theme.before)} before" if theme.before else "")
        yield Change(kind="theme", ids=ids, why=why, data={**data, "members": [*theme.members]})
    if len(members) >= MIN_SUMMARISED:
        yield _summary(context, theme, members, name, terms, model)
    elif theme.summary is not None:
        why = f'the theme "{name}" has fewer than {MIN_SUMMARISED} memories'
        yield Change(kind="summary", ids=(theme.summary, *ids), why=why, data={"theme": theme.uuid, "memory": None})


def _removal(context: StepContext, theme: _Wanted) -> Iterator[Change]:
    with context.database.snapshot(tenant=context.tenant) as tx:
        rows = likeness.some(tx, theme.before)
    ids = (*(row["uuid"] for row in rows.values()), theme.uuid)
    why = "its memories are no longer similar, or gone"
    if theme.summary is not None:
        yield Change(kind="summary", ids=(theme.summary, *ids), why=why, data={"theme": theme.uuid, "memory": None})
    yield Change(kind="theme", ids=ids, why=why, data={"theme": theme.uuid, "members": []})


def _terms(tx: Transaction, members: Sequence[Row]) -> tuple[str, ...]:
    shared = shared_terms([row["body"] for row in members])
    if not shared:
        return ()
    counts, texts = search.count_words(tx, [*shared], limit=COUNTED)
    return ranked_terms(shared, dict(zip(shared, counts, strict=True)), texts=texts)


def _summary(
    context: StepContext,
    theme: _Wanted,
    members: Sequence[Row],
    name: str,
    terms: Sequence[str],
    model: SummaryModel | None,
) -> Change:
    ordered = sorted((DatedText(text=row["body"], at=row["at"]) for row in members), key=lambda one: one.at)
    text = model.summarise(context, ordered) if model is not None else None
    made_by = RULES if text is None or model is None else model.name
    body = text or f"{name}:\n{best_sentences(ordered, terms)}"
    actors = {row["actor"] for row in members}
    data = {
        "uuid": new_id(),
        "project": members[0]["project"],
        "body": body,
        "summary": summarise(body) or None,
        "actor": actors.pop() if len(actors) == 1 else None,
        "said_at": ordered[-1].at,
        "made_by": made_by,
        "sources": [row["id"] for row in members],
    }
    why = f'summary of {len(members)} memories about "{name}", by {made_by}'
    ids = tuple(row["uuid"] for row in members)
    return Change(kind="summary", ids=ids, why=why, data={"theme": theme.uuid, "memory": data})
