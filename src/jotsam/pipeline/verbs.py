"""The verbs by which `facts` knows a fact, as plain data: their predicate, and what may follow them.

A verb stands here when a sentence with it says the same in nearly every text. This room holds no rule.
"""

from __future__ import annotations

from jotsam.records import Record

NAMED, PHRASE, CLAUSE_OBJECT = "named", "phrase", "clause"


class Verb(Record):
    """Words that say a predicate, and what may follow: a name, a short phrase, or a clause."""

    words: tuple[str, ...]
    predicate: str
    takes: str


def _verbs() -> dict[str, list[Verb]]:
    """Every verb by its first word, the longest first."""
    table: dict[str, list[Verb]] = {}
    for line in _VERBS.strip().splitlines():
        head, _, phrases = line.partition(":")
        predicate, takes = head.split()
        for phrase in phrases.split(","):
            words = tuple(phrase.split())
            table.setdefault(words[0], []).append(Verb(words=words, predicate=predicate, takes=takes))
    for verbs in table.values():
        verbs.sort(key=lambda verb: -len(verb.words))
    return table


_VERBS = """
uses named: uses, use, is using, are using, am using
depends_on named: depends on, depend on, relies on, rely on, requires, require
supports named: supports, support
defaults_to phrase: defaults to, default to
uses_no_more named: no longer uses, no longer use, stopped using
prefers phrase: prefers, prefer, likes, loves, like, love, enjoy, enjoys
dislikes phrase: dislikes, hates, dislike, hate
replaced_by named: is replaced by, was replaced by, were replaced by, been replaced by, was superseded by
replaces named: replaces, replaced, supersedes, superseded
decided clause: decided to, agreed to
decided phrase: decided on, chose, opted for, settled on, went with
rejected phrase: decided against, ruled out
migrated_to named: migrated to, switched to, ported to
migrated_from named: migrated from, switched from, moved from
moved_to named: moved to, relocated to
lives_in named: lives in, live in, is based in, am based in
located_in named: is located in
works_at named: works at, work at, works for, work for, joined
responsible_for phrase: is responsible for, are responsible for, am responsible for, maintains
owns phrase: owns, own
part_of named: is part of, are part of, belongs to
written_in named: is written in, was written in, are written in
runs_on named: runs on, run on, is hosted on, is deployed on, is deployed to
created_by named: was created by, was written by, was built by, was developed by, is maintained by
married_to named: is married to
born_in named: was born in
named named: is called, is named
is clause: is a, is an, am a, am an, is the, i'm a, i'm an, i’m a, i’m an
"""

BY_FIRST_WORD = _verbs()
