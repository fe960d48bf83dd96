"""Options of the commands about knowledge: `facts`, `entities`, `patterns`, `projects`, `graph` and `link`."""

from __future__ import annotations

import argparse

from jotsam.core.names import CATEGORIES, LINK_TYPES
from jotsam.surfaces.cli.arguments import ACTOR, LIMIT, Command, add_command, add_limit, date, memory_type, positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands, Parser

PROJECT = "its key, or its label if no other project has that"
MEMORY_ID = "memory: its UUID, the beginning of it, or its external id"


def _patterns(patterns: Parser) -> None:
    patterns.add_argument("--type", type=memory_type, help="only this type, for example Decision")
    patterns.add_argument("--actor", metavar="NAME", help=ACTOR)
    add_limit(patterns, "patterns")


def _facts(facts: Parser) -> None:
    facts.add_argument("words", nargs="*", metavar="WORD", help="word in the subject or object")
    facts.add_argument("--subject", metavar="TEXT", help="only facts whose subject contains this text")
    about = "only this predicate, for example uses, prefers, decided or depends on"
    facts.add_argument("--predicate", metavar="TEXT", help=about)
    facts.add_argument("--object", metavar="TEXT", help="only facts whose object contains this text")
    facts.add_argument("--project", metavar="NAME", help="only facts from memories of this project")
    facts.add_argument("--actor", metavar="NAME", help=ACTOR)
    facts.add_argument("--history", action="store_true", help="include facts that are superseded or not valid now")
    facts.add_argument("--archived", action="store_true", help="include facts of archived memories")
    add_limit(facts, "facts")


def _entities(entities: Parser) -> None:
    entities.set_defaults(words=[], category=None, actor=None, limit=LIMIT)
    verbs = entities.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list entities, most mentioned first"
    nested = add_command(
        verbs,
        Command(
            name="list",
            run="knowledge:list_entities",
            help=about,
            read_only=True,
            examples=("jotsam entities list --named post",),
        ),
    )
    for each in (entities, nested):
        each.add_argument("--category", choices=CATEGORIES, default=argparse.SUPPRESS, help="only this category")
        about = "only entities whose name contains this text"
        each.add_argument("--named", dest="words", metavar="TEXT", default=argparse.SUPPRESS, help=about)
        each.add_argument("--actor", metavar="NAME", default=argparse.SUPPRESS, help=ACTOR)
        add_limit(each, "entities", default=argparse.SUPPRESS)
    about = "show one entity: its aliases, and what is known of it in short"
    show = add_command(
        verbs,
        Command(
            name="show",
            run="knowledge:show_entity",
            help=about,
            read_only=True,
            examples=("jotsam entities show postgres",),
        ),
    )
    show.add_argument("name", metavar="NAME", help="its name, slug, alias, or category:slug")
    about = "list pairs of entities that may be the same, the surest first; changes nothing"
    pairs = add_command(
        verbs,
        Command(
            name="candidates",
            run="knowledge:candidates",
            help=about,
            read_only=True,
            examples=("jotsam entities candidates",),
        ),
    )
    add_limit(pairs, "pairs")
    _add_merging(verbs)


def _add_merging(verbs: Commands) -> None:
    about = "make one entity an alias of another; nothing is deleted"
    merge = add_command(
        verbs,
        Command(
            name="merge",
            run="knowledge:merge",
            help=about,
            examples=("jotsam entities merge postgres PostgreSQL",),
            queueable=("name", "into"),
        ),
    )
    merge.add_argument("name", metavar="NAME", help="entity to merge: its name, slug, or category:slug")
    merge.add_argument("into", metavar="INTO", help="entity to merge it into")
    split = add_command(
        verbs,
        Command(
            name="split",
            run="knowledge:split",
            help="undo a merge",
            examples=("jotsam entities split postgres",),
            queueable=("name",),
        ),
    )
    split.add_argument("name", metavar="NAME", help="entity that was merged")


