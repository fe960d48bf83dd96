"""Ask: the search of the memory, and the list of memories."""

from __future__ import annotations

from jotsam.core.clock import system_clock
from jotsam.core.errors import InvalidInput
from jotsam.core.names import TYPES
from jotsam.memory.reading.filed_under import filed_under
from jotsam.memory.reading.sessions import session_titles
from jotsam.surfaces.web.pages.found import arrange
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.core.answers import Answer

TIMES = ("since", "until", "as_of")
FILTERS = ("project", "type", "tag", "actor", "session", "source", *TIMES, "history", "archived")
NOT_NOW = ("as_of", "history", "archived")  # with one of these, an answer is not about what holds now
MAX_QUESTION = 2_000  # characters
TOKENS, MOST_HITS, HIT_TOKENS = 6_000, 25, 120
PER_PAGE = 50


def memories(call: PageCall) -> Page:
    """The answer to a question; without one, the list of memories."""
    question = call.query.get("q", "").strip()[:MAX_QUESTION]
    filters = {name: value for name in FILTERS if (value := call.query.get(name, "").strip())}
    values: dict[str, Any] = {
        "question": question,
        "filters": {**dict.fromkeys(FILTERS, ""), **filters},
        "is_filtered": bool(filters),
        "given": {"q": question, **filters} if question else filters,
        "types": [("", "any"), *((name, name) for name in dict.fromkeys((*TYPES, filters.get("type", ""))) if name)],
        "known": None,
        "error": "",
        "answer": None,
        "found": None,
        "page": None,
        "after": call.query.get("after", ""),
    }
    try:
        tenant, project = call.principal.tenant, filters.get("project")
        values["known"] = filed_under(call.jot.database, tenant=tenant, project=project)
        values |= _found(call, question, filters) if question else _listed(call, filters)
    except InvalidInput as error:
        return Page(template="memories.html", values={**values, "error": str(error)}, status=400)
    return Page(template="memories.html", values=values)


def _options(filters: Mapping[str, str]) -> dict[str, Any]:
    """The filters as options of `recall` and `list`."""
    same = ("project", "actor", "session", "source", "since", "until")
    lists = {f"{name}s": [filters[name]] for name in ("tag", "type") if name in filters}
    given = {name: filters[name] for name in same if name in filters}
    return {**given, **lists, "history": "history" in filters, "archived": "archived" in filters}


def _found(call: PageCall, question: str, filters: Mapping[str, str]) -> dict[str, Any]:
    as_of = {"as_of": filters["as_of"]} if "as_of" in filters else {}
    options = {**_options(filters), **as_of}
    answer = call.jot.recall(question, tokens=TOKENS, limit=MOST_HITS, hit_tokens=HIT_TOKENS, **options)
    names = [hit.session for hit in answer.hits if hit.session]
    found = arrange(
        answer,
        titles=session_titles(call.jot.database, names, tenant=call.principal.tenant),
        given={"q": question, **filters},
        at=system_clock(),
        is_about_now=filters.keys().isdisjoint(NOT_NOW),
    )
    return {"answer": answer, "found": found, "footer": _footer(answer)}


def _listed(call: PageCall, filters: Mapping[str, str]) -> dict[str, Any]:
    after = call.query.get("after") or None
    return {"page": call.jot.list(after=after, limit=PER_PAGE, **_options(filters))}


def _footer(answer: Answer) -> str:
    return answer.text.rstrip().rpartition("\n")[2].strip("()")


ROUTES = (PageRoute(method="GET", path="/ui/memories", handler=memories),)
