"""The verbs that `sentences` recognises, as data: their predicate and what may follow them.

A verb is listed if it has the same meaning in nearly every text.
"""

from __future__ import annotations

from jotsam.core.records import Record

NAMED, PHRASE, CLAUSE, STATE = "named", "phrase", "clause", "state"


class Verb(Record):
    """The words of a verb, its predicate, and what it takes: names, a short phrase, a clause, or nothing (a state)."""

    words: tuple[str, ...]
    predicate: str
    takes: str
    needs_person: bool = False  # the subject is "I", "we" or a person's name
    is_passive: bool = False  # the subject follows: "is owned by Ana"
    is_plural: bool = False  # may have several subjects
    includes_subject: bool = False  # as in "I'm a ..."


def _verbs() -> dict[str, list[Verb]]:
    """The verbs by first word, longest first."""
    table: dict[str, list[Verb]] = {}
    for line in _VERBS.strip().splitlines():
        head, _, phrases = line.partition(":")
        predicate, takes, *marks = head.split()
        for each in phrases.split(","):
            words = tuple(each.split())
            verb = Verb(
                words=words,
                predicate=predicate,
                takes=takes,
                needs_person="people" in marks,
                is_passive="turned" in marks,
                is_plural=words[0] in _BASE_FORMS or words[0] == "are",
                includes_subject="'" in words[0],
            )
            table.setdefault(words[0], []).append(verb)
    for verbs in table.values():
        verbs.sort(key=lambda verb: -len(verb.words))
    return table


# Forms without "s": plural, or after "I" and "we".
_BASE_FORMS = frozenset(
    """
    use depend rely require support default implement extend wrap provide offer expose contain include consist store
    return accept generate emit handle control read write connect listen live manage run belong prefer like love enjoy
    adore dislike hate work own study teach play volunteer come
    """.split()  # noqa: SIM905 - sixty quoted words are harder to read than their text
)
_VERBS = """
uses phrase: uses, use, is using, are using, am using, is built with, is built on, is powered by, is backed by
uses phrase: are built with, are built on, are powered by, are backed by, is built on top of
depends_on phrase: depends on, depend on, relies on, rely on, requires, require, needs
supports phrase: supports, support
defaults_to phrase: defaults to, default to
uses_no_more named: no longer uses, no longer use, stopped using
implements phrase: implements, implement
extends named: extends, wraps, extend, wrap
provides phrase: provides, provide, offers, offer, exposes, expose
has phrase: contains, contain, includes, include, consists of, consist of
stores phrase: stores, store, persists
stores_in phrase: is stored in, are stored in, is saved in, are saved in, is persisted in, are persisted in
returns phrase: returns, return
accepts phrase: accepts, accept
produces phrase: produces, generates, emits, generate, emit
handles phrase: handles, handle
controls phrase: controls, control
reads_from phrase: reads from, read from
writes_to phrase: writes to, write to
connects_to named: connects to, connect to, talks to
listens_on phrase: listens on, listen on, binds to
located_in phrase: is located in, are located in, lives under, live under
configured_by phrase: is configured via, is configured by, is configured with, are configured via, is controlled by
configured_by phrase: are controlled by, is set via, are configured by
is state: is deprecated, is required, is optional, is read-only, is experimental, is idempotent, is append-only
is state: is stateless, is opt-in, is mandatory, is immutable, is thread-safe, is backward compatible, is out of scope
is state: is enabled by default, is disabled by default, is off by default, is on by default, is open source
is state: are deprecated, are required, are optional, are read-only, are experimental, are idempotent, are immutable
is state: are append-only, are enabled by default, are disabled by default, are off by default, are out of scope
prefers phrase people: prefers, prefer, likes, loves, like, love, enjoy, enjoys
prefers phrase people: i'm a fan of, i'm a big fan of, i'm a huge fan of, i'm into, i'm really into
prefers phrase people: i'm passionate about, is passionate about, am passionate about
prefers phrase people: adore, adores, i'm interested in, am interested in
dislikes phrase people: dislikes, hates, dislike, hate
replaced_by named: is replaced by, was replaced by, were replaced by, been replaced by, was superseded by
replaces phrase: replaces, supersedes
replaces named: replaced, superseded
decided clause: decided to, agreed to
decided phrase: decided on, chose, opted for, settled on, went with
rejected phrase: decided against, ruled out
migrated_to named: migrated to, switched to, ported to
migrated_from named: migrated from, switched from, moved from
moved_to named people: moved to, relocated to
lives_in named people: lives in, live in, is based in, am based in, i'm based in
located_in named: is located in
from named people: is from, am from, i'm from, grew up in, comes from, come from
works_at named people: works at, work at, works for, work for
works_as phrase people: works as, work as, is working as, am working as, i'm working as
works_on phrase people: works on, work on, is working on, am working on, i'm working on, been working on
works_on phrase people: i've been working on
responsible_for phrase: is responsible for, are responsible for, am responsible for, i'm responsible for, maintains
responsible_for phrase: manages, manage
responsible_for named turned: is maintained by, are maintained by, is managed by, is led by
owns phrase: owns, own
owns named turned: is owned by, are owned by
studies phrase people: studies, study, is studying, am studying, i'm studying
learns phrase people: is learning, am learning, i'm learning, been learning, i've been learning
teaches phrase people: teaches, teach, am teaching, i'm teaching
plays phrase people: plays, play
reads phrase people: am reading, i'm reading, i've been reading, been reading, i'm currently reading
watched phrase people: watched, rewatched
finished phrase people: finished reading, finished rereading, finished watching
visited phrase people: visited, traveled to, travelled to, flew to, been to, i've been to
went_to phrase people: went to
attended phrase people: attended, took part in, participated in, competed in
joined phrase people: joined, signed up for, enrolled in
volunteered_at phrase people: volunteered at
volunteers_at phrase people: volunteers at, volunteer at, am volunteering at, i'm volunteering at
bought phrase people: bought, purchased
adopted phrase people: adopted
started phrase people: started, founded, launched, opened
finished phrase people: finished, completed
won phrase people: won
created phrase people: painted, built, baked, wrote, designed, created, made
organized phrase people: organized, organised, hosted
allergic_to phrase people: am allergic to, i'm allergic to, is allergic to
part_of named: is part of, are part of, belongs to, belong to
written_in named: is written in, was written in, are written in, is implemented in
runs_on named: runs on, run on, is hosted on, is deployed on, is deployed to, are hosted on, are deployed on
created_by named: was created by, was written by, was built by, was developed by
married_to named people: is married to, am married to, i'm married to
born_in named people: was born in
named named: is called, is named
is clause: is a, is an, am a, am an, is the, i'm a, i'm an
"""

BY_FIRST_WORD = _verbs()
