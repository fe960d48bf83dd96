"""The records of recall: a question, what the index of words is asked, a hit, and the answer with what it covers."""

from __future__ import annotations

from jotsam.core.records import Fact, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Question(Record):
    """What is asked of memory. Without words: the newest there are."""

    text: str
    tenant: str = "default"
    project: str | None = None  # only this one
    prefer: str | None = None  # this project first, and the others too
    tags: tuple[str, ...] = ()  # one of them must be there
    every_tag: bool = False  # all of them must be there
    tag_prefix: bool = False  # a tag stands for all that begin like it
    without: tuple[str, ...] = ()  # none of these tags may be there
    types: tuple[str, ...] = ()  # one of these types
    metadata: Mapping[str, object] | None = None  # each of these keys has this value, compared as text
    session: str | None = None
    when: str | None = None  # only what was said then or tells of then, in words: "last week"
    since: int | None = None  # only what was said then or later, or tells of then or later
    until: int | None = None  # only what was said before, or tells of before
    as_of: int | None = None  # what held, and was known, at that time
    history: bool = False  # also what is superseded, or does not hold
    min_score: float = 0.0
    expand: tuple[str, ...] = ()  # entities, relations: also what they join to the best
    expand_limit: int = 25  # so many at most that only `expand` brings, the strongest
    min_weight: float = 0.5  # of a relation that is followed
    min_importance: float = 0.0  # of what only `expand` brings; what has no importance has 0
    pinned: tuple[str, ...] = ()  # ids of what stands in the answer in any case
    tokens: int = 2_000  # budget of the packed answer
    limit: int = 50  # hits at most
    spooled: int = 0  # how many turns wait outside the database, and so are pending too


class Terms(Record):
    """What the index of words is asked for, whatever database holds it. Any one of them is a match, but for `shares`.

    All are made of letters, digits and spaces, and lower-cased.
    """

    words: tuple[str, ...] = ()  # words, and phrases of several words
    grams: tuple[str, ...] = ()  # pairs of characters of scripts without spaces; a single one: whatever begins with it
    shares: tuple[int, ...] = ()  # percent that each of the grams weighs: a match must reach 100; empty: any will do


class Hit(Record):
    """One found item. `kind` is `memory`; `document` while a document still waits to be cut; or `fact`, where a memory
    that says what was asked for is too long for what is left of the budget. A fact has its memory's id in `facts`.
    """

    kind: str
    id: str
    text: str  # what is shown: the whole text, or an excerpt around the match
    whole: bool
    score: float
    scores: Mapping[str, float]  # what each leg and each rule added; together they are the score
    facts: tuple[Fact, ...] = ()  # what it says that the question asks for, and then what of it has ended
    path: tuple[str, ...] = ()  # how it was reached in the graph, if not by itself
    source: str | None = None
    section: str = ""
    project: str | None = None
    date: int | None = None
    actor: str | None = None
    session: str | None = None
    document: str | None = None  # UUID of the document it was cut from
    position: int | None = None  # its place in the session, or in its document
    lines: tuple[int, int] | None = None  # the first and the last line of it in its document, as that was kept
    type: str | None = None
    tags: tuple[str, ...] = ()
    external_id: str | None = None  # the caller's own id
    job_id: int | None = None  # of the job that read it, or will
    valid_from: int | None = None
    valid_until: int | None = None
    superseded_at: int | None = None
    superseded_by: str | None = None  # UUID of what holds in its place
    newer_text: str | None = None  # UUID of a later text of its source, which takes its place as soon as that is cut
    replaces: tuple[str, ...] = ()  # UUIDs of what it has taken the place of, nearest first
    conflicts: tuple[str, ...] = ()  # UUIDs of other hits that contradict it
    tokens: int = 0


class Coverage(Record):
    """The footer in numbers: what an answer knows, and what it does not know yet."""

    returned: int
    total: int
    tokens: int
    budget: int
    more: bool = False  # with a larger budget the answer would hold more
    pending: int = 0  # accepted, and waiting for its first try
    in_progress: int = 0
    failed: int = 0  # failed at least once, and will be tried again
    dead: int = 0  # given up, kept with its errors
    oldest_pending_ms: int | None = None
    not_enriched: int = 0  # memories found by their words alone so far
    degraded: int = 0  # memories read by rules alone, although a model was to
    unavailable: tuple[str, ...] = ()  # those that could not be asked, each with its reason
    embedded: int = 0  # memories that have a vector
    unembedded: int = 0  # memories that wait for theirs


class Answer(Record):
    """Hits, best first, and what they cover. Printed, it is its `text`."""

    question: str  # "" when nothing was asked in words
    hits: tuple[Hit, ...]
    facts: tuple[Fact, ...]  # that the question asks for and memories say, each once, best first, shown or not
    coverage: Coverage
    text: str  # for an agent or a person to read: the hits, fenced, and the footer as last line

    def __str__(self) -> str:
        return self.text
