"""Find entities by rules, with precision before recall: a wrong entity links unrelated memories.

A name is accepted if it is well known (technology, organization), by its form ("Acme GmbH", "Dr. Jane O'Neill") or by
its context ("met with", "chose ... over ...", "works at"). A capital letter alone is not evidence, and class and
variable names are not tools.

The rules run in order of precision. A word taken by one rule is not considered by later ones.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from jotsam.core.records import Entity
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.entities.filter import NameTagger, keep_names, sentence_spans
from jotsam.pipeline.entities.name_spans import (
    AMBIGUOUS_TOOLS,
    GIVEN_NAMES,
    KNOWN_PHRASES,
    end_of_name,
    gap_before,
    is_camel,
    is_name,
    word_after,
    word_before,
)
from jotsam.pipeline.entities.people import find_people
from jotsam.pipeline.text.markdown import outline
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import SENTENCE, Prose, Span, tokenize, without_noise
from jotsam.pipeline.text.words import STOP_WORDS

MAX_ENTITIES = 32
# Confidence is the measured precision: 98 of 100 judged names by rules were right, 46 to 78 % of those by the built-in
# tagger (docs/enrichment.md). A spaCy pipeline was not measured and gets the same value as the tagger.
RULE_CONFIDENCE = 0.98
TAGGER_CONFIDENCE = 0.6
# A tagger needs about 1 ms per sentence. A chunk has about 2,000 characters.
MAX_TAGGER_CHARACTERS = 20_000

Finder = Callable[[Prose, set[int]], Iterator[tuple[str, Span]]]

_USE_VERBS = frozenset(
    gazetteer.comma_separated(
        """
        use, uses, used, using, deploy, deployed, deploying, install, installed, installing, adopt, adopted,
        adopting, integrate, integrated, integrating, configured, configuring, upgraded
        """
    )
)
_INSTALL_VERBS = frozenset(("install", "installed", "deploy", "deployed", "adopt", "adopted"))
_CHOICE_VERBS = frozenset(("chose", "chosen", "choose", "picked", "selected", "adopted", "evaluated", "replaced"))
_MIGRATION_VERBS = frozenset(("migrated", "migrate", "migrating", "switched", "switch", "switching", "ported"))
_BEFORE_A_TOOL = _USE_VERBS | _CHOICE_VERBS | {"with", "via", "over", "vs", "versus", "than", "like"}
_LANGUAGE_PREPOSITIONS = frozenset(("in", "from", "to"))
_LANGUAGES = frozenset(("go", "r", "c", "d", "rust", "swift", "ruby", "dart", "julia", "lua", "elm", "nim", "bash"))
_AFTER_A_TOOL = frozenset(
    gazetteer.comma_separated(
        """
        code, programming, language, compiler, developer, developers, module, modules, package, crate, sdk, api,
        app, plugin, framework, library, backend, service, bot, extension
        """
    )
)
_JOINING_WORDS = frozenset(("and", "or", "with", "vs", "versus", "over", "than", "plus"))
_COMPARING_WORDS = frozenset(("vs", "versus", "over"))

_COMPANY_FORMS = frozenset(
    ("inc", "gmbh", "ltd", "llc", "corp", "corporation", "ag", "plc", "labs", "university", "institute", "foundation")
)
_JOINING_VERBS = frozenset(("joined", "joining", "joins"))
_EMPLOYMENT_WORDS = frozenset(
    ("works", "work", "worked", "working", "employed", "job", "engineer", "interned", "hired")
)

_CLASS_ENDINGS = gazetteer.comma_separated(
    """
    Service, Handler, Manager, Controller, Factory, Provider, Repository, Client, Exception, Error, Test, Impl,
    Adapter, Builder, Helper, Model, View, Component, Config, Context, Listener, Request, Response, Type,
    Record, Worker, Agent, Interface, Mixin, Event, Job, Task, Queue, Store, Server, Parser, Writer, Reader,
    Loader, Engine, Node, Edge, Protocol, Extractor, Embedder, Result, Settings, Options, Params, State,
    Message, Session, Pool, Field, Set, List, Map, Dict, Id, Key, Value, Form, Backend, Middleware, Connector,
    Ops, Kind, Status, Unit, Entity, Relation, Row, Memory, Document, Chunk
    """
)
_FILE_ENDINGS = frozenset(
    gazetteer.comma_separated(
        """
        py, md, js, ts, tsx, json, jsonl, yml, yaml, toml, txt, sh, db, sql, html, css, csv, log, env, lock, cfg,
        ini, rs, go, java, gz, zip, pdf, png, svg
        """
    )
)


def find_entities(text: str, *, tagger: NameTagger | None = None) -> tuple[Entity, ...]:
    """The entities of a text in order of appearance, at most 32, unique by category and slug. Lines must end in LF.

    Categories are people, organizations, tools, concepts and projects. A `tagger` adds names from plain prose that the
    rules do not know; where both find a name, the rule wins.
    """
    prose = tokenize(text)
    by_rules = _by_rules(prose)
    found = [(prose.offsets[start], _entity(prose, category, (start, end))) for (start, end), category in by_rules]
    if tagger is not None:
        taken = [
            (prose.offsets[start], prose.offsets[end - 1] + len(prose.words[end - 1])) for (start, end), _ in by_rules
        ]
        found += _by_tagger(text, tagger, taken, {entity.slug for _, entity in found})
    unique: dict[tuple[str, str], Entity] = {}
    for _, entity in sorted(found, key=lambda place: place[0]):
        if entity.slug and len(unique) < MAX_ENTITIES:
            unique.setdefault((entity.category, entity.slug), entity)
    return tuple(unique.values())


def _by_rules(prose: Prose) -> list[tuple[Span, str]]:
    taken: set[int] = set()
    found: list[tuple[Span, str]] = []
    for find in _FINDERS:
        for category, (start, end) in find(prose, taken):
            if taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                found.append(((start, end), category))
    return found


def _by_tagger(text: str, tagger: NameTagger, taken: list[Span], slugs: set[str]) -> Iterator[tuple[int, Entity]]:
    """Offset and entity of names that only the tagger finds. A name keeps its first category in the text.

    `taken` are the spans of the entities by rules, which are disjoint.
    """
    text, taken = text[:MAX_TAGGER_CHARACTERS], sorted(taken)
    readable = without_noise(text, outline(text).fences)
    categories: dict[str, str] = {}
    for begin, stop, is_trusted in sentence_spans(readable):
        for category, start, end in keep_names(readable, begin, tagger(readable[begin:stop]), is_trusted=is_trusted):
            name_slug = slug(text[start:end])
            if not _overlaps(taken, start, end) and name_slug and name_slug not in slugs:
                category = categories.setdefault(name_slug, category)
                name = " ".join(text[start:end].split())
                found = Entity(category=category, slug=name_slug, name=name)
                yield start, found.replace(confidence=TAGGER_CONFIDENCE, extractor=tagger.name)


def _overlaps(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether one of the sorted, disjoint spans has a character from `start` to `end`."""
    at = bisect_left(spans, end, key=itemgetter(0))
    return at > 0 and spans[at - 1][1] > start


