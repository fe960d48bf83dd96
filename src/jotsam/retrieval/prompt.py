"""Recall for a prompt, which need not be a question: what the prompt needs, or nothing.

Recall ranks and its scores are relative, so that any prompt has a best result. Here a result must also match by an
absolute measure: the part of the prompt's rare words that it contains, weighted by rarity. A word that occurs nowhere
counts as the rarest, so a prompt about something unknown gets nothing. Questions are left out. A reply also counts the
words of what it replies to, and takes its place.
"""

from __future__ import annotations

from jotsam.core.answers import Brief, BriefLine
from jotsam.core.fence import beginning
from jotsam.core.names import BRIEF_TOKENS, QUEUES
from jotsam.core.records import Record
from jotsam.pipeline.text.words import estimate_tokens
from jotsam.retrieval.answer import find
from jotsam.retrieval.brief_text import line_text
from jotsam.retrieval.noted import for_prompt
from jotsam.retrieval.present.hits import load_hits
from jotsam.retrieval.present.layout import Layout
from jotsam.retrieval.present.pack import pack
from jotsam.retrieval.present.render import fenced
from jotsam.retrieval.question.scope import validated
from jotsam.retrieval.question.trivial_prompt import MIN_WORDS
from jotsam.retrieval.rank.absence import Asked
from jotsam.retrieval.rank.context import turns_before
from jotsam.retrieval.rank.evidence import contained, share
from jotsam.retrieval.rank.judge import Judge
from jotsam.retrieval.rank.load_context import load_words, rarities
from jotsam.retrieval.rank.recency import Ordered
from jotsam.retrieval.rank.weights import WEIGHTS
from jotsam.retrieval.said import SAID, said_about
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from jotsam.core.answers import Hit, Question
    from jotsam.retrieval.answer import Found
    from jotsam.retrieval.rank.evidence import Word
    from jotsam.retrieval.rank.fuse import Ranked
    from jotsam.retrieval.rank.weights import Weights
    from jotsam.storage.database import Transaction

# What is relevant is among the best, and contains words of the prompt.
CANDIDATES_OF_PROMPT = {"candidates": 50, "with_neighbours": 50, "hyponyms": 0.0, "notes": 0.0}
MIN_SHARE = 0.5  # of the rarity of the prompt's rarest words
RAREST = 8  # words of a long prompt that count: it asks more than any one text answers
FEW_TEXTS = 3  # with a single word, and one in fifty of all
MAX_COUNTED = 5_000  # texts per word
MAX_HITS = 5
CANDIDATES = 20  # ranked results that are checked
MAX_LINE = 200  # characters of a text that is listed for a person
ALSO = "Also in force:"
LARGEST = 9_500  # characters of the whole text


class ForPrompt(Record):
    """What a prompt needs; all empty if nothing is known."""

    text: str  # for an agent, fenced
    hits: tuple[Hit, ...]
    lines: tuple[BriefLine, ...]  # of notes


NOTHING = ForPrompt(text="", hits=(), lines=())


def recall_for_prompt(
    tx: Transaction,
    question: Question,
    *,
    skip: Container[str] = (),
    told: Container[str] = (),
    session: str | None = None,
    since: int = 0,
    min_share: float = MIN_SHARE,
    weights: Weights = WEIGHTS,
) -> ForPrompt:
    """What a prompt needs, in at most `question.tokens`: what the notes say about it, then stored texts.

    The project of the question is required: without one, only what has none is returned. What else holds is without
    the memories of `told`, which a brief had. Left out are the ids of `skip`, the turns of `session` said since `since`
    (milliseconds), and the prompt itself.
    """
    question = validated(question)
    noted = for_prompt(tx, question.text, project=question.project, skip=skip, told=told, session=session, since=since)
    if noted is None:
        return NOTHING
    found = find(
        tx, question.replace(limit=CANDIDATES), question_vectors=None, weights=weights.replace(**CANDIDATES_OF_PROMPT)
    )
    every = load_words(tx, found.parsed, limit=MAX_COUNTED)
    judge = Judge(Asked(question.text, every, found.context), found.context, {})

    def is_new(hit: Hit) -> bool:
        is_own = session is not None and hit.session == session and (hit.date or 0) >= since
        is_prompt = _same(hit.text) == _same(question.text)
        return hit.id not in skip and not is_own and not is_prompt and hit.project == question.project

    near, far = _by_share(found, judge.words, min_share)
    loaded = [*filter(is_new, _loaded(tx, found, judge, [*near.values(), *far]))]
    uuids = {found.context.rows[ref]["uuid"] for ref in near}
    hits, instead = noted.without_known(hit for hit in loaded if hit.id in uuids)
    rest = [hit for hit in loaded if hit.id not in uuids and not noted.is_old(hit)]
    said = said_about(question.text, rest, is_known=noted.is_known())
    lines = (*noted.lines, *instead, *said)
    shown = "\n".join(line_text(line, question.project) for line in lines)
    others = _fitting(noted.others, question.project, question.tokens - estimate_tokens(fenced([shown, ALSO])))
    also = "\n".join([ALSO, *(line_text(line, question.project) for line in others)]) if others else ""
    packed = pack(
        iter(hits),
        words=rarities(every, found.parsed.stems),
        budget=question.tokens - sum(estimate_tokens(block + "\n\n") for block in (shown, also) if block),
        limit=MAX_HITS,
        layout=Layout(home=question.project),
    )
    blocks = [block for block in (shown, *packed.blocks, also) if block]
    text = fenced(blocks) if blocks else ""
    return ForPrompt(text=text, hits=packed.hits, lines=(*lines, *others)) if len(text) <= LARGEST else NOTHING


