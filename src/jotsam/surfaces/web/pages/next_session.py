"""What the next session of a project would get and why, and the rules in it. A verdict acts at once."""

from __future__ import annotations

from urllib.parse import urlencode

from jotsam.core.errors import InvalidInput
from jotsam.core.names import BRIEF_TOKENS, KEEP, OLD, PROMPT_TOKENS, REPEATED, RULE, WRONG
from jotsam.core.records import Record
from jotsam.memory.api.notes import ALL, HOLDS, MAX_LISTED, MAX_TEXT
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute, Redirect, Undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.core.answers import BriefLine

MAX_PROMPT = 2_000  # characters
SESSIONS = "/ui/sessions/"  # their pages have the same buttons
MAX_CARRIED = 200  # characters of a prompt that an undo goes back to: it is in a cookie
SAID = {
    WRONG: "Struck as wrong: no session gets it.",
    OLD: "Struck as old: no session gets it.",
    KEEP: "Kept: it stays in the brief, also when something later would end it.",
    None: "The verdict was taken back.",
}


class NextLine(Record):
    """A line of a brief. `note` is the id of the note that it tells, or None for a memory."""

    line: BriefLine
    more: str  # "said 2 times"
    note: str | None
    verdict: str | None


def next_session(call: PageCall) -> Page:
    """The brief of a project, or what a prompt would get, and the rules."""
    return _page(call)


def _page(call: PageCall, *, error: str = "", edited: str = "") -> Page:
    """The page, after a form with an error with what was typed. `edited` is the id of a note."""
    given, projects = call.form or call.query, call.jot.projects()
    project = given.get("project", projects[0].key if projects else "")
    prompt = given.get("prompt", "").strip()[:MAX_PROMPT]
    found = call.jot.brief(project=project, prompt=prompt or None)
    rules = call.jot.notes.list(kind=RULE, project=project, state=ALL, limit=MAX_LISTED)
    verdicts = {one.id: one.verdict for one in call.jot.notes.list(project=project, limit=MAX_LISTED)}
    options = {one.key: one.label for one in projects}
    values = {
        "project": project,
        "projects": [("", "Without a project"), *({project: project, **options} if project else options).items()],
        "is_empty": not projects and not rules,
        "prompt": prompt,
        "found": found,
        "budget": PROMPT_TOKENS if prompt else BRIEF_TOKENS,
        "groups": _groups(found.lines, verdicts),
        "rules": [one for one in rules if one.state == HOLDS],
        "struck": [one for one in rules if one.state not in (HOLDS, REPEATED)],
        "error": error,
        "edited": edited,
        "text": given.get("text", ""),
        "everywhere": "everywhere" in given,
        "max_text": MAX_TEXT,
    }
    return Page(template="next_session.html", values=values, status=400 if error else 200)


def _groups(lines: Iterable[BriefLine], verdicts: Mapping[str, str | None]) -> dict[str, list[NextLine]]:
    """The lines by their headings."""
    groups: dict[str, list[NextLine]] = {}
    for line in lines:
        note = None if line.note is None else f"{line.id}.{line.note}"
        more = line.label.partition(", ")[2]
        groups.setdefault(line.heading, []).append(
            NextLine(line=line, more=more, note=note, verdict=verdicts.get(note or ""))
        )
    return groups


def judge(call: PageCall) -> Redirect:
    """Say of a note that it is wrong, old, or to be kept; or take that back."""
    form = call.form
    if replacing := form.get("replacing"):  # An edit is undone.
        call.jot.notes.judge(replacing, verdict=WRONG)
    verdict = form.get("verdict") or None
    call.jot.notes.judge(call.path["id"], verdict=verdict)
    return _done(call, SAID[verdict], call.path["id"], verdict=form.get("before", ""), before=verdict or "")


def add(call: PageCall) -> Page | Redirect:
    """Add a rule to a project, or to all."""
    form = call.form
    try:
        made = call.jot.notes.add(
            form.get("text", ""), project=form.get("project", ""), everywhere="everywhere" in form
        )
    except InvalidInput as error:
        return _page(call, error=str(error))
    return _done(call, "Added: it is in the next brief.", made.id, verdict=WRONG)


def edit(call: PageCall) -> Page | Redirect:
    """Say a rule in other words; the one before is old from then on."""
    id = call.path["id"]
    try:
        made = call.jot.notes.edit(id, call.form.get("text", ""))
    except InvalidInput as error:
        return _page(call, error=str(error), edited=id)
    before = call.form.get("before", "")
    return _done(call, "Stored in other words: the one before is old.", id, verdict=before, replacing=made.id)


def _done(call: PageCall, said: str, id: str, **fields: str) -> Redirect:
    """Go back to the page that the form was on; an undo sends a verdict on the note."""
    back = call.form.get("back", "")
    if back.startswith(SESSIONS) and back.isprintable() and "\\" not in back:
        action = f"/ui/next/notes/{id}/verdict"
        return Redirect(to=back, said=said, undo=Undo(action=action, fields={"back": back, **fields}))
    shown = {name: call.form.get(name, "") for name in ("project", "prompt")}
    prompt = shown["prompt"] if len(shown["prompt"]) <= MAX_CARRIED else ""
    undo = Undo(action=f"/ui/next/notes/{id}/verdict", fields={**shown, "prompt": prompt, **fields})
    return Redirect(to=f"/ui/next?{urlencode(shown)}", said=said, undo=undo)


ROUTES = (
    PageRoute(method="GET", path="/ui/next", handler=next_session),
    PageRoute(method="POST", path="/ui/next/rules", handler=add, scope="write"),
    PageRoute(method="POST", path="/ui/next/notes/{id}/edit", handler=edit, scope="write"),
    PageRoute(method="POST", path="/ui/next/notes/{id}/verdict", handler=judge, scope="write"),
)
