"""What counts how much: every constant of recall, named, in one place, with the reason for it.

Pure. The numbers are round on purpose. They were chosen on public conversations and public questions of several steps
(docs/recall.md has what each is worth), and none depends on how a question of those is worded.
A leg is measured against its own best, so 1.0 means "as much as the best match of words".
"""

from __future__ import annotations

from jotsam.core.records import Record


class Weights(Record):
    """The constants. Whoever measures may ask with others; nobody else should."""

    # What a memory is worth by itself.
    words: float = 1.0  # it shares words with the question; everything else is measured against this
    vectors: float = 0.8  # it means something like the question
    id: float = 4.0  # the question names it: that is what is wanted, whatever else the question says
    quoted: float = 10.0  # it holds what stands in quotes: whoever quotes wants that before everything else
    named: float = 1.0  # the question names it: it is called so
    facts: float = 0.6  # a fact that it says has two of its three parts in the question, and so may be the answer
    pinned: float = 100.0  # the caller wants it in any case
    newest: float = 1.0  # nothing was asked in words

    # What stands around a turn of a session. What stands beside a chunk of a document says nothing about it.
    near: float = 0.5  # of the match of what stands next to it
    far: float = 0.3  # of the match of what stands two steps away
    answered: float = 1.0  # instead of `near`, of a matching question that it follows: it may be the answer
    asked: float = 0.3  # instead of `near`, of a matching turn, for the question that it answers
    around: float = 1.0  # which part of the question's words stands in it and within two steps of it
    whole: float = 0.5  # its session matches well as a whole
    document: float = 0.2  # of a chunk: its document does
    sharpness: int = 3  # the power of a match within that sum: one good match tells more than many weak ones

    # Much speaks for a turn, something for a chunk, and nothing besides for what stands alone. So that none of them is
    # buried under the others, all that speaks for it counts so many times.
    turn: float = 0.33
    chunk: float = 0.83

    # What a question about a conversation asks for.
    actor: float = 1.0  # said by the one whom the question names
    kind: float = 0.7  # asked when, how many, where or who, it holds a time, a number, a place or a name
    question: float = -0.3  # it is a question itself
    length: float = 0.1  # longer ones hold more; by standard deviations of its logarithm

    # Time.
    period: float = 1.0  # said in the time that the question names; or telling of it, where that is all that is asked
    told: float = 0.3  # telling of the time that the question names, where it asks for more
    latest: float = 1.0  # the question wants the latest: the newest of the good matches gains this part of its score

    # The graph.
    hop: float = 0.8  # of the score of one of the best, for what shares a rare entity with it
    title: float = 0.6  # of the score of one of the best, for what is called as something that it mentions
    bearers: int = 3  # where more are called the same, the name says too little
    seeds: int = 10  # so many of the best are followed
    rare: int = 30  # an entity that more memories mention joins nothing; that keeps junk entities harmless
    relation: float = 0.4  # of the score of one of the best, for what a link of a caller joins to it

    # Where one stands.
    project: float = 0.2  # of the project that is preferred

    # How far is looked.
    depth: int = 200  # so many candidates each leg may bring
    during: int = 50  # so many that tell of a time that the question names
    beside: int = 120  # of so many of the best of a leg, what was said beside them is read


WEIGHTS = Weights()