def _projects(projects: Parser) -> None:
    verbs = projects.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list projects, the one with the latest memory first"
    add_command(
        verbs,
        Command(name="list", run="projects:show_list", help=about, read_only=True, examples=("jotsam projects list",)),
    )
    about = "join a project to another: what it has moves there, and what is stored under its name later"
    merge = add_command(
        verbs,
        Command(
            name="merge",
            run="projects:merge",
            help=about,
            examples=("jotsam projects merge shop-old shop", "jotsam projects merge shop-old shop --yes"),
            queueable=("name", "into", "yes"),
        ),
    )
    merge.add_argument("name", metavar="PROJECT", help=PROJECT)
    merge.add_argument("into", metavar="INTO", help="project that it is joined to")
    about = "undo a merge: what came from a project returns to it"
    split = add_command(
        verbs,
        Command(
            name="split",
            run="projects:split",
            help=about,
            examples=("jotsam projects split shop-old --yes",),
            queueable=("name", "yes"),
        ),
    )
    split.add_argument("name", metavar="PROJECT", help="project that was joined to another")
    for one in (merge, split):
        one.add_argument("--yes", action="store_true", help="do it, instead of showing what it would do")
    about = "give a project another label; its key stays"
    rename = add_command(
        verbs,
        Command(
            name="rename",
            run="projects:rename",
            help=about,
            examples=("jotsam projects rename github.com/acme/api acme",),
        ),
    )
    rename.add_argument("name", metavar="PROJECT", help=PROJECT)
    rename.add_argument("label", metavar="LABEL", help="what people see, without /")


def _distill(distill: Parser) -> None:
    about = "proposals to write; without any, all that no file of the project says already"
    distill.add_argument("ids", nargs="*", metavar="ID", help=about)
    distill.add_argument("--project", metavar="NAME", help="only sessions of this project")
    distill.add_argument("--since", type=date, metavar="DATE", help="only what was said since this date")
    about = "sessions in which it must be seen (default: %(default)s)"
    distill.add_argument("--min-sessions", type=positive_int, default=3, metavar="NUMBER", help=about)
    about = "folder of the project, whose files may say it already (default: the current one)"
    distill.add_argument("--folder", default=".", metavar="FOLDER", help=about)
    form = distill.add_mutually_exclusive_group()
    form.add_argument("--dry-run", action="store_true", help="write nothing, which is the default")
    about = "write proposals as files to this folder; no file is replaced"
    form.add_argument("--write", metavar="FOLDER", help=about)
    add_limit(distill, "proposals to list")


def _graph(graph: Parser) -> None:
    graph.add_argument("id", metavar="ID", help=MEMORY_ID)
    graph.add_argument("--actor", metavar="NAME", help=ACTOR)
    form = graph.add_mutually_exclusive_group()
    form.add_argument("--dot", action="store_true", help="print a Graphviz graph")
    form.add_argument("--svg", action="store_true", help="print an SVG image")


def _link(link: Parser) -> None:
    link.add_argument("source", metavar="FROM", help=MEMORY_ID)
    link.add_argument("type", type=str.upper, choices=LINK_TYPES, metavar="TYPE", help=", ".join(LINK_TYPES))
    link.add_argument("target", metavar="TO", help="another memory")
    about = "strength of the link, up to 1 (default: %(default)s)"
    link.add_argument("--weight", type=float, default=1.0, metavar="NUMBER", help=about)
    link.add_argument("--undo", action="store_true", help="remove the link, and show again what it hid")


COMMANDS = (
    Command(
        name="facts",
        run="knowledge:facts",
        help="list facts extracted from memories: subject, predicate, object",
        read_only=True,
        examples=("jotsam facts --subject Ana --predicate uses", "jotsam facts postgresql --history"),
        options=_facts,
    ),
    Command(
        name="entities",
        run="knowledge:list_entities",
        help="list named entities: people, organizations, tools, concepts, projects",
        read_only=True,
        examples=("jotsam entities --category people",),
        options=_entities,
    ),
    Command(
        name="distill",
        run="distill:distill",
        help="propose scripts and conventions out of what sessions repeat",
        examples=("jotsam distill --project shop", "jotsam distill --write drafts 4f2a91c3"),
        options=_distill,
    ),
    Command(
        name="patterns",
        run="knowledge:patterns",
        help="list recurring themes among memories of the same type",
        read_only=True,
        examples=("jotsam patterns --type Decision",),
        options=_patterns,
    ),
    Command(
        name="projects",
        run="projects:show_list",
        help="list projects with their numbers of memories and documents; join two, or split them again",
        read_only=True,
        examples=("jotsam projects",),
        options=_projects,
    ),
    Command(
        name="graph",
        run="graph:graph",
        help="show what a memory is linked to: memories, entities and patterns",
        read_only=True,
        examples=("jotsam graph 4f2a91c3", "jotsam graph 4f2a91c3 --svg > graph.svg"),
        options=_graph,
    ),
    Command(
        name="link",
        run="graph:link",
        help="link two memories; INVALIDATED_BY and EVOLVED_INTO also hide the first from recall",
        examples=("jotsam link 4f2a91c3 LEADS_TO 85b3b8c3",),
        queueable=("source", "type", "target", "weight", "undo"),
        options=_link,
    ),
)
