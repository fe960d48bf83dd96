"""`jotsam sessions`: list the sessions of agents, and print one as a conversation."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import (
    OK,
    SAMPLE,
    Fence,
    echo,
    fields_of,
    hint,
    paint,
    plural,
    print_json,
    print_table,
    shorten,
)
from jotsam.surfaces.cli.table import SHORT_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.session_records import Conversation, Session, SessionPage, SessionTurn

LINES = 12  # of a turn


def sessions(arguments: argparse.Namespace) -> int:
    """List sessions, or print one."""
    more = {"after": arguments.after, "limit": arguments.limit}
    with Jotsam(settings=arguments.settings) as jot:
        if arguments.id:
            found = jot.session(arguments.id, **more)
        else:
            listed = jot.sessions(project=arguments.project, **more)
    if arguments.json:
        print_json(**fields_of(found if arguments.id else listed))
    elif arguments.id:
        _print_conversation(found)
    else:
        _print_list(listed)
    return OK


def _print_list(listed: SessionPage) -> None:
    if not listed.sessions:
        echo("no sessions")
        hint("`jotsam install` adds the hooks that store them; `jotsam import` reads earlier ones")
        return
    with Fence():
        print_table(("id", "last", "agent", "project", "turns", "learned", "begins with"), map(_row, listed.sessions))
    if listed.next:
        hint(f"there are more: add --after {listed.next}")


def _print_conversation(found: Conversation) -> None:
    session = found.session
    about = [session.agent, session.project, plural(session.turns, "turn"), plural(session.notes, "note")]
    if session.cost:
        about.append(f"cost {session.cost:.4f}")
    if found.given:
        about.append(
            f"given {plural(len(found.given), 'text')} of about {sum(one.tokens for one in found.given)} tokens"
        )
    with Fence():
        echo(paint(f"{session.id}  {', '.join(part for part in about if part)}", "bold"))
        for turn in found.turns:
            _print_turn(turn)
    if found.next:
        hint(f"there are more turns: add --after {found.next}")


def _print_turn(turn: SessionTurn) -> None:
    echo()
    state = " (superseded)" if turn.superseded_at is not None else " (archived)" if turn.archived_at is not None else ""
    time = format_time(turn.at)
    echo(paint(f"{turn.actor or 'unknown'}  {time[:10]} {time[11:16]}  {turn.id[:SHORT_ID]}{state}", "bold"))
    lines = turn.text.strip().splitlines()
    for line in lines[:LINES]:
        echo(f"  {line}")
    if len(lines) > LINES:
        echo(paint(f"  and {len(lines) - LINES:,} more lines: jotsam show {turn.id[:SHORT_ID]}", "dim"))
    for note in turn.notes:
        ended = "" if note.state == "holds" else f" ({note.state})"
        id = f"{note.id[:SHORT_ID]}.{note.id.rpartition('.')[2]}"
        echo(paint(f"  > {note.kind}{ended}: {note.text}  [{id}]", "dim"))


def _row(session: Session) -> tuple[object, ...]:
    last = format_time(session.last)
    title = shorten(session.title, SAMPLE)
    time = f"{last[:10]} {last[11:16]}"
    return session.id[:SHORT_ID], time, session.agent, session.project, session.turns, session.notes, title