def _entity(prose: Prose, category: str, span: Span) -> Entity:
    start, end = span
    parts = [prose.words[start]]
    for at in range(start + 1, end):
        parts += (". " if prose.gaps[at] == SENTENCE else " ", prose.words[at])
    name = "".join(parts)
    name_slug = slug(name)
    canonical = gazetteer.CANONICAL.get(name_slug, name_slug)
    return Entity(category=category, slug=canonical, name=name, confidence=RULE_CONFIDENCE)


def _projects(prose: Prose, taken: set[int]) -> Iterator[tuple[str, Span]]:
    """Matches "Project Launchpad", "project: jotsam", "project called Jotsam", "project `jotsam`"."""
    for at, word in enumerate(prose.lower[:-1]):
        if word != "project" or prose.in_heading[at]:
            continue
        start = at + 1
        is_introduced = prose.lower[start] in ("called", "named") and start + 1 < len(prose.words)
        start += is_introduced
        is_quoted = prose.in_backticks[start] and not prose.in_backticks[at]
        is_label = prose.gaps[start] == ":" and (gap_before(prose, start + 1) != " " or "-" in prose.words[start])
        if prose.lower[start] in gazetteer.NOT_PROJECTS or prose.lower[start] in STOP_WORDS:
            continue
        if is_label or (prose.gaps[start] == " " and (is_introduced or is_quoted)):
            yield "projects", (start, max(start + 1, end_of_name(prose, start)) if is_introduced else start + 1)
        elif prose.gaps[start] == " " and (is_name(prose.words[start]) or is_camel(prose.words[start])):
            yield "projects", (start, max(start + 1, end_of_name(prose, start)))


