"""Options of the commands about redacted secrets: `allow` and `redacted`."""

from __future__ import annotations

from jotsam.surfaces.cli.arguments import Command, add_limit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Parser


def _allow(allow: Parser) -> None:
    about = "text to allow, or - for standard input (default: list what is allowed)"
    allow.add_argument("text", nargs="?", metavar="TEXT", help=about)
    about = "why it is not a secret; stored with a fingerprint of the text, never with the text"
    allow.add_argument("--reason", metavar="TEXT", help=about)
    about = "allow text that was redacted before, by the beginning of its fingerprint in `jotsam redacted`"
    allow.add_argument("--fingerprint", metavar="FINGERPRINT", help=about)
    about = "stop allowing a text, by the beginning of its fingerprint"
    allow.add_argument("--remove", metavar="FINGERPRINT", help=about)


def _redacted(redacted: Parser) -> None:
    add_limit(redacted, "redactions")


COMMANDS = (
    Command(
        name="allow",
        run="redactions:allow",
        help="allow text that looks like a secret, or list what is allowed",
        examples=("jotsam allow AKIAIOSFODNN7EXAMPLE --reason 'the key of the documentation'",),
        options=_allow,
    ),
    Command(
        name="redacted",
        run="redactions:redacted",
        help="list redacted secrets (never the secrets themselves)",
        read_only=True,
        examples=("jotsam redacted --limit 10",),
        options=_redacted,
    ),
)
