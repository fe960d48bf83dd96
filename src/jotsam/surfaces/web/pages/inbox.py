"""What is to decide: contradictions, perhaps outdated texts, doubtful rules, and entities that may be the same.

Accept, reject, or later: in a week. Each can be undone. What was decided is not asked again.
"""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.core.errors import InvalidInput
from jotsam.core.names import ENTITY, KEEP, WRONG
from jotsam.memory.graph.inbox import DECISIONS, LATER, decide, read_inbox
from jotsam.memory.writing.fact_verdicts import judge_fact
from jotsam.surfaces.web.pages.entities import address
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute, Redirect, Undo

PATH = "/ui/inbox"
BACK = (PATH, "/ui/")
TAKE_BACK = "take back"


def inbox(call: PageCall) -> Page:
    """All that is to decide, of the latest memories."""
    project = call.query.get("project") or None
    found = read_inbox(call.jot.database, tenant=call.principal.tenant, project=project)
    return Page(template="inbox.html", values={"inbox": found, "address": address, "back": PATH, "shown": None})


def postpone(call: PageCall) -> Redirect:
    """Reject an item, or ask again in a week; without a decision take that back."""
    key, decision = call.form.get("key", ""), call.form.get("decision", "")
    if decision not in (*DECISIONS, TAKE_BACK):
        raise InvalidInput(f"invalid decision {decision[:20]!r}: must be reject or later")
    is_back = decision == TAKE_BACK
    decide(call.jot.database, tenant=call.principal.tenant, key=key, decision=None if is_back else decision)
    if is_back:
        return Redirect(to=_back(call), said="It is to decide again.")
    said = "You are asked again in a week." if decision == LATER else "Rejected: it is not asked again."
    fields = {"key": key, "decision": TAKE_BACK, "back": _back(call)}
    return Redirect(to=_back(call), said=said, undo=Undo(action=f"{PATH}/decide", fields=fields))


def choose_value(call: PageCall) -> Redirect:
    """Of values that contradict each other one holds: the others ended when it was said first."""
    form, tenant = call.form, call.principal.tenant
    others, on = call.form_many("other"), form.get("on", "")
    taken_back = form.get("decision") == TAKE_BACK
    for other in others:
        verdict = None if taken_back else "ended"
        judge_fact(call.jot.database, tenant=tenant, ids=[other], verdict=verdict, on=on or None)
    if taken_back:
        return Redirect(to=_back(call), said="Taken back: both are known again.")
    fields = {"other": others, "decision": TAKE_BACK, "back": _back(call)}
    said = f"{form.get('value', '')[:80]} holds; the others ended on {on[:10]}."
    return Redirect(to=_back(call), said=said, undo=Undo(action=f"{PATH}/value", fields=fields))


def replace_text(call: PageCall) -> Redirect:
    """The newer text replaces the older one, or the older one still holds."""
    old, new = call.form.get("old", ""), call.form.get("new", "")
    if call.form.get("decision") == TAKE_BACK:
        call.jot.undo_supersede(old, new)
        return Redirect(to=_back(call), said="Taken back: the older text holds again.")
    done = call.jot.supersede(old, new)
    fields = {"old": old, "new": new, "decision": TAKE_BACK, "back": _back(call)}
    said = f"The older text is superseded since {format_time(done.since or 0)[:10]}."
    return Redirect(to=_back(call), said=said, undo=Undo(action=f"{PATH}/text", fields=fields))


def judge_rule(call: PageCall) -> Redirect:
    """Keep a rule, so that briefs have it, or say that it is none."""
    id, decision = call.form.get("note", ""), call.form.get("decision", "")
    if decision == TAKE_BACK:
        call.jot.notes.judge(id, verdict=None)
        return Redirect(to=_back(call), said="It is to decide again.")
    if decision not in (KEEP, WRONG):
        raise InvalidInput(f"invalid decision {decision[:20]!r}: must be {KEEP} or {WRONG}")
    call.jot.notes.judge(id, verdict=decision)
    said = "Kept: it is in the next brief." if decision == KEEP else "It is no rule."
    fields = {"note": id, "decision": TAKE_BACK, "back": _back(call)}
    return Redirect(to=_back(call), said=said, undo=Undo(action=f"{PATH}/rule", fields=fields))


def merge(call: PageCall) -> Redirect:
    """Merge two entities; a split takes it back."""
    name, into = call.form.get("name", ""), call.form.get("into", "")
    if call.form.get("decision") == TAKE_BACK:
        call.jot.knowledge.split(name)
        return Redirect(to=_back(call), said=f"Split {_short(name)} again.")
    done = call.jot.knowledge.merge(name, into=into)
    fields = {"name": name, "decision": TAKE_BACK, "back": _back(call)}
    said = f"Merged {_short(name)} into {_short(done)}."
    return Redirect(to=_back(call), said=said, undo=Undo(action=f"{PATH}/merge", fields=fields))


def _short(name: str) -> str:
    return name.removeprefix(ENTITY)[:80]


def _back(call: PageCall) -> str:
    """The page with the list from which it was decided."""
    back = call.form.get("back", PATH)
    return back if back in BACK else PATH


ROUTES = (
    PageRoute(method="GET", path=PATH, handler=inbox),
    PageRoute(method="POST", path=f"{PATH}/decide", handler=postpone, scope="write"),
    PageRoute(method="POST", path=f"{PATH}/value", handler=choose_value, scope="write"),
    PageRoute(method="POST", path=f"{PATH}/text", handler=replace_text, scope="write"),
    PageRoute(method="POST", path=f"{PATH}/rule", handler=judge_rule, scope="write"),
    PageRoute(method="POST", path=f"{PATH}/merge", handler=merge, scope="write"),
)
