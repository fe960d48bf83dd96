"""`jotsam server tokens` and `jotsam server audit`: the tokens of the HTTP API, and what was changed with them."""

from __future__ import annotations

import argparse

from jotsam.core.clock import LATEST_MS, format_time, system_clock
from jotsam.core.errors import InvalidInput
from jotsam.core.token_records import AuditEntry, Token
from jotsam.memory.access.tokens import create_token, revoke_token
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import echo, hint, print_json, print_result, print_table

BY = "cli"  # the name in the audit
DAY_MS = 24 * 3_600_000


def list_tokens(arguments: argparse.Namespace) -> None:
    """List the tokens of the tenant."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.admin.tokens()
    if arguments.json:
        print_json(tokens=found)
    elif found:
        print_table(
            ("id", "name", "purpose", "scope", "state", "created at", "last used at", "limits"), map(_row, found)
        )
    else:
        echo("no tokens: `jotsam server tokens create` makes one")


def create(arguments: argparse.Namespace) -> None:
    """Create a token. Standard output gets the token alone, so that it can be piped into a file or a program."""
    now = system_clock()
    if arguments.days is not None and now + arguments.days * DAY_MS > LATEST_MS:
        raise InvalidInput(f"invalid days {arguments.days:,}: must end before the year 10000")
    with Jotsam(settings=arguments.settings) as jot:
        new = create_token(
            jot.database,
            tenant=jot.settings.tenant,
            name=arguments.name,
            scope=arguments.scope,
            expires_at=None if arguments.days is None else now + arguments.days * DAY_MS,
            rate=arguments.rate,
            max_bytes=arguments.max_bytes,
            by=BY,
        )
    if arguments.json:
        print_json(token=new.token, secret=new.secret)
        return
    until = f" until {format_time(new.token.expires_at)}" if new.token.expires_at else ""
    hint(f"token {new.id} of tenant {new.token.tenant!r}, scope {new.token.scope}{until}; it cannot be shown again")
    echo(new.secret)


def revoke(arguments: argparse.Namespace) -> None:
    """Revoke a token."""
    with Jotsam(settings=arguments.settings) as jot:
        token = revoke_token(jot.database, tenant=jot.settings.tenant, id=arguments.id, by=BY)
    print_result(arguments, f"revoked {token.id} ({token.name}) at {format_time(token.revoked_at or 0)}", token=token)


def audit(arguments: argparse.Namespace) -> None:
    """List the audit, the newest first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.admin.audit(after=arguments.after, limit=arguments.limit)
    if arguments.json:
        print_json(audit=found)
    elif found:
        print_table(("id", "at", "name", "action", "subject", "address", "request"), map(_audit_row, found))
    else:
        echo("no changes over HTTP")


def _row(token: Token) -> tuple[object, ...]:
    limits = [f"{token.rate:g}/s"] if token.rate else []
    limits += [f"{token.max_bytes:,} bytes"] if token.max_bytes else []
    used = format_time(token.last_used_at) if token.last_used_at else "never"
    created = format_time(token.created_at)
    return token.id, token.name, token.purpose, token.scope, _state(token), created, used, ", ".join(limits)


def _state(token: Token) -> str:
    if token.revoked_at is not None:
        return "revoked"
    if token.expires_at is None:
        return "valid"
    return f"{'expired' if token.expires_at <= system_clock() else 'valid until'} {format_time(token.expires_at)}"


def _audit_row(entry: AuditEntry) -> tuple[object, ...]:
    at = format_time(entry.created_at)
    return entry.id, at, entry.name, entry.action, entry.subject, entry.address, entry.request[:8]
