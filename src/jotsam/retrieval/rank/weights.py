"""Weights and limits of recall, each with its reason.

Pure. The numbers are round on purpose. They were chosen on public conversations and public multi-hop questions
(docs/recall.md lists what each is worth); none depends on the wording of those questions.
Scores of a retriever are divided by its best score, so 1.0 means "as much as the best text match".
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings


class Weights(Record):
    """The constants of recall. Only benchmarks pass others than the default."""

    # Retrievers.
    text: float = 1.0  # shares words with the question; all other weights are relative to this
    vectors: float = 0.5  # embedding is similar to that of the question
    turn_vectors: float = 0.3  # instead of `vectors`, for a turn: short texts have little content
    uncovered: float = 4.0  # added to `vectors` if no match has a word of the question: only meaning can find it
    uncovered_power: int = 3  # of the part of the question that no match covers; half of it missing adds little
    id: float = 4.0  # the question contains its id, which outweighs all other words
    phrase: float = 10.0  # contains a quoted phrase; quotes mean that nothing else will do
    title: float = 1.0  # the question contains its title
    facts: float = 0.6  # states a fact of which the question names two of three parts
    hyponyms: float = 1.0  # of the part of the question that asks for a kind, for something of that kind
    turn_hyponyms: float = 0.2  # instead, all of it, if a turn is among the candidates
    hints: float = 0.3  # a model that read it foresaw the question; the memory itself need not say so
    notes: float = 1.0  # has a rule, a decision or a fix that holds and is about the question
    pinned: float = 100.0  # the caller wants it in every answer
    newest: float = 1.0  # nothing to search for

    passage: float = 0.3  # part of the question's words found in one passage of a chunk or single memory

    # Context of a turn in a session. The neighbours of a chunk do not count for it.
    adjacent: float = 0.5  # of the match of the turn before or after
    second: float = 0.3  # of the match two turns away
    reply: float = 1.0  # instead of `adjacent`, after a matching question: it may be the answer
    replied: float = 0.3  # instead of `adjacent`, for a question before a matching turn
    coverage: float = 1.0  # part of the question's words found in it and within two turns
    session: float = 0.5  # its session matches as a whole
    match_power: int = 3  # of each match in this sum: one good match outweighs many weak ones

    # A turn collects many of these scores. Of a long document some chunk has any word, of a note only one that is about
    # it. The factors keep the three comparable.
    turn: float = 0.33
    chunk: float = 0.83

    # Intent of a question about a conversation.
    actor: float = 1.0  # said by the person whom the question names
    kind: float = 0.7  # contains a time, number, place or name, as asked for
    question: float = -0.3  # is a question itself
    length: float = 0.1  # longer turns contain more; per standard deviation of the logarithm

    # Time.
    period: float = 1.0  # said at the time that the question names, or names that time if nothing else is asked
    mention: float = 0.3  # names the time that the question names, if it asks for more than that
    latest: float = 1.0  # if the latest is asked for: part of its own score, for the newest of all candidates

    # Graph. The first two are multiplied by how far a memory's own score is below the best.
    shared_entity: float = 1.0  # of the score of a seed, for sharing a rare entity with it
    mentioned_title: float = 0.8  # of the score of a seed, for having a title that the seed mentions
    relation: float = 0.4  # of the score of a seed, for being linked to it
    max_same_title: int = 3  # a title that more memories have is ignored
    max_mentions: int = 30  # an entity that more memories mention is ignored; this makes junk entities harmless
    seeds: int = 10  # top candidates from which the graph is searched

    place: float = -0.2  # belongs to another folder, file or project than those that the question names
    project: float = 0.2  # belongs to the preferred project
    importance: float = 0.1  # of its own score, for the importance 1 that a caller gave; that much less for 0
    confidence: float = 0.1  # the same for a confidence
    relevance: float = 0.05  # of its own score, for the relevance 1 instead of the mean; that much less for 0

    # Limits.
    candidates: int = 200  # per retriever
    per_period: int = 50  # candidates per time that the question names
    with_neighbours: int = 120  # top candidates per retriever whose neighbours are read


WEIGHTS = Weights()
WITHOUT_RELEVANCE = WEIGHTS.replace(relevance=0.0)


def chosen_weights(settings: Settings) -> Weights:
    """The weights that the settings choose."""
    return WEIGHTS if settings.recall_relevance == "on" else WITHOUT_RELEVANCE
