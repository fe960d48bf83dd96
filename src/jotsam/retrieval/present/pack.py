"""Pack hits into a token budget: the best first, short ones whole, long ones as an excerpt.

Pure. A hit that does not fit is skipped, and a smaller one after it is still added. If the memory that states a
requested fact does not fit, the fact is shown alone. No text is shown twice: neither duplicates, nor a chunk of a
pending document next to that document. Hits come from an iterator, which is not read further once the budget is used.
"""

from __future__ import annotations

from jotsam.core.answers import Hit
from jotsam.core.fence import escape_marks, restore_marks
from jotsam.core.records import Record
from jotsam.pipeline.text.words import CHARACTERS_PER_TOKEN
from jotsam.retrieval.present.excerpt import GAP, excerpt, fits
from jotsam.retrieval.present.layout import Entry, Layout
from jotsam.retrieval.present.render import fact_line
from jotsam.retrieval.question.stems import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from jotsam.core.records import Fact

BEST_SHARE = 0.75  # of what is left of the budget, for a text with the best score; less in proportion to the score
LEAST_SHARE = 0.25  # of what is left, for any text
LEAST_TOKENS = 150  # of a text, as far as they are left
MAX_TOKENS = 600  # of one text, unless its share of the budget is more
MAX_SHARE = 3  # one text takes at most a third of the budget
MIN_TOKENS = 40  # less of a long text is not worth showing
MIN_TOKENS_OF_FIRST = 4
MIN_LEFT = 10  # nothing fits into less
MAX_HEADING_SHARE = 3  # a heading takes at most a third of what is left
MIN_SHARED = 20  # characters; a shorter text is contained in another by chance
SEPARATOR = "\x00"  # occurs in no text
MAX_FACTS = 4


class Packed(Record):
    """What is shown. `more`: a larger budget would show more. `is_left`: so would another page."""

    hits: tuple[Hit, ...]
    blocks: tuple[str, ...]
    tokens: int
    more: bool
    used: tuple[str, ...] = ()  # ids of hits that are shown, or left out because they repeat what is shown
    is_left: bool = False


