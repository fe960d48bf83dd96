"""Options of the commands about extraction and its cost: `reprocess`, `extract-prompt`, `extract-apply`, `costs`."""

from __future__ import annotations

from jotsam.surfaces.cli.arguments import Command, memory_type, positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Parser

IDS = "memories and documents: their UUIDs, or the beginning of them"


def _extract_prompt(prompt: Parser) -> None:
    prompt.add_argument("ids", nargs="*", metavar="ID", help=IDS)
    prompt.add_argument("--schema", action="store_true", help="print only the JSON schema of the expected answer")


def _extract_apply(apply: Parser) -> None:
    about = "JSON file as described by `extract-prompt --schema`, or - for standard input"
    apply.add_argument("file", metavar="FILE", help=about)
    apply.add_argument("--by", default="", metavar="NAME", help="name of the agent")


def _costs(costs: Parser) -> None:
    about = "number of days (default: %(default)s)"
    costs.add_argument("--days", type=positive_int, default=30, metavar="NUMBER", help=about)


def _reprocess(reprocess: Parser) -> None:
    reprocess.add_argument("ids", nargs="*", metavar="ID", help=IDS)
    about = "all memories last processed by another extractor or version"
    reprocess.add_argument("--all", action="store_true", help=about)
    reprocess.add_argument("--project", metavar="NAME", help="only memories of this project")
    reprocess.add_argument("--source", metavar="PATH", help="only memories from this source")
    reprocess.add_argument("--type", type=memory_type, help="only memories of this type")
    about = "only memories last processed by an extractor with this prefix, for example rules or llm:gpt"
    reprocess.add_argument("--extractor", metavar="PREFIX", help=about)
    about = "only memories processed in part because the model or a rule failed"
    reprocess.add_argument("--degraded", action="store_true", help=about)
    reprocess.add_argument("--force", action="store_true", help="include memories that are up to date")
    about = "delete earlier results first; what people entered is kept"
    reprocess.add_argument("--clear", action="store_true", help=about)
    about = "report the number of memories and the estimated calls, tokens and cost; change nothing"
    reprocess.add_argument("--dry-run", action="store_true", help=about)
    about = "confirm the cost; needed if a model is used and no ids are given"
    reprocess.add_argument("--yes", action="store_true", help=about)


COMMANDS = (
    Command(
        name="reprocess",
        run="extraction:reprocess",
        help="extract again from stored memories; with a model or a newer version",
        examples=("jotsam reprocess --degraded --dry-run", "jotsam reprocess --project shop --yes"),
        queueable=("ids", "all", "project", "type", "extractor", "degraded", "force", "clear", "yes"),
        options=_reprocess,
    ),
    Command(
        name="extract-prompt",
        run="extraction:extract_prompt",
        help="print a prompt for an agent to extract entities and facts",
        examples=("jotsam extract-prompt 4f2a91c3",),
        options=_extract_prompt,
    ),
    Command(
        name="extract-apply",
        run="extraction:extract_apply",
        help="validate and save an extraction made by an agent",
        examples=("jotsam extract-apply answer.json --by claude",),
        queueable=("file", "by"),
        options=_extract_apply,
    ),
    Command(
        name="costs",
        run="extraction:costs",
        help="list the calls, tokens and cost of models by day",
        read_only=True,
        examples=("jotsam costs --days 7",),
        options=_costs,
    ),
)