def _fitting(lines: Iterable[BriefLine], project: str | None, room: int) -> list[BriefLine]:
    """The first lines that have `room` tokens together."""
    fitting = []
    for line in lines:
        room -= estimate_tokens(f"{line_text(line, project)}\n")
        if room < 0:
            break
        fitting.append(line)
    return fitting


def brief_of_prompt(tx: Transaction, question: Question, *, weights: Weights) -> Brief:
    """What a prompt gets, each line with the reason for which it is there. For a person who wants to see it."""
    from jotsam.retrieval.brief import brief  # A hook has given it before.

    told = brief(tx, project=question.project, actor=question.actor, tokens=BRIEF_TOKENS)
    found = recall_for_prompt(tx, question, told={line.id for line in told.lines}, weights=weights)
    hits = [
        BriefLine(
            id=hit.id,
            label=SAID,
            text=beginning(hit.text, MAX_LINE),
            date=hit.date or 0,
            source=hit.source,
            actor=hit.actor,
            project=hit.project,
            why="it contains the rare words of the prompt",
        )
        for hit in found.hits
    ]
    depth = queue.depth(tx, queues=QUEUES, tenant=tx.tenant)
    return Brief(
        project=question.project,
        lines=(*found.lines, *hits),
        total=len({line.id for line in (*found.lines, *hits)}),
        tokens=estimate_tokens(found.text),
        text=found.text,
        **{name: getattr(depth, name) for name in ("pending", "in_progress", "failed", "dead")},
    )


def _by_share(found: Found, every: Sequence[Word], min_share: float) -> tuple[dict[int, Ranked], list[Ranked]]:
    """The results that contain enough of the prompt's rare words, by reference, and the others."""
    words, before = _subjects(every), turns_before(found.context)
    near: dict[int, Ranked] = {}
    others: list[Ranked] = []
    for item in found.ordered.ranked:
        if _share(found, item.ref, before.get(item.ref), words) >= min_share:
            near[item.ref] = item
        else:
            others.append(item)
    return near, others[:CANDIDATES]


def _loaded(tx: Transaction, found: Found, judge: Judge, items: list[Ranked]) -> Iterable[Hit]:
    ordered = Ordered(ranked=items, conflicts=found.ordered.conflicts, reasons=found.ordered.reasons)
    return load_hits(tx, ordered, found.scope, found.retrieved.facts, found.failures, judge)


def _subjects(words: Sequence[Word]) -> list[Word]:
    """The rarest words of the prompt; none if its only word is too common."""
    named = [word for word in words if not word.is_filler]
    if len(named) == 1 and named[0].texts > max(FEW_TEXTS, named[0].number // 50):
        return []  # Many texts contain the only word that the prompt is about.
    return sorted(words, key=lambda word: -word.weight)[:RAREST]


def _share(found: Found, ref: int, before: int | None, words: Sequence[Word]) -> float:
    """The part of the rarity of the words that a result contains; 0 for a question, and with too few words."""
    rows: Mapping[int, Mapping[str, object]] = found.context.rows
    row = rows.get(ref)
    if row is None or ref in found.context.questions or row["body"] is None:
        return 0.0
    have = contained(words, str(row["body"]))
    # "Noted." after a decision has no content: an answer is judged with the turn before it if that is a question, or if
    # it says something of the prompt itself.
    if before is not None and row["actor"] != rows[before]["actor"] and (have or before in found.context.questions):
        have |= contained(words, str(rows[before]["body"]))
    return share(words, have) if len(have) >= min(MIN_WORDS, len(words)) > 0 else 0.0


def _same(text: str) -> str:
    return " ".join(text.split()).casefold()
