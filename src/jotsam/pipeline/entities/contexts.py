"""Names by their context or form: "project called X", "Acme GmbH", "works at X", "chose X over Y".

A capital letter alone is not evidence here, and class and variable names are not tools.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.entities.name_spans import (
    GIVEN_NAMES,
    end_of_name,
    gap_before,
    is_camel,
    is_name,
    word_after,
    word_before,
)
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.memoize import memoize_short
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import Prose, Span

USE_VERBS = frozenset(
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
BEFORE_A_TOOL = USE_VERBS | _CHOICE_VERBS | {"with", "via", "over", "vs", "versus", "than", "like"}
AFTER_A_TOOL = frozenset(
    gazetteer.comma_separated(
        """
        code, programming, language, compiler, developer, developers, module, modules, package, crate, sdk, api,
        app, plugin, framework, library, backend, service, bot, extension
        """
    )
)
JOINING_WORDS = frozenset(("and", "or", "with", "vs", "versus", "over", "than", "plus"))
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


def find_projects(prose: Prose, taken: set[int]) -> Iterator[tuple[str, Span]]:
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


def find_companies(prose: Prose, taken: set[int]) -> Iterator[tuple[str, Span]]:
    """Matches "Acme Robotics GmbH", "University of Oxford"."""
    for at, word in enumerate(prose.lower):
        if word not in _COMPANY_FORMS or prose.in_heading[at] or not prose.words[at][0].isupper():
            continue
        start = at
        while start > 0 and at - start < 3 and prose.gaps[start] in (" ", ",") and is_part_of_name(prose, start - 1):
            start -= 1
        is_of_place = word in ("university", "institute") and prose.lower[at + 1 : at + 2] == ("of",)
        if is_of_place and at + 2 < len(prose.words) and is_name(prose.words[at + 2]):
            yield "organizations", (start, max(at + 3, end_of_name(prose, at + 2)))
        elif start < at:
            yield "organizations", (start, at + 1)


def find_employers(prose: Prose, taken: set[int]) -> Iterator[tuple[str, Span]]:
    """Matches "works at 3M", "an engineer at Initech", "joined Globex", "Tomas Lindqvist of Ericsson"."""
    for at, word in enumerate(prose.lower[:-1]):
        is_at = word in ("at", "for") and any(verb in _EMPLOYMENT_WORDS for verb in prose.lower[max(0, at - 3) : at])
        is_at = is_at and (word == "at" or word_before(prose, at) in ("works", "worked", "working"))
        start = at + 1
        is_of = word == "of" and _is_full_name(prose, at)
        if not (is_at or is_of or word in _JOINING_VERBS) or prose.gaps[start] != " " or prose.in_heading[at]:
            continue
        if slug(prose.words[start]) in GIVEN_NAMES or not is_part_of_name(prose, start):
            continue
        end = start + 1
        while end < min(len(prose.words), start + 3) and prose.gaps[end] == " " and is_part_of_name(prose, end):
            end += 1
        yield "organizations", (start, end)


def _is_full_name(prose: Prose, end: int) -> bool:
    """Whether the two words before `end` are a known given name and a surname."""
    if end < 2 or prose.gaps[end - 1 : end + 1] != (" ", " "):
        return False
    return slug(prose.words[end - 2]) in GIVEN_NAMES and is_name(prose.words[end - 1])


def find_tools(prose: Prose, taken: set[int]) -> Iterator[tuple[str, Span]]:
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
        if found and (end > at + 1 or not is_class(word)):
            yield "tools", (at, end)


def _is_in_place_of_tool(prose: Prose, taken: set[int], at: int) -> bool:
    before = word_before(prose, at)
    is_listed = (prose.gaps[at] in (",", "/") and at - 1 in taken) or (before in JOINING_WORDS and at - 2 in taken)
    return is_listed or before in BEFORE_A_TOOL or _is_moved_to(prose, at)


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
    return before in USE_VERBS and end > start + 1


def _is_moved_to(prose: Prose, at: int) -> bool:
    return word_before(prose, at) in ("to", "from") and any(word in _MIGRATION_VERBS for word in _nearby(prose, at))


def _is_installed(prose: Prose, taken: set[int], at: int) -> bool:
    is_listed = word_before(prose, at) in JOINING_WORDS and at - 2 in taken and prose.in_backticks[at - 2]
    return is_listed or word_before(prose, at) in _CHOICE_VERBS | _INSTALL_VERBS or _is_moved_to(prose, at)


def _nearby(prose: Prose, at: int) -> Sequence[str]:
    return prose.lower[max(0, at - 5) : at]


def _is_command_name(prose: Prose, at: int) -> bool:
    """Whether it is one lower-case word of letters, digits and hyphens, not a call, option, file or variable."""
    alone = not prose.in_backticks[at - 1] and not any(prose.in_backticks[at + 1 : at + 2])
    word = prose.words[at]
    is_plain = word.replace("-", "").isalnum() and word.islower() and len(word) > 1
    return alone and is_plain and prose.gaps[at] == " "


@memoize_short
def is_class(word: str) -> bool:
    return word.endswith(_CLASS_ENDINGS) or "_" in word or word.rpartition(".")[2].lower() in _FILE_ENDINGS


def is_part_of_name(prose: Prose, at: int) -> bool:
    """Whether the word can be part of an organization name: capitalised, an acronym, or with digits."""
    word, lower = prose.words[at], prose.lower[at]
    if lower in STOP_WORDS or lower in gazetteer.NOT_NAMES or prose.in_backticks[at] or "_" in word:
        return False
    return word[0].isupper() or (word[0].isdigit() and word[-1].isupper())
