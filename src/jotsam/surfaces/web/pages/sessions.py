"""The sessions of agents: their list, and one as a conversation with what was noted of each turn.

Verdicts and edits of notes are the actions of the page of the next session, which come back here.
"""

from __future__ import annotations

from urllib.parse import quote, urlencode

from jotsam.agents.registry import AGENTS
from jotsam.core.names import KEEP
from jotsam.core.records import Record
from jotsam.memory.api.notes import ADDED, MAX_TEXT
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.core.note_records import Note
    from jotsam.core.session_records import SessionTurn

ON_A_PAGE, TURNS = 50, 60
WHOLE = 3_000  # characters of a turn that are shown without unfolding
CUT_BACK = 500  # a turn is cut at the end of a line, if there is one in this many last characters
STEPS = 3  # more turns of an agent in a row are folded, but for the last: it reports between the tools that it uses
ON_THE_LEFT = ("assistant", "agent", *AGENTS)  # first words of the names of those who answer


class ShownNote(Record):
    """A note beside its turn. `buttons` are a verdict and a label each."""

    note: Note
    buttons: tuple[tuple[str, str], ...]
    can_be_edited: bool


class ShownTurn(Record):
    """A turn, whose text is cut if it is long."""

    turn: SessionTurn
    is_agent: bool
    head: str
    rest: str
    notes: tuple[ShownNote, ...]


class Group(Record):
    """Turns that are shown together. Those of `steps` are folded; a group that has notes is unfolded."""

    turns: tuple[ShownTurn, ...]
    steps: bool = False
    notes: int = 0


def sessions(call: PageCall) -> Page:
    """The sessions, the latest first."""
    project, after = call.query.get("project", ""), call.query.get("after")
    given = {"project": project} if project else {}
    page = call.jot.sessions(project=project or None, after=after, limit=ON_A_PAGE)
    values = {
        "page": page,
        "project": project,
        "first": f"/ui/sessions?{urlencode(given)}" if after else None,
        "next": f"/ui/sessions?{urlencode({**given, 'after': page.next})}" if page.next else None,
    }
    return Page(template="sessions.html", values=values)


def session(call: PageCall) -> Page:
    """One session as a conversation; on its last page what the next session of its project gets."""
    after = call.query.get("after")
    found = call.jot.session(call.path["id"], after=after, limit=TURNS)
    own = f"/ui/sessions/{quote(found.session.id)}"
    values = {
        "found": found,
        "session": found.session,
        "groups": _groups([_shown(one) for one in found.turns]),
        "brief": None if found.next else call.jot.brief(project=found.session.project or ""),
        "max_text": MAX_TEXT,
        "back": own + (f"?{urlencode({'after': after})}" if after else ""),
        "first": own if after else None,
        "next": f"{own}?{urlencode({'after': found.next})}" if found.next else None,
    }
    return Page(template="session.html", values=values)


def is_agent(actor: str | None) -> bool:
    """Whether a turn is on the side of the agent."""
    return (actor or "").partition(" ")[0].lower() in ON_THE_LEFT


def _shown(turn: SessionTurn) -> ShownTurn:
    text, at = turn.text, WHOLE
    if len(text) > WHOLE + CUT_BACK:
        line = text.rfind("\n", WHOLE - CUT_BACK, WHOLE)
        at = line + 1 if line >= 0 else WHOLE
    else:
        at = len(text)
    return ShownTurn(
        turn=turn,
        is_agent=is_agent(turn.actor),
        head=text[:at],
        rest=text[at:],
        notes=tuple(_note(one) for one in turn.notes),
    )


def _note(note: Note) -> ShownNote:
    if note.verdict is None:
        buttons: tuple[tuple[str, str], ...] = (("wrong", "Wrong"), ("old", "Old"))
        buttons += () if note.state == "holds" else ((KEEP, "Keep"),)
    else:
        buttons = (("", "Take back"),)
    return ShownNote(note=note, buttons=buttons, can_be_edited=note.kind in ADDED and note.verdict is None)


def _groups(turns: Iterable[ShownTurn]) -> list[Group]:
    """The turns, with the steps of an agent before an answer in a group of their own."""
    groups: list[Group] = []
    run: list[ShownTurn] = []

    def end() -> None:
        if len(run) > STEPS:
            notes = sum(len(one.notes) for one in run[:-1])
            groups.append(Group(turns=tuple(run[:-1]), steps=True, notes=notes))
            groups.append(Group(turns=(run[-1],)))
        elif run:
            groups.append(Group(turns=tuple(run)))
        run.clear()

    for one in turns:
        if not one.is_agent:
            end()
            groups.append(Group(turns=(one,)))
        else:
            run.append(one)
    end()
    return groups


ROUTES = (
    PageRoute(method="GET", path="/ui/sessions", handler=sessions),
    PageRoute(method="GET", path="/ui/sessions/{id:path}", handler=session),
)
