"""Options of `tokens` and `audit`."""

from __future__ import annotations

from jotsam.core.token_records import SCOPES
from jotsam.surfaces.cli.arguments import add_command, add_limit, positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands


def add_commands(commands: Commands) -> None:
    about = "list, create and revoke tokens of the HTTP API; each is for one tenant"
    tokens = add_command(commands, "tokens", module="tokens", function="show_list", read_only=True, help=about)
    verbs = tokens.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list the tokens of the tenant, the oldest first; never their secrets"
    add_command(verbs, "list", module="tokens", function="show_list", read_only=True, help=about)
    _create(verbs)
    about = "refuse a token from now on, also in servers that are running"
    revoke = add_command(verbs, "revoke", module="tokens", function="revoke", help=about)
    revoke.add_argument("id", metavar="ID", help="id of the token in `jotsam tokens`")

    about = "list who changed what over HTTP; also changes of tokens, the newest first"
    audit = add_command(commands, "audit", module="tokens", function="audit", read_only=True, help=about)
    add_limit(audit, "entries")
    about = "the entries before the one with this id, which is the last of the page before"
    audit.add_argument("--after", type=positive_int, default=0, metavar="ID", help=about)


def _create(verbs: Commands) -> None:
    about = "create a token for the tenant and print it; it cannot be shown again"
    create = add_command(verbs, "create", module="tokens", function="create", help=about)
    create.add_argument(
        "--name", required=True, metavar="TEXT", help="who or what uses it; shown in lists and the audit"
    )
    about = "read, write, admin or operator (of the server); each includes the ones before (default: %(default)s)"
    create.add_argument("--scope", choices=SCOPES, default=SCOPES[0], help=about)
    create.add_argument("--days", type=positive_int, metavar="NUMBER", help="refuse it after this number of days")
    create.add_argument(
        "--rate", type=float, metavar="NUMBER", help="maximum requests per second to each server process"
    )
    about = "largest body of a request, in bytes (default: the limit of the server)"
    create.add_argument("--max-bytes", type=positive_int, metavar="NUMBER", help=about)
