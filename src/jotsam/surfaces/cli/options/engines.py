"""Options of `engine` and its subcommands."""

from __future__ import annotations

from jotsam.core.names import ENGINES
from jotsam.surfaces.cli.arguments import add_command, add_limit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands


def add_commands(commands: Commands) -> None:
    about = "keep a projection of all memories in FalkorDB or Qdrant"
    engine = add_command(commands, "engine", module="engine", function="status", read_only=True, help=about)
    verbs = engine.add_subparsers(title="subcommands (default: status)", metavar="COMMAND")
    about = "show the engines, and what each holds and lacks"
    add_command(verbs, "status", module="engine", function="status", read_only=True, help=about)
    about = "register an engine, to which workers then write all memories"
    add = add_command(verbs, "add", module="engine", function="add", help=about)
    about = "falkordb://HOST:6379 or qdrant://HOST:6333; with TLS falkordbs:// or qdrants://"
    add.add_argument("address", metavar="ADDRESS", help=about)
    about = "first delete the memories that the engine holds, and replace another engine of its kind"
    add.add_argument("--replace", action="store_true", help=about)
    about = "write all memories again, and delete what else the engine holds"
    rebuild = add_command(verbs, "rebuild", module="engine", function="rebuild", help=about)
    rebuild.add_argument("engine", metavar="ENGINE", nargs="?", choices=ENGINES, help="default: all")
    about = "compare each engine with the database, memory by memory"
    compare = add_command(verbs, "compare", module="engine", function="compare", help=about)
    compare.add_argument("engine", metavar="ENGINE", nargs="?", choices=ENGINES, help="default: all")
    about = "have a worker write what is missing or differs again, and delete what is left over"
    compare.add_argument("--repair", action="store_true", help=about)
    add_limit(compare, "differences to list")
    remove = add_command(verbs, "remove", module="engine", function="remove", help="remove an engine from the database")
    remove.add_argument("engine", metavar="ENGINE", choices=ENGINES, help=" or ".join(ENGINES))
    remove.add_argument("--purge", action="store_true", help="also delete the memories that it holds")
