"""Records of recall: the question, full-text search terms, hits, coverage and the answer."""

from __future__ import annotations

from jotsam.core.records import Fact, MemoryBlock, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Question(Record):
    """A query with its filters. An empty `text` asks for the newest memories."""

    text: str
    tenant: str = "default"
    project: str | None = None  # only this project
    prefer: str | None = None  # rank this project first
    tags: tuple[str, ...] = ()  # with at least one of these tags
    every_tag: bool = False  # with all of them instead
    tag_prefix: bool = False  # a tag matches every tag that starts with it
    without: tuple[str, ...] = ()  # with none of these tags
    types: tuple[str, ...] = ()  # with one of these types
    metadata: Mapping[str, object] | None = None  # see `core.comparisons`
    session: str | None = None
    source: str | None = None  # only from this file, folder or other source; * matches any text
    actor: str | None = None  # only memories of this person, agent or user of a service
    when: str | None = None  # from, or about, a time in words: "last week"
    since: int | None = None  # from, or about, this time or later
    until: int | None = None  # from before, or about a time before
    as_of: int | None = None  # what was known and valid at that time
    history: bool = False  # include superseded and invalid memories
    archived: bool = False  # include archived memories
    min_score: float | None = None  # least `Hit.evidence`; None: if nothing is known of it, only what has a part
    expand: tuple[str, ...] = ()  # entities, relations: also return memories connected to the top results by these
    expand_limit: int = 25  # maximum number of results added by `expand`
    min_weight: float = 0.5  # minimum weight of a relation that `expand` follows
    min_importance: float = 0.0  # minimum importance of results added by `expand`; no importance counts as 0
    pinned: tuple[str, ...] = ()  # ids that are always included
    after: str | None = None  # the `next` of the answer before
    tokens: int = 2_000  # token budget of the answer
    hit_tokens: int | None = None  # maximum of the text of one hit; None: by its score, at most 600
    limit: int = 50  # maximum number of hits
    spooled: int = 0  # turns spooled to files, counted as pending


class Terms(Record):
    """Terms for the full-text index of any database. One of them is enough for a match, except with `shares`.

    Terms hold letters, digits and spaces, in lower case.
    """

    words: tuple[str, ...] = ()  # words, and phrases of several words
    grams: tuple[str, ...] = ()  # character pairs of scripts without spaces; a single character is a prefix
    shares: tuple[int, ...] = ()  # weight of each gram in percent: a match must reach 100; empty: any gram matches


class Hit(Record):
    """One result. `kind` is `memory`; `document` while a document is not chunked yet; or `fact`, if the memory that
    states a requested fact does not fit into the remaining budget: `facts` then names that memory.
    """

    kind: str
    id: str
    text: str  # the whole text, or an excerpt around the match
    whole: bool
    score: float
    scores: Mapping[str, float]  # contribution of each retriever and ranking rule; they add up to `score`
    facts: tuple[Fact, ...] = ()  # facts that match the question; those that still hold come first
    path: tuple[str, ...] = ()  # the path through the graph, if the graph retriever found it
    source: str | None = None
    section: str = ""
    project: str | None = None
    date: int | None = None
    actor: str | None = None
    session: str | None = None
    document: str | None = None  # UUID of the document it is a chunk of
    position: int | None = None  # order within the session or the document
    lines: tuple[int, int] | None = None  # first and last line, in the document as stored
    type: str | None = None
    tags: tuple[str, ...] = ()
    external_id: str | None = None  # the caller's id
    job_id: int | None = None  # the job that enriches it
    valid_from: int | None = None
    valid_until: int | None = None
    superseded_at: int | None = None
    superseded_by: str | None = None  # UUID of what replaced it
    archived_at: int | None = None  # when it was hidden from recall
    archived_by: str | None = None  # UUID of the memory into which it was merged
    summary_of: int = 0  # memories that it summarises; 0: it is no summary
    newer_text: str | None = None  # UUID of a newer version of its source, which replaces it once chunked
    replaces: tuple[str, ...] = ()  # UUIDs that it replaced, directly or indirectly, nearest first
    conflicts: tuple[str, ...] = ()  # UUIDs of other memories that cast doubt on it
    reason: str | None = None  # the sentence of a newer memory that replaced it or casts doubt on it
    times: int = 1  # results with this text, of which the others are left out
    tokens: int = 0
    evidence: float = 1.0  # 0 to 1: the part of the question's words that it contains, weighted by rarity

    def _repr_html_(self) -> str:
        """For notebooks. Everything stored is escaped."""
        return f"<table>{_html_row(self)}</table>"


