"""Options of `lifecycle`."""

from __future__ import annotations

from jotsam.core.names import FOUND_LINK_KINDS, STEPS
from jotsam.surfaces.cli.arguments import LIMIT, Command, add_command, add_limit, add_timeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands, Parser

ALL = "all"


def _lifecycle(group: Parser) -> None:
    group.set_defaults(step=None, limit=LIMIT)
    verbs = group.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list when each step runs, and the latest runs"
    listed = add_command(
        verbs,
        Command(
            name="list",
            run="lifecycle:show_list",
            help=about,
            read_only=True,
            examples=("jotsam lifecycle list --step decay",),
        ),
    )
    listed.add_argument("--step", choices=STEPS, help="only runs of this step")
    add_limit(listed, "runs")
    _run(verbs)
    about = "show a run with what it changed, and why"
    show = add_command(
        verbs,
        Command(
            name="show", run="lifecycle:show", help=about, read_only=True, examples=("jotsam lifecycle show 4f2a91c3",)
        ),
    )
    undo = add_command(
        verbs,
        Command(
            name="undo",
            run="lifecycle:undo",
            help="take back what a run changed",
            examples=("jotsam lifecycle undo 4f2a91c3 --yes",),
        ),
    )
    for each in (show, undo):
        each.add_argument("run", metavar="RUN", help="id of the run, or the beginning of it")
    add_limit(show, "changes to list")
    undo.add_argument("--yes", action="store_true", help="take it back without asking")
    about = "list the links that the step creative found, or remove those of a kind for good"
    links = add_command(
        verbs,
        Command(
            name="links",
            run="found_links:found_links",
            help=about,
            examples=("jotsam lifecycle links", "jotsam lifecycle links --kind contrasts --remove"),
        ),
    )
    links.add_argument("--kind", choices=FOUND_LINK_KINDS, help="only links of this kind")
    links.add_argument("--remove", action="store_true", help="remove them; they are not found again")
    add_limit(links, "links to list")
    about = "let later runs make the changes again that were taken back"
    add_command(
        verbs,
        Command(
            name="allow-again", run="lifecycle:allow_again", help=about, examples=("jotsam lifecycle allow-again",)
        ),
    )


def _run(verbs: Commands) -> None:
    about = "print what a step would change; with --apply, change it"
    run: Parser = add_command(
        verbs,
        Command(
            name="run",
            run="lifecycle:run",
            help=about,
            examples=("jotsam lifecycle run decay", "jotsam lifecycle run all --apply"),
        ),
    )
    about = f"{', '.join(STEPS)}; or {ALL}: decay, creative, cluster and forget"
    run.add_argument("step", metavar="STEP", choices=(*STEPS, ALL), help=about)
    run.add_argument("--apply", action="store_true", help="have the worker do it")
    run.add_argument("--no-wait", action="store_true", help="with --apply, do not wait until it is done")
    add_timeout(run, "how long --apply waits")
    add_limit(run, "changes to list")


COMMANDS = (
    Command(
        name="lifecycle",
        run="lifecycle:show_list",
        help="what happens to memories with age; each step has a dry run and an undo",
        read_only=True,
        examples=("jotsam lifecycle",),
        options=_lifecycle,
    ),
)
