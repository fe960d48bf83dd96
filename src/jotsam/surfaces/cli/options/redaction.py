"""Options of the commands about redacted secrets: `allow` and `redacted`."""

from __future__ import annotations

from jotsam.surfaces.cli.arguments import add_command, add_limit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands


def add_commands(commands: Commands) -> None:
    about = "allow text that looks like a secret, or list what is allowed"
    allow = add_command(commands, "allow", module="redactions", function="allow", help=about)
    about = "text to allow, or - for standard input (default: list what is allowed)"
    allow.add_argument("text", nargs="?", metavar="TEXT", help=about)
    about = "why it is not a secret; stored with a fingerprint of the text, never with the text"
    allow.add_argument("--reason", metavar="TEXT", help=about)
    about = "allow text that was redacted before, by the beginning of its fingerprint in `jotsam redacted`"
    allow.add_argument("--fingerprint", metavar="FINGERPRINT", help=about)
    about = "stop allowing a text, by the beginning of its fingerprint"
    allow.add_argument("--remove", metavar="FINGERPRINT", help=about)

    about = "list redacted secrets (never the secrets themselves)"
    redacted = add_command(commands, "redacted", module="redactions", function="redacted", read_only=True, help=about)
    add_limit(redacted, "redactions")
