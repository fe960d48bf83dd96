"""Options of `engine` and its subcommands."""

from __future__ import annotations

from jotsam.core.names import ENGINES
from jotsam.surfaces.cli.arguments import Command, add_command, add_limit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Parser


def _engine(engine: Parser) -> None:
    verbs = engine.add_subparsers(title="subcommands (default: status)", metavar="COMMAND")
    about = "show the engines, and what each holds and lacks"
    add_command(
        verbs,
        Command(name="status", run="engine:status", help=about, read_only=True, examples=("jotsam engine status",)),
    )
    about = "register an engine, to which workers then write all memories"
    add = add_command(
        verbs,
        Command(name="add", run="engine:add", help=about, examples=("jotsam engine add qdrant://localhost:6333",)),
    )
    about = "falkordb://HOST:6379 or qdrant://HOST:6333; with TLS falkordbs:// or qdrants://"
    add.add_argument("address", metavar="ADDRESS", help=about)
    about = "first delete the memories that the engine holds, and replace another engine of its kind"
    add.add_argument("--replace", action="store_true", help=about)
    about = "write all memories again, and delete what else the engine holds"
    rebuild = add_command(
        verbs, Command(name="rebuild", run="engine:rebuild", help=about, examples=("jotsam engine rebuild qdrant",))
    )
    rebuild.add_argument("engine", metavar="ENGINE", nargs="?", choices=ENGINES, help="default: all")
    about = "compare each engine with the database, memory by memory"
    compare = add_command(
        verbs,
        Command(name="compare", run="engine:compare", help=about, examples=("jotsam engine compare qdrant --repair",)),
    )
    compare.add_argument("engine", metavar="ENGINE", nargs="?", choices=ENGINES, help="default: all")
    about = "have a worker write what is missing or differs again, and delete what is left over"
    compare.add_argument("--repair", action="store_true", help=about)
    add_limit(compare, "differences to list")
    remove = add_command(
        verbs,
        Command(
            name="remove",
            run="engine:remove",
            help="remove an engine from the database",
            examples=("jotsam engine remove qdrant --purge",),
        ),
    )
    remove.add_argument("engine", metavar="ENGINE", choices=ENGINES, help=" or ".join(ENGINES))
    remove.add_argument("--purge", action="store_true", help="also delete the memories that it holds")


COMMANDS = (
    Command(
        name="engine",
        run="engine:status",
        help="keep a projection of all memories in FalkorDB or Qdrant",
        read_only=True,
        examples=("jotsam engine",),
        options=_engine,
    ),
)
