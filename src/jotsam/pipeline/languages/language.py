"""The record of a language: its words and patterns, as data for all that read texts.

Words are separated by blanks, alternatives of a pattern by "|". Where the comment says "plain", words have no
diacritics but "à". A field that is not given holds nothing.
"""

from __future__ import annotations

from jotsam.core.records import Record

MIN_NAME = 4  # letters of a name that is no abbreviation


class Language(Record):
    """All words of one language."""

    code: str

    # Dates
    months: str  # twelve, separated by "|": names and abbreviations
    weekdays: str  # seven, Monday first
    numbers: str  # from one
    units: str  # "day: forms" per line: of time, money, data, length, weight
    more_numbers: str = ""  # plain
    counts: str = ""  # other words for a number: "dozen", "twice"
    times: str = ""  # words for a time: "yesterday", "last"
    day_parts: str = ""  # plain; names of times of a day or a year
    relative: tuple[tuple[str, str], ...] = ()  # times and their patterns: "day -1", "week -1"
    ago: str = ""  # with "{}" for the number and the unit: "vor {}"; several separated by "|"
    ahead: str = ""
    last_weekday: str = ""  # with "{}" for the day
    next_weekday: str = ""
    range_to: str = ""
    nouns_are_capitalised: bool = False
    senses: tuple[tuple[str, str], ...] = ()  # and prepositions before a date; without spaces, what follows it
    between: str = ""
    ordinals: str = ""  # pattern of what follows the number of a day
    oclock: str = ""
    morning: str = ""
    afternoon: str = ""
    counters: str = ""  # words between a number and what it counts
    millions: str = ""
    until: str = ""  # what precedes a date, without spaces

    # Words of sentences
    unambiguous: str = ""  # function words that no other language has
    articles: str = ""
    indefinite: str = ""  # what follows them is a description, not a value
    first_person: str = ""  # "I", "my"
    group: str = ""  # "we", "our"
    second_person: str = ""
    pronouns: str = ""  # plain; of things that another sentence names
    function: str = ""  # plain; carry no subject, attribute or value
    stop_words: str = ""  # not searched for
    of: str = ""  # joins a thing to its owner
    prepositions: str = ""  # plain
    parts: str = ""  # prepositions that limit a statement to a part: "for guests"
    places: str = ""  # plain; prepositions of places and times
    means: str = ""  # plain; prepositions of what is used
    employers: str = ""  # plain; prepositions between a work and its employer
    negations: str = ""  # plain
    conjunction: str = ""
    joins: str = ""  # pattern; between two values
    that: str = ""
    vague: str = ""  # "another", "some": not one certain thing
    definite: str = ""  # plain pattern of articles and possessives
    placed: str = ""  # their place decides what they deny or limit
    pointing: str = ""  # what begins with them speaks of something before it
    momentary: str = ""  # plain; another time on another day
    contractions: tuple[tuple[str, str], ...] = ()  # patterns, and the words in full
    elisions: str = ""
    kept: str = ""  # pattern, without spaces: words that hold the characters of a verb
    question_ends: str = ""
    abbreviations: str = ""

    # Verbs
    states: str = ""  # plain; "class: verbs" per line. A subject has one such state at a time
    told: str = ""  # plain; other verbs that only this language has
    reported: str = ""  # what precedes what another person said

    # Things and their values
    synonyms: str = ""  # "name: words" per line, so that "the price of X" and "X costs" are one attribute
    attributes: str = ""  # plain; nouns of which a thing has one. "The colour is red" excludes another colour
    settings: str = ""  # what is set and not measured: "limit: 64"
    measured: str = ""  # what is measured again and again: readings of two days do not contradict each other
    environments: str = ""
    no_units: str = ""  # words after a number that are not its unit

    # How sure a sentence is
    hedges: str = ""
    hearsay: str = ""  # words of doubt that can be left out
    doubts: str = ""  # those that take the place of the copula
    past: str = ""
    events: str = ""  # forms of verbs for single events
    today: str = ""

    # Cues of change, plain. Groups: s (what it is about), o (the rest of that), old, new, p (what ended)
    change_forms: str = ""
    end_forms: str = ""
    replaces: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    renames: str = ""
    moved: str = ""
    correction: str = ""
    state: str = ""  # what is new: "now"
    cue_words: str = ""  # one of them is in each sentence that states a change
    cue_characters: str = ""
    guards: str = ""  # a sentence with one asks, plans, wishes, supposes, quotes, adds, compares or takes back
    own_guards: str = ""  # those that are other words in another language
    guard_stems: str = ""
    guard_phrases: str = ""
    no_guards: str = ""  # where a guard is none
    lead: str = ""  # labels before a sentence
    since: str = ""
    open_label: str = ""  # labels of what is not decided
    as_said: str = ""
    interjection: str = ""
    opens_vaguely: str = ""  # a sentence that begins so speaks of no certain thing
    reason: str = ""
    afterthought: str = ""

    # Questions and talk
    emphasis: str = ""  # words of what matters
    latest: str = ""  # pattern of words that ask for the latest
    latest_cues: str = ""  # one of them is in each such question; "_" for a blank
    courtesy: str = ""  # words of prompts that name no subject
    talk: str = ""  # words that greet, thank, praise, agree, or go with everything
    function_words: str = ""  # pattern, of a language without spaces. Its first group is kept


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def numbered(names: str, first: int = 0) -> dict[str, int]:
    """The words of a list such as `months`, each with the number of its place."""
    return {word: number for number, found in enumerate(names.split("|"), first) for word in found.split()}


def table(text: str) -> dict[str, str]:
    """The entries of a list of "name: words", one a line; a line without a name continues the one before it."""
    found: dict[str, str] = {}
    name = ""
    for line in text.strip().splitlines():
        key, colon, rest = line.strip().partition(": ")
        name = key if colon else name
        found[name] = f"{found[name]} {key}" if name in found and not colon else rest
    return found


def names_of_days(one: Language) -> list[str]:
    """The weekdays and months of a language without abbreviations, which may be other words."""
    return [word for word in (*numbered(one.weekdays), *numbered(one.months)) if len(word) >= MIN_NAME or word == "may"]