def _companies(prose: Prose, taken: set[int]) -> Iterator[tuple[str, Span]]:
    """Matches "Acme Robotics GmbH", "University of Oxford"."""
    for at, word in enumerate(prose.lower):
        if word not in _COMPANY_FORMS or prose.in_heading[at] or not prose.words[at][0].isupper():
            continue
        start = at
        while start > 0 and at - start < 3 and prose.gaps[start] in (" ", ",") and _is_part_of_name(prose, start - 1):
            start -= 1
        is_of_place = word in ("university", "institute") and prose.lower[at + 1 : at + 2] == ("of",)
        if is_of_place and at + 2 < len(prose.words) and is_name(prose.words[at + 2]):
            yield "organizations", (start, max(at + 3, end_of_name(prose, at + 2)))
        elif start < at:
            yield "organizations", (start, at + 1)


def _known_names(prose: Prose, taken: set[int]) -> Iterator[tuple[str, Span]]:
    """Matches names of the gazetteer; ambiguous ones only in a technical context."""
    for at, word in enumerate(prose.lower):
        for words, category in KNOWN_PHRASES.get(word, ()):
            end = at + len(words)
            if prose.lower[at:end] != words or any(gap != " " for gap in prose.gaps[at + 1 : end]):
                continue
            if _is_in_context(prose, taken, (at, end), category):
                yield category, (at, end)
                break


def _is_in_context(prose: Prose, taken: set[int], span: Span, category: str) -> bool:
    start, end = span
    word = prose.words[start]
    if category == "concepts":
        return True
    if category == "organizations":
        return word[0].isupper() or word[0].isdigit()
    phrase = " ".join(prose.lower[start:end])
    if phrase not in AMBIGUOUS_TOOLS:
        return phrase not in gazetteer.CAPITALISED or word[0].isupper()
    return word[0].isupper() and not prose.in_heading[start] and _is_about_tools(prose, taken, span)


def _is_about_tools(prose: Prose, taken: set[int], span: Span) -> bool:
    """Whether the words around an ambiguous name are about technology."""
    start, end = span
    before, after = word_before(prose, start), word_after(prose, end)
    if before in _BEFORE_A_TOOL or after in _AFTER_A_TOOL:
        return True
    if before in _LANGUAGE_PREPOSITIONS and prose.lower[start] in _LANGUAGES:
        return True
    is_listed_before = start - 1 in taken and prose.gaps[start] in (",", "/")
    is_joined_before = before in _JOINING_WORDS and start - 2 in taken
    is_joined_after = after in _JOINING_WORDS and _is_plain_tool(prose, end + 1)
    is_listed_after = gap_before(prose, end) in (",", "/") and _is_plain_tool(prose, end)
    return is_listed_before or is_joined_before or is_joined_after or is_listed_after


def _is_plain_tool(prose: Prose, at: int) -> bool:
    if at >= len(prose.words) or prose.lower[at] in AMBIGUOUS_TOOLS:
        return False
    return any(len(words) == 1 and category == "tools" for words, category in KNOWN_PHRASES.get(prose.lower[at], ()))


def _employers(prose: Prose, taken: set[int]) -> Iterator[tuple[str, Span]]:
    """Matches "works at 3M", "an engineer at Initech", "joined Globex", "Tomas Lindqvist of Ericsson"."""
    for at, word in enumerate(prose.lower[:-1]):
        is_at = word in ("at", "for") and any(verb in _EMPLOYMENT_WORDS for verb in prose.lower[max(0, at - 3) : at])
        is_at = is_at and (word == "at" or word_before(prose, at) in ("works", "worked", "working"))
        start = at + 1
        is_of = word == "of" and _is_full_name(prose, at)
        if not (is_at or is_of or word in _JOINING_VERBS) or prose.gaps[start] != " " or prose.in_heading[at]:
            continue
        if slug(prose.words[start]) in GIVEN_NAMES or not _is_part_of_name(prose, start):
            continue
        end = start + 1
        while end < min(len(prose.words), start + 3) and prose.gaps[end] == " " and _is_part_of_name(prose, end):
            end += 1
        yield "organizations", (start, end)