def pack(
    hits: Iterable[Hit],
    *,
    words: Mapping[str, float],
    budget: int,
    limit: int,
    hit_tokens: int | None = None,
    layout: Layout | None = None,
    after: Callable[[Sequence[Hit]], Iterable[Hit]] | None = None,
) -> Packed:
    """At most `limit` hits, best first, in at most `budget` tokens including their headings.

    The hits have their whole text. `words` are the stems of the question, each with its rarity. The share of a text in
    what is left follows its score. It takes at most `hit_tokens`; by default 600, or a third of the budget if that is
    more, so that a long text does not crowd out a second source. The `layout`, an empty one, is kept up to date while
    the hits are read. `after` returns what follows the shown hits, beyond the `limit`, as far as it fits.
    """
    longest = hit_tokens or max(MAX_TOKENS, budget // MAX_SHARE)
    layout = Layout() if layout is None else layout
    seen: dict[str, int] = {}  # by text without a full stop: how often it is among the results
    whole: dict[str, str] = {}  # the same texts of what is shown, by id
    used: list[str] = []
    more, is_left, texts, best = False, False, "", 0.0
    for hit in hits:
        text = hit.text.strip()
        said = text.rstrip(".")  # It says the same with and without a full stop.
        if hit.id in layout.before:
            seen.setdefault(said, 1)
            continue
        is_repeated = not text or said in seen or (len(text) >= MIN_SHARED and text in texts)
        if len(layout) == limit and not is_repeated:
            is_left = True
            break
        if is_repeated:
            if said in seen and len(layout) < limit:
                seen[said] += 1
            used.append(hit.id)
            continue
        left = budget - layout.tokens
        best = max(best, hit.score)
        share = hit_tokens or min(longest, _share(left, hit.score / best if best > 0 else 1.0))
        entry = _fit(hit, layout, words, left, (share, longest))
        if entry is None:
            more = is_left = True
            if _is_full(hit, layout, left):
                break
            continue
        used.append(hit.id)
        if not _overlaps(entry.hit, layout.entries):
            more = more or entry.squeezed
            seen[said] = 1
            whole[hit.id] = said
            texts += entry.hit.text + SEPARATOR
            layout.add(entry)
    if after is not None and len(layout):
        _add(after([entry.hit for entry in layout.entries]), layout, words, budget, longest)
    times = {id: seen[text] for id, text in whole.items() if seen[text] > 1}
    shown = tuple(hit.replace(times=times[hit.id]) if hit.id in times else hit for hit in layout.hits())
    blocks, tokens = layout.blocks(), layout.tokens
    return Packed(hits=shown, blocks=blocks, tokens=tokens, more=more, used=tuple(used), is_left=is_left)


def _is_full(hit: Hit, layout: Layout, left: int) -> bool:
    """Whether nothing else fits after a hit that does not. If it states a requested fact, that is added alone."""
    fact = _best_fact(hit, layout, left)
    if fact is not None:
        layout.add(fact)
    elif left < MIN_LEFT:
        return True
    if len(layout) and left < MIN_TOKENS:
        layout.longest = left * CHARACTERS_PER_TOKEN
    return False


def _add(hits: Iterable[Hit], layout: Layout, words: Mapping[str, float], budget: int, longest: int) -> None:
    """Add hits as far as they fit."""
    for hit in hits:
        left = budget - layout.tokens
        entry = _fit(hit, layout, words, left, (min(longest, left), longest))
        if entry is not None:
            layout.add(entry)


def _share(left: int, part: float) -> int:
    """The tokens of a text whose score is that part of the best."""
    return max(LEAST_TOKENS, int(left * max(LEAST_SHARE, BEST_SHARE * part)))


def _fit(hit: Hit, layout: Layout, words: Mapping[str, float], left: int, limits: tuple[int, int]) -> Entry | None:
    """The hit in its share of what is left. The first hit is shown even if little of it fits.

    `limits` are its share now and with any budget.
    """
    number = len(layout) + 1
    if number > 1 and left < MIN_TOKENS and len(hit.text) > left * CHARACTERS_PER_TOKEN:
        return None
    bare = Entry(hit=hit, number=number, text="")
    cost = layout.cost(bare)
    if cost * MAX_HEADING_SHARE > left:
        bare = bare.replace(brief=True)
        cost = layout.cost(bare)
    available = left - cost
    whole = escape_marks(hit.text).strip()
    if available < (MIN_TOKENS_OF_FIRST if number == 1 else MIN_TOKENS) and not fits(whole, available):
        return None
    share, longest = limits
    tokens = min(available, share)
    text = excerpt(whole, words=words, tokens=tokens)
    if not text:
        return None
    squeezed = text != whole and tokens < longest
    if text != hit.text or not hit.whole:
        hit = hit.replace(text=restore_marks(text), whole=text == whole)
    entry = Entry(hit=hit, number=number, text=text, squeezed=squeezed, brief=bare.brief)
    return _with_facts(entry, layout, left)


def _with_facts(entry: Entry, layout: Layout, left: int) -> Entry:
    """The entry followed by its facts, one per line, as far as they fit.

    Requested facts are left out if the text shows their subject and object anyway. Superseded facts are always shown.
    """
    shown, added = fold(layout.text(entry)) if entry.hit.facts else "", 0
    for fact in entry.hit.facts:
        longer = entry.replace(text=f"{entry.text}\n= {fact_line(fact)}")
        is_shown = fact.superseded_at is None and fold(fact.subject) in shown and fold(fact.object) in shown
        if not is_shown and added < MAX_FACTS and layout.cost(longer) <= left:
            entry, added = longer, added + 1
    return entry


def _best_fact(hit: Hit, layout: Layout, left: int) -> Entry | None:
    """The most certain requested fact of a hit as a hit of its own, unless another hit states it too."""
    fact = next((fact for fact in hit.facts if fact.superseded_at is None), None)
    if fact is None or any(_triple(fact) in map(_triple, entry.hit.facts) for entry in layout.entries):
        return None
    text = fact_line(fact)
    same = {name: getattr(hit, name) for name in ("score", "scores", "source", "section", "project", "date", "lines")}
    alone = Hit(
        kind="fact",
        id=fact.id,
        text=restore_marks(text),
        whole=True,
        facts=(fact,),
        path=hit.path,
        job_id=hit.job_id,
        **same,
    )
    entry = Entry(hit=alone, number=len(layout) + 1, text=f"= {text}")
    return entry if layout.cost(entry) <= left else None


def _triple(fact: Fact) -> tuple[str, str, str]:
    return fold(fact.subject), fact.predicate, fold(fact.object)


def _overlaps(hit: Hit, entries: Sequence[Entry]) -> bool:
    """Whether a pending document and a chunk of it would show the same passage. Compares the hit's longest line."""
    others = [entry.hit.text for entry in entries if entry.hit.kind != hit.kind and entry.hit.source == hit.source]
    if not others:
        return False
    line = max((line.strip(GAP + " ") for line in hit.text.split("\n")), key=len)
    return len(line) >= MIN_SHARED and any(line in text for text in others)
