"""Options of `lifecycle`."""

from __future__ import annotations

from jotsam.core.names import FOUND_LINK_KINDS, STEPS
from jotsam.surfaces.cli.arguments import LIMIT, add_command, add_limit, add_timeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands, Parser

ALL = "all"


def add_commands(commands: Commands) -> None:
    about = "what happens to memories with age; each step has a dry run and an undo"
    group = add_command(commands, "lifecycle", module="lifecycle", function="show_list", read_only=True, help=about)
    group.set_defaults(step=None, limit=LIMIT)
    verbs = group.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list when each step runs, and the latest runs"
    listed = add_command(verbs, "list", module="lifecycle", function="show_list", read_only=True, help=about)
    listed.add_argument("--step", choices=STEPS, help="only runs of this step")
    add_limit(listed, "runs")
    _run(verbs)
    about = "show a run with what it changed, and why"
    show = add_command(verbs, "show", module="lifecycle", function="show", read_only=True, help=about)
    undo = add_command(verbs, "undo", module="lifecycle", function="undo", help="take back what a run changed")
    for each in (show, undo):
        each.add_argument("run", metavar="RUN", help="id of the run, or the beginning of it")
    add_limit(show, "changes to list")
    undo.add_argument("--yes", action="store_true", help="take it back without asking")
    about = "list the links that the step creative found, or remove those of a kind for good"
    links = add_command(verbs, "links", module="found_links", function="found_links", help=about)
    links.add_argument("--kind", choices=FOUND_LINK_KINDS, help="only links of this kind")
    links.add_argument("--remove", action="store_true", help="remove them; they are not found again")
    add_limit(links, "links to list")
    about = "let later runs make the changes again that were taken back"
    add_command(verbs, "allow-again", module="lifecycle", function="allow_again", help=about)


def _run(verbs: Commands) -> None:
    about = "print what a step would change; with --apply, change it"
    run: Parser = add_command(verbs, "run", module="lifecycle", function="run", help=about)
    about = f"{', '.join(STEPS)}; or {ALL}: decay, creative, cluster and forget"
    run.add_argument("step", metavar="STEP", choices=(*STEPS, ALL), help=about)
    run.add_argument("--apply", action="store_true", help="have the worker do it")
    run.add_argument("--no-wait", action="store_true", help="with --apply, do not wait until it is done")
    add_timeout(run, "how long --apply waits")
    add_limit(run, "changes to list")