def _is_full_name(prose: Prose, end: int) -> bool:
    """Whether the two words before `end` are a known given name and a surname."""
    if end < 2 or prose.gaps[end - 1 : end + 1] != (" ", " "):
        return False
    return slug(prose.words[end - 2]) in GIVEN_NAMES and is_name(prose.words[end - 1])


def _tools_in_context(prose: Prose, taken: set[int]) -> Iterator[tuple[str, Span]]:
    """Matches unknown names in a context that requires a tool."""
    for at, word in enumerate(prose.words):
        if word.islower() and not prose.in_backticks[at]:
            continue
        if at in taken or at == 0 or prose.in_heading[at] or prose.gaps[at] not in (" ", ",", "/"):
            continue
        end = at + 1
        if prose.in_backticks[at]:
            found = _is_installed(prose, taken, at) and _is_command_name(prose, at)
        elif is_camel(word):
            found = _is_in_place_of_tool(prose, taken, at)
        else:
            end = end_of_name(prose, at)
            found = end > at and slug(word) not in GIVEN_NAMES and _is_chosen(prose, taken, (at, end))
        if found and (end > at + 1 or not _is_class(word)):
            yield "tools", (at, end)


def _is_in_place_of_tool(prose: Prose, taken: set[int], at: int) -> bool:
    before = word_before(prose, at)
    is_listed = (prose.gaps[at] in (",", "/") and at - 1 in taken) or (before in _JOINING_WORDS and at - 2 in taken)
    return is_listed or before in _BEFORE_A_TOOL or _is_moved_to(prose, at)


def _is_chosen(prose: Prose, taken: set[int], span: Span) -> bool:
    """Whether the context is "chose X", "switched to X", "PostgreSQL over X" or "using X Y".

    A single capitalised word after "using" is not enough evidence.
    """
    start, end = span
    before = word_before(prose, start)
    if (
        before in _CHOICE_VERBS
        or _is_moved_to(prose, start)
        or (before == "use" and "decided" in _nearby(prose, start))
    ):
        return True
    if before in _COMPARING_WORDS or (before == "of" and word_before(prose, start - 1) == "instead"):
        return start - 2 in taken or start - 3 in taken
    if word_after(prose, end) in _COMPARING_WORDS and end + 1 in taken:
        return True
    return before in _USE_VERBS and end > start + 1


def _is_moved_to(prose: Prose, at: int) -> bool:
    return word_before(prose, at) in ("to", "from") and any(word in _MIGRATION_VERBS for word in _nearby(prose, at))


def _is_installed(prose: Prose, taken: set[int], at: int) -> bool:
    is_listed = word_before(prose, at) in _JOINING_WORDS and at - 2 in taken and prose.in_backticks[at - 2]
    return is_listed or word_before(prose, at) in _CHOICE_VERBS | _INSTALL_VERBS or _is_moved_to(prose, at)


def _nearby(prose: Prose, at: int) -> Sequence[str]:
    return prose.lower[max(0, at - 5) : at]


def _is_command_name(prose: Prose, at: int) -> bool:
    """Whether it is one lower-case word of letters, digits and hyphens, not a call, option, file or variable."""
    alone = not prose.in_backticks[at - 1] and not any(prose.in_backticks[at + 1 : at + 2])
    word = prose.words[at]
    is_plain = word.replace("-", "").isalnum() and word.islower() and len(word) > 1
    return alone and is_plain and prose.gaps[at] == " "


def _is_class(word: str) -> bool:
    return word.endswith(_CLASS_ENDINGS) or "_" in word or word.rpartition(".")[2].lower() in _FILE_ENDINGS


def _is_part_of_name(prose: Prose, at: int) -> bool:
    """Whether the word can be part of an organization name: capitalised, an acronym, or with digits."""
    word, lower = prose.words[at], prose.lower[at]
    if lower in STOP_WORDS or lower in gazetteer.NOT_NAMES or prose.in_backticks[at] or "_" in word:
        return False
    return word[0].isupper() or (word[0].isdigit() and word[-1].isupper())


_FINDERS: tuple[Finder, ...] = (_projects, _companies, _known_names, _employers, find_people, _tools_in_context)
