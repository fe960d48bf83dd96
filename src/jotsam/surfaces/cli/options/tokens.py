"""Options of `tokens` and `audit`."""

from __future__ import annotations

from jotsam.core.token_records import SCOPES
from jotsam.surfaces.cli.arguments import Command, add_command, add_limit, positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands, Parser


def _tokens(tokens: Parser) -> None:
    verbs = tokens.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list the tokens of the tenant, the oldest first; never their secrets"
    add_command(
        verbs,
        Command(name="list", run="tokens:show_list", help=about, read_only=True, examples=("jotsam tokens list",)),
    )
    _create(verbs)
    about = "refuse a token from now on, also in servers that are running"
    revoke = add_command(
        verbs, Command(name="revoke", run="tokens:revoke", help=about, examples=("jotsam tokens revoke 5f3a9c01d2e4",))
    )
    revoke.add_argument("id", metavar="ID", help="id of the token in `jotsam tokens`")


def _audit(audit: Parser) -> None:
    add_limit(audit, "entries")
    about = "the entries before the one with this id, which is the last of the page before"
    audit.add_argument("--after", type=positive_int, default=0, metavar="ID", help=about)


def _create(verbs: Commands) -> None:
    about = "create a token for the tenant and print it; it cannot be shown again"
    create = add_command(
        verbs,
        Command(
            name="create",
            run="tokens:create",
            help=about,
            examples=(
                "jotsam tokens create --name laptop --scope write --days 90 > token.txt",
                'curl -H "Authorization: Bearer $(cat token.txt)" http://127.0.0.1:8787/v1/status',
            ),
        ),
    )
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


COMMANDS = (
    Command(
        name="tokens",
        run="tokens:show_list",
        help="list, create and revoke tokens of the HTTP API; each is for one tenant",
        read_only=True,
        examples=("jotsam tokens",),
        options=_tokens,
    ),
    Command(
        name="audit",
        run="tokens:audit",
        help="list who changed what over HTTP; also changes of tokens, the newest first",
        read_only=True,
        examples=("jotsam audit --limit 10",),
        options=_audit,
    ),
)
