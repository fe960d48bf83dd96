"""Read the verb group of a clause: "has been moved to" gives the predicate `moved_to` and where the object begins.

A negation, a possibility ("may", "could") and a verb of saying give none.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import DETERMINERS, AnnotatedText, is_named
from jotsam.pipeline.facts.verb_forms import PARTICIPLE, PAST, PLAIN, REPORTING, SINGULAR, third_person, uses_of

IS = "is"
FINITE_AUXILIARIES = frozenset(("is", "are", "was", "were", "has", "have", "had", "will", "am"))
BE = frozenset(("is", "are", "was", "were", "am", "be", "been", "being"))
_HAVE = frozenset(("has", "have", "had"))
PREPOSITIONS = gazetteer.word_set(
    "of for to from in on at by with without into onto over via per between through under against about as across"
)
PARTICLES = frozenset(("up", "out", "down", "off", "away", "back"))
_ADVERBS = gazetteer.word_set(
    """
    also already currently now still always just recently finally internally usually mainly primarily mostly therefore
    then both actually only automatically simply today even soon officially all
    """
)
POSSIBLE = frozenset(("may", "might", "could", "would", "shall", "should", "can", "cannot", "ought"))
NEGATIONS = frozenset(
    ("not", "never", "no", "nor", "neither", "none", "nothing", "nobody", "hardly", "without", "cannot")
)
QUANTITIES = gazetteer.word_set(
    """
    two three four five six seven eight nine ten every each fewer more less several many most all another half both
    plain raw new old
    """
)
_INTENTIONS = {"plan": "plans_to", "want": "wants_to", "need": "needs_to", "decide": "decided_to", "intend": "plans_to"}
_ADJECTIVES = gazetteer.word_set(
    """
    similar compatible available responsible faster slower easier better worse identical equivalent dependent specific
    limited open closed free safe ready full independent subject due unique native common suitable useful ideal
    """
)
# What a clause may end with after "is" and be understood.
_STATES = gazetteer.word_set(
    """
    deprecated required optional experimental idempotent immutable mandatory stateless thread-safe read-only free
    open-source unmaintained unsupported obsolete archived available stable vegetarian vegan pregnant
    retired allergic left-handed colour-blind
    """
)
_ADJECTIVE_ENDINGS = ("able", "ible", "ant", "ent", "ful", "ive", "ous")
# What follows their object belongs to it: "enables the client to retry".
COMPLEMENTED = gazetteer.word_set(
    """
    enables allows helps causes forces wants needs requires encourages makes enabled allowed helped caused forced
    wanted needed required encouraged made keeps kept
    """
)


class VerbGroup(Record):
    """A predicate and where its object begins."""

    predicate: str
    start: int  # of the object
    is_copula: bool = False  # "is": what follows describes the subject
    is_passive: bool = False
    is_state: bool = False  # one word that is enough: "deprecated"
    is_by: bool = False  # passive with "by": the object did it
    is_intention: bool = False  # the object begins with a verb
    is_known: bool = True  # the verb is in `verb_forms`


def after_adverbs(annotated: AnnotatedText, at: int) -> int:
    """The index of the first word from `at` on that is not an adverb."""
    prose = annotated.prose
    while at < len(prose.words) and prose.gaps[at] == " " and is_adverb(prose.words[at]):
        at += 1
    return at


def is_adverb(word: str) -> bool:
    return word in _ADVERBS or (
        word.endswith("ly") and word.islower() and len(word) > 4 and word not in ("only", "reply")
    )


def verb_group(annotated: AnnotatedText, at: int, *, auxiliary: str = "", is_person: bool = False) -> VerbGroup | None:
    """The verb group that begins with word `at`, after an auxiliary that was part of the subject ("we've")."""
    prose = annotated.prose
    last, plans = auxiliary, auxiliary == "will"
    if auxiliary == "rather":
        is_plain = PLAIN in uses_of(joined_word(annotated, at)) and joined_word(annotated, at + 1) not in PREPOSITIONS
        return VerbGroup(predicate="prefers", start=at + 1) if is_plain else None
    for step in range(6):
        at = after_adverbs(annotated, at)
        if at >= len(prose.words) or prose.gaps[at] not in (" ", "," if step == 0 else " ") or prose.in_backticks[at]:
            return _copula(annotated, at) if last in BE else None
        word = prose.lower[at]
        if word in NEGATIONS or word in POSSIBLE or word.endswith("n't"):
            return None
        if word == "will":
            plans = True
        elif word in BE or word in _HAVE:
            last = word
        else:
            break
        at += 1
    if plans:
        if last == "be":
            return VerbGroup(predicate="plans_to", start=at - 1, is_intention=True)
        return _intention(annotated, "plans_to", at) if last in ("", "will") else None
    if last in BE:
        return _after_be(annotated, at, last)
    if last in _HAVE:
        return _after_have(annotated, at, last)
    return _lexical(annotated, at, is_person=is_person)


def _copula(annotated: AnnotatedText, at: int) -> VerbGroup | None:
    """`is` before a name in backticks."""
    is_joined = at < len(annotated.prose.words) and annotated.prose.gaps[at] == " "
    return VerbGroup(predicate=IS, start=at, is_copula=True) if is_joined else None


def _after_be(annotated: AnnotatedText, at: int, last: str) -> VerbGroup | None:
    prose = annotated.prose
    word, following = prose.lower[at], joined_word(annotated, at + 1)
    if word in DETERMINERS or word[0].isdigit() or (prose.words[at][0].isupper() and is_named(annotated, at)):
        return VerbGroup(predicate=IS, start=at, is_copula=True)
    if word in _STATES and following in ("", "and", "but", "since", "because", "for"):
        return VerbGroup(predicate=IS, start=at, is_copula=True, is_state=True)
    if word.endswith("ing") and (plain := _plain_of_ing(word)):
        if last in ("was", "were", "been"):
            return None  # "was working on it" states nothing about now.
        if word == "going" and following == "to":
            return _intention(annotated, "plans_to", at + 2)
        return _with_preposition(annotated, third_person(plain), at + 1) if plain not in REPORTING else None
    if PARTICIPLE in uses_of(word) or (word.endswith("ed") and following in PREPOSITIONS):
        return _passive(annotated, at)
    is_place = following in DETERMINERS or following[:1].isdigit() or is_named(annotated, at + 1)
    if word in ("in", "at") and following and is_place:
        return VerbGroup(predicate="located_in", start=at + 1)
    if word in ("on", "with", "behind", "under", "against", "for") and following:
        return VerbGroup(predicate=f"is_{word}", start=at + 1)
    if following == "to" and _is_infinitive(annotated, at + 2):
        return None
    if following in PREPOSITIONS | {"than"} and (word in _ADJECTIVES or word.endswith(_ADJECTIVE_ENDINGS)):
        return VerbGroup(predicate=f"{word}_{following}", start=at + 2)
    return None


def _passive(annotated: AnnotatedText, at: int) -> VerbGroup | None:
    """A passive needs a preposition; without an agent or a place it states too little."""
    word, following = annotated.prose.lower[at], joined_word(annotated, at + 1)
    if uses_of(word).get(PARTICIPLE, "") in REPORTING or following not in PREPOSITIONS - {"of"}:
        return None
    if following == "by":
        return VerbGroup(predicate=word, start=at + 2, is_passive=True, is_by=True)
    if following == "to" and _is_infinitive(annotated, at + 2):
        return None
    return VerbGroup(predicate=f"{word}_{following}", start=at + 2, is_passive=True)


def _is_infinitive(annotated: AnnotatedText, at: int) -> bool:
    word = joined_word(annotated, after_adverbs(annotated, at))
    return word == "be" or PLAIN in uses_of(word)


def _after_have(annotated: AnnotatedText, at: int, last: str) -> VerbGroup | None:
    word = annotated.prose.lower[at]
    if word == "to":
        return _intention(annotated, "needs_to", at + 1)
    if word == "got":
        return None
    verb = uses_of(word).get(PARTICIPLE)
    if verb is not None:
        return _with_preposition(annotated, word, at + 1) if verb not in REPORTING and verb != "get" else None
    return VerbGroup(predicate="has", start=at) if last != "had" else None  # "had a picnic" is over.


def _lexical(annotated: AnnotatedText, at: int, *, is_person: bool) -> VerbGroup | None:
    word = annotated.prose.lower[at]
    uses = uses_of(word)
    verb = uses.get(SINGULAR) or uses.get(PLAIN) or uses.get(PAST)
    if verb is None:
        is_unknown = word.endswith(("ed", "s")) and annotated.prose.words[at].islower()
        return VerbGroup(predicate=word, start=at + 1, is_known=False) if is_unknown else None
    if joined_word(annotated, at + 1) == "to" and verb in _INTENTIONS:
        return _intention(annotated, _INTENTIONS[verb], at + 2)
    following = joined_word(annotated, at + 1)
    if verb == "get" and following not in DETERMINERS:
        return None
    if following == "to" and _is_infinitive(annotated, at + 2):
        return None
    if verb in REPORTING or verb == "last" or (verb in ("go", "come", "look") and following not in PREPOSITIONS):
        return None
    if PARTICIPLE in uses and joined_word(annotated, at + 1) == "by":
        return VerbGroup(predicate=word, start=at + 2, is_passive=True, is_by=True)
    is_present = SINGULAR in uses or (PLAIN in uses and (PAST not in uses or is_person))
    return _with_preposition(annotated, third_person(verb) if is_present else word, at + 1)


def _intention(annotated: AnnotatedText, predicate: str, at: int) -> VerbGroup | None:
    word = joined_word(annotated, at)
    is_verb = PLAIN in uses_of(word) and uses_of(word)[PLAIN] not in REPORTING
    return VerbGroup(predicate=predicate, start=at, is_intention=True) if is_verb else None


def _with_preposition(annotated: AnnotatedText, predicate: str, at: int) -> VerbGroup | None:
    """The group with the particle and the preposition that follow the verb: "moves to", "sets up"."""
    for words in (PARTICLES, PREPOSITIONS):
        word = joined_word(annotated, at)
        if word in ("about", "over", "around") and joined_word(annotated, at + 1)[:1].isdigit():
            at += 1
        elif word in words:
            predicate, at = f"{predicate}_{word}", at + 1
    if joined_word(annotated, at) == "top" and joined_word(annotated, at + 1) == "of":
        at += 2
    return VerbGroup(predicate=predicate, start=at) if joined_word(annotated, at) else None


def _plain_of_ing(word: str) -> str:
    """The plain form of a known verb: "using" gives "use"; "" if it does not exist."""
    stem = word[:-3]
    doubled = stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem
    return next((form for form in (stem, stem + "e", doubled) if PLAIN in uses_of(form)), "")


def joined_word(annotated: AnnotatedText, at: int) -> str:
    """The word at `at` in lower case if it follows its predecessor directly, else ""."""
    prose = annotated.prose
    return prose.lower[at] if at < len(prose.words) and prose.gaps[at] == " " else ""
