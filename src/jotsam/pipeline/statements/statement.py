"""The record of what one sentence states."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.pipeline.statements.values import Value

UNKNOWN_VERB = "does"  # attribute of a statement whose verb is in no list


class Statement(Record):
    """One thing, and the value that a sentence gives it. A sentence without a value gives no statement."""

    text: str  # the sentence
    about: frozenset[str]  # stems of all that it is about: thing, attribute, part, environment
    attribute: str = ""  # class of the verb, as "price" or "use"; "" for "is"
    value: str = ""  # as written
    kind: str = ""  # of the value: time, weekday, date, number, name, word
    values: tuple[Value, ...] = ()  # all typed values: a weekday and a time
    prepositions: tuple[str, ...] = ()  # before the value: "in" Berlin
    qualifiers: frozenset[str] = frozenset()  # stems that limit it to a part: "guest", "staging"
    speaker: str = ""  # "i" or "we", if it is about its speaker
    old_value: str = ""  # the previous value, if the sentence names it: "from 10 to 12"
    changes: bool = False  # it states that the value is new
    hedged: bool = False  # a guess or hearsay
    question: bool = False
    plan: bool = False  # a plan, a wish, a condition, a proposal
    quotation: bool = False
    past: bool = False  # how it was
    negated: bool = False
    measured: bool = False  # a reading or the state of one day
    listed: bool = False  # one of several values
    vague: bool = False  # of no certain thing: "another server"

    @property
    def holds(self) -> bool:
        """Whether it states, perhaps with doubt, how one certain thing is or is not. Readings count."""
        return not (self.question or self.plan or self.quotation or self.past or self.listed or self.vague)
