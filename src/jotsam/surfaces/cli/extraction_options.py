"""The options of the commands about what was read: facts, costs, reading again, and reading by an agent."""

from __future__ import annotations

import argparse

from jotsam.core.names import CATEGORIES, LINK_TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Command = Callable[..., argparse.ArgumentParser]


def asking(command: Command, nested: Command, count: Callable[[str], int]) -> None:
    """`facts`, `entities`, `patterns`, `graph`, `link` and `costs`; `nested` makes a command of a command."""
    facts = command("facts", room="extraction", help="what memories say: who uses, prefers, decided what")
    facts.add_argument("words", nargs="*", metavar="WORD", help="stands in the subject or in the object")
    facts.add_argument("--subject", metavar="TEXT", help="a part of it")
    facts.add_argument("--predicate", metavar="TEXT", help="for example uses, prefers, decided, depends on")
    facts.add_argument("--object", metavar="TEXT", help="a part of it")
    facts.add_argument("--project", help="only from memories of this project")
    facts.add_argument("--history", action="store_true", help="also what holds no more, or not yet")
    facts.add_argument("--limit", type=count, default=50, metavar="NUMBER", help="at most so many (%(default)s)")
    entities = command("entities", room="entities", command="listed", help="the named things of memory")
    entities.set_defaults(words=[], category=None, limit=50)
    about = {"help": "list them, those that most memories mention first"}
    verbs = entities.add_subparsers(title="what to do (default: list)", metavar="VERB")
    for each in (entities, nested(verbs, "list", room="entities", command="listed", **about)):
        each.add_argument("--category", choices=CATEGORIES, default=argparse.SUPPRESS, help="only these")
        each.add_argument("--named", dest="words", metavar="TEXT", default=argparse.SUPPRESS, help="a part of the name")
        each.add_argument(
            "--limit", type=count, metavar="NUMBER", default=argparse.SUPPRESS, help="at most so many (50)"
        )
    merge = nested(verbs, "merge", room="entities", help="say that two are one; nothing is removed")
    merge.add_argument("name", metavar="NAME", help="the other name: a slug, category:slug, or as it is written")
    merge.add_argument("into", metavar="INTO", help="the one that it is another name of")
    split = nested(verbs, "split", room="entities", help="take a merge back")
    split.add_argument("name", metavar="NAME")
    patterns = command("patterns", room="entities", help="themes that recur among memories of one type")
    patterns.add_argument("--type", help="only of this type, for example Decision")
    patterns.add_argument("--limit", type=count, default=50, metavar="NUMBER", help="at most so many (%(default)s)")
    graph = command("graph", room="graph", command="command", help="what a memory is linked to")
    graph.add_argument("id", metavar="ID", help="a memory: its UUID, the beginning of it, or your own id")
    form = graph.add_mutually_exclusive_group()
    form.add_argument("--dot", action="store_true", help="print it for Graphviz")
    form.add_argument("--svg", action="store_true", help="print it as a picture")
    link = command("link", room="graph", help="say how two memories belong together; it hides nothing")
    link.add_argument("source", metavar="FROM", help="a memory: its UUID, the beginning of it, or your own id")
    link.add_argument("type", type=str.upper, choices=LINK_TYPES, metavar="TYPE", help=", ".join(LINK_TYPES))
    link.add_argument("target", metavar="TO", help="another memory")
    link.add_argument("--weight", type=float, default=1.0, metavar="NUMBER", help="how close: up to 1 (%(default)s)")
    link.add_argument("--undo", action="store_true", help="take it back")
    costs = command("costs", room="extraction", help="what models have taken, by day and model")
    costs.add_argument("--days", type=count, default=30, metavar="NUMBER", help="so many days back (%(default)s)")


def mending(command: Command, count: Callable[[str], int]) -> None:
    """`reprocess`, `allow`, `redacted`, `extract-prompt` and `extract-apply`."""
    again = command("reprocess", room="extraction", help="read memories again: with a model, or with a newer version")
    again.add_argument("ids", nargs="*", metavar="ID", help="memories and documents, or the begin of their ids")
    again.add_argument("--all", action="store_true", help="all that another extractor or version has read")
    again.add_argument("--project", help="those of a project")
    again.add_argument("--source", metavar="PATH", help="those of a source")
    again.add_argument("--type", help="those of a type")
    about = "those read by an extractor that begins so, for example rules or llm:gpt"
    again.add_argument("--extractor", metavar="TEXT", help=about)
    about = "those that rules alone have read although a model was to"
    again.add_argument("--degraded", action="store_true", help=about)
    again.add_argument("--forced", action="store_true", help="also those that are up to date")
    about = "first remove what was found in them; what people made stays in any case"
    again.add_argument("--clear", action="store_true", help=about)
    about = "say how many, and about how many calls, tokens and what cost; change nothing"
    again.add_argument("--dry-run", action="store_true", help=about)
    again.add_argument("--yes", action="store_true", help="needed where a model would be paid and no ids are given")

    allow = command("allow", room="redactions", command="command", help="allow text that looks like a secret")
    allow.add_argument(
        "text", nargs="?", metavar="TEXT", help="it, or - for standard input; none: list what is allowed"
    )
    allow.add_argument(
        "--reason", metavar="TEXT", help="why it is none; it is kept, and of the text only a fingerprint"
    )
    about = "instead of TEXT: what was taken out before and begins like this in `jotsam redacted`"
    allow.add_argument("--fingerprint", metavar="FINGERPRINT", help=about)
    allow.add_argument("--remove", metavar="FINGERPRINT", help="take back what begins like this")
    redacted = command("redacted", room="redactions", help="list redacted secrets (never the secret itself)")
    redacted.add_argument("--limit", type=count, default=50, metavar="NUMBER", help="at most so many (%(default)s)")

    prompt = command(
        "extract-prompt",
        room="extraction",
        command="extract_prompt",
        help="print what an agent should read to extract by itself",
    )
    prompt.add_argument("ids", nargs="*", metavar="ID", help="memories and documents, or the begin of their ids")
    prompt.add_argument("--schema", action="store_true", help="print the JSON schema of what is handed in, and no more")
    apply = command(
        "extract-apply",
        room="extraction",
        command="extract_apply",
        help="validate and save an agent's extraction",
    )
    apply.add_argument("file", metavar="FILE", help="JSON as extract-prompt asks for it, or - for standard input")
    apply.add_argument("--by", default="", metavar="NAME", help="who has read it")


def selection(chosen: Any) -> dict[str, Any]:
    """The filters that were given to `reprocess`."""
    names = ("project", "source", "type", "extractor", "degraded")
    return {name: getattr(chosen, name) for name in names if getattr(chosen, name)}
