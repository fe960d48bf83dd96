"""The words of a sentence that states a change, by its language."""

from __future__ import annotations

from functools import cache

from jotsam.core.records import Record
from jotsam.pipeline.languages import by_code
from jotsam.pipeline.languages.language import table, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Grammar(Record):
    """The closed classes of a language, in the form of `sentences.plain`."""

    code: str
    function: frozenset[str]
    first: frozenset[str]
    plural: frozenset[str]
    pronouns: frozenset[str]
    prepositions: frozenset[str]
    places: frozenset[str]
    negations: frozenset[str]
    indefinite: frozenset[str]
    classes: Mapping[str, str]  # of verbs of state


@cache
def grammar(code: str) -> Grammar:
    one = by_code(code)
    classes = {word: name for name, forms in table(one.states).items() for word in forms.split()}
    return Grammar(
        code=code,
        function=words(one.function),
        first=words(one.first_person),
        plural=words(one.group),
        pronouns=words(one.pronouns),
        prepositions=words(one.prepositions),
        places=words(one.places),
        negations=words(one.negations),
        indefinite=words(one.indefinite),
        classes=classes,
    )


FUNCTIONAL = frozenset(table(by_code("en").states)) - {"have"}  # verbs of states of which a subject has one at a time