class Coverage(Record):
    """What an answer covers and what it does not cover yet: the footer as numbers."""

    returned: int  # on this page
    total: int
    tokens: int
    budget: int
    more: bool = False  # a larger budget would return more
    before: int = 0  # results on the pages before, or left out of them because they repeat one
    pending: int = 0  # accepted, waiting for the first try
    in_progress: int = 0
    failed: int = 0  # failed at least once and will be retried
    dead: int = 0  # dead letters, kept with their errors
    oldest_pending_ms: int | None = None
    not_enriched: int = 0  # memories searched by their words only until now
    degraded: int = 0  # memories extracted in part, because the model or a rule failed
    unavailable: tuple[str, ...] = ()  # retrievers and pinned ids that failed, each with the reason
    embedded: int = 0  # memories with a vector
    unembedded: int = 0  # memories without a vector yet
    reranked: int = 0  # results that a reranker put in order, shown or not
    missing: tuple[str, ...] = ()  # names and unusual words of the question that no hit contains
    nothing: bool = False  # no hit is about what is asked
    about: tuple[str, ...] = ()  # if so, the people of whom it is asked
    archived: int = 0  # if so, archived memories among the best matches of the words
    replica_lag_ms: int | None = None  # a replica answered, which was so far behind the primary; None: the primary
    replica_problem: str = ""  # why the primary answered instead of a replica

    @property
    def is_incomplete(self) -> bool:
        """Whether something accepted may still change what is found."""
        return bool(self.pending or self.in_progress or self.failed or self.unembedded)


class Answer(Record):
    """The hits, best first, and their coverage. `str(answer)` is its `text`."""

    question: str  # "" for the newest memories
    hits: tuple[Hit, ...]
    facts: tuple[Fact, ...]  # facts that match the question, each once, best first, whether their hit is shown or not
    coverage: Coverage
    text: str  # for an agent or a person: the hits, fenced, with the footer as the last line
    next: str | None = None  # the `after` of the next page; None: there is none

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """For notebooks: the hits as a table, and the footer. Everything stored is escaped."""
        from html import escape

        title = f"<p><b>{escape(self.question)}</b></p>" if self.question else ""
        footer = escape(self.text.rstrip().rpartition("\n")[2])
        return f"{title}<table>{''.join(map(_html_row, self.hits))}</table><p><small>{footer}</small></p>"


_HEADINGS = {"rule": "Rules", "rule everywhere": "Rules in every project", "done": "Done last", "noted": "Also noted"}


class BriefLine(Record):
    """One memory in a brief."""

    id: str
    label: str  # rule, decided, open, done, preferred, ...: what it is
    text: str  # one line, cut if it is long
    date: int
    source: str | None = None
    actor: str | None = None
    project: str | None = None
    note: int | None = None  # the place of the note among those of its memory; None: the line is the memory itself
    why: str = ""  # it is there

    @property
    def heading(self) -> str:
        """What the lines of its group are."""
        label = self.label.partition(", ")[0]
        return _HEADINGS.get(label) or label.capitalize()


class Brief(Record):
    """What a session should know about its project from the start. `str(brief)` is its `text`."""

    project: str | None
    lines: tuple[BriefLine, ...]
    total: int  # memories that could be in it; one may have several lines
    pending: int  # jobs accepted that wait for the first try
    in_progress: int
    failed: int  # failed at least once and will be retried
    dead: int
    tokens: int  # estimated, of `text`
    text: str  # for an agent, fenced; empty without lines and blocks
    replica_lag_ms: int | None = None  # a replica answered, which was so far behind the primary; None: the primary
    blocks: tuple[MemoryBlock, ...] = ()  # the pinned ones that fit, which come first; the last may be cut in `text`

    @property
    def memories(self) -> int:
        """How many memories the lines are from."""
        return len({line.id for line in self.lines})

    def __str__(self) -> str:
        return self.text


def _html_row(hit: Hit) -> str:
    """One hit as a table row: score, origin, text."""
    from html import escape

    origin = " · ".join(escape(part) for part in (hit.type, hit.source, hit.section, hit.id[:8]) if part)
    text = escape(hit.text).replace("\n", "<br>")
    return f"<tr><td>{hit.score:.2f}</td><td>{origin}</td><td style='text-align: left'>{text}</td></tr>"
