"""The options of the commands about what was read: facts, costs, reading again, and reading by an agent."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import Any

    Command = Callable[..., argparse.ArgumentParser]


def asking(command: Command, count: Callable[[str], int]) -> None:
    """`facts` and `costs`."""
    facts = command("facts", room="reading", help="what memories say: who uses, prefers, decided what")
    facts.add_argument("words", nargs="*", metavar="WORD", help="stands in the subject or in the object")
    facts.add_argument("--subject", metavar="TEXT", help="a part of it")
    facts.add_argument("--predicate", metavar="TEXT", help="for example uses, prefers, decided, depends on")
    facts.add_argument("--object", metavar="TEXT", help="a part of it")
    facts.add_argument("--project", help="only from memories of this project")
    facts.add_argument("--limit", type=count, default=50, metavar="NUMBER", help="at most so many (%(default)s)")
    costs = command("costs", room="reading", help="what language models have taken, by day and model")
    costs.add_argument("--days", type=count, default=30, metavar="NUMBER", help="so many days back (%(default)s)")


def mending(command: Command) -> None:
    """`reprocess`, `extract-prompt` and `extract-apply`."""
    again = command("reprocess", room="reading", help="read memories again: with a model, or with a newer version")
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

    prompt = command(
        "extract-prompt",
        room="reading",
        command="extract_prompt",
        help="print what an agent should read to extract by itself",
    )
    prompt.add_argument("ids", nargs="*", metavar="ID", help="memories and documents, or the begin of their ids")
    prompt.add_argument("--schema", action="store_true", help="print the JSON schema of what is handed in, and no more")
    apply = command(
        "extract-apply", room="reading", command="extract_apply", help="save what an agent has read, after checking it"
    )
    apply.add_argument("file", metavar="FILE", help="JSON as extract-prompt asks for it, or - for standard input")
    apply.add_argument("--by", default="", metavar="NAME", help="who has read it")


def selection(chosen: Any) -> dict[str, Any]:
    """The filters that were given to `reprocess`."""
    names = ("project", "source", "type", "extractor", "degraded")
    return {name: getattr(chosen, name) for name in names if getattr(chosen, name)}
