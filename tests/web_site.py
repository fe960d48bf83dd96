"""A signed-in visitor of a real server's dashboard, by HTTP alone: what a browser without scripts can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

from http_server import HttpServer, Response
from jotsam import Jotsam
from jotsam.core.settings import Settings
from jotsam.memory.access.sign_ins import create_link

FORM = "application/x-www-form-urlencoded"


class WebPage:
    """A page as it was sent. `text` is what a reader sees of it, on one line."""

    def __init__(self, response: Response) -> None:
        self.status, self.headers, self.html = response.status, response.headers, response.content.decode()

    @property
    def text(self) -> str:
        without = re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", self.html, flags=re.S)
        return " ".join(unescape(without).split())

    @property
    def links(self) -> list[str]:
        """The addresses of all links."""
        return [unescape(one) for one in re.findall(r'<a\b[^>]*?\bhref="([^"]*)"', self.html)]

    def form(self, action: str) -> dict[str, Any]:
        """The fields that the form with this action sends as it stands, without those of its buttons."""
        found = re.search(rf'<form\b[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', self.html, re.S)
        assert found, f"no form with the action {action} in {self.html}"
        fields: dict[str, Any] = {}
        for name, value in _fields(found[1]):
            before = fields.get(name)
            fields[name] = value if before is None else [*(before if isinstance(before, list) else [before]), value]
        return fields

    def __repr__(self) -> str:
        return f"{self.status} {self.text[:2_000]}"


class Site:
    """A visitor. Cookies are kept as a browser keeps them; redirections are followed unless `follow` is false."""

    def __init__(self, server: HttpServer, jot: Jotsam) -> None:
        self.server, self.jot = server, jot
        self.cookies: dict[str, str] = {}

    def sign_in(self, scope: str = "operator") -> Site:
        """A visitor that is signed in with a scope."""
        visitor = Site(self.server, self.jot)
        link = create_link(self.jot.database, tenant=self.jot.settings.tenant, scope=scope)  # type: ignore[arg-type]
        page = visitor.get(f"/ui/sign-in?link={link}")
        assert page.status == 200, page
        return visitor

    def get(self, path: str, *, follow: bool = True, headers: dict[str, str] | None = None) -> WebPage:
        return self._send("GET", path, None, follow=follow, headers=headers or {})

    def post(self, path: str, *, follow: bool = True, headers: dict[str, str] | None = None, **fields: Any) -> WebPage:
        """Send a form with these fields, and the form token of this sign-in unless one is given."""
        if "form_token" not in fields:
            fields["form_token"] = self.form_token()
        content = urlencode(fields, doseq=True).encode()
        return self._send("POST", path, content, follow=follow, headers=headers or {})

    def act(self, path: str) -> WebPage:
        """Do what a page asks: send the form of the page as it stands to the same path."""
        asked = self.get(path)
        assert asked.status == 200, asked
        action = path.partition("?")[0]
        return self.post(action, **asked.form(action))

    def undo(self, page: WebPage) -> WebPage:
        """Send the form that takes back what the page says was done."""
        found = re.search(r'<div class="note ok said".*?<form method="post" action="([^"]*)"', page.html, re.S)
        assert found, f"nothing to undo: {page}"
        action = unescape(found[1])
        return self.post(action, **page.form(action))

    def form_token(self) -> str:
        found = re.search(r'name="form_token" value="([^"]*)"', self.get("/ui/").html)
        assert found, "not signed in"
        return found[1]

    def _send(self, method: str, path: str, content: bytes | None, *, follow: bool, headers: dict[str, str]) -> WebPage:
        for _ in range(5):
            sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), **headers}
            if content is not None:
                sent["Content-Type"] = FORM
            response = self.server.request(method, path, token=None, headers=sent, content=content)
            for cookie in SimpleCookie(response.headers.get("set-cookie", "")).values():
                self.cookies[cookie.key] = cookie.value
                if cookie["max-age"] == "0" or not cookie.value:
                    del self.cookies[cookie.key]
            if not follow or response.status not in (303, 307):
                return WebPage(response)
            method, path, content = "GET", response.headers["location"], None
        raise AssertionError(f"too many redirections: {path}")


def open_client(db: str) -> Jotsam:
    """The memory of the server, to fill and to compare it."""
    return Jotsam(settings=Settings(db=db, worker="off"))


def _fields(html: str) -> Iterator[tuple[str, str]]:
    for tag in re.finditer(r"<(input|textarea|select)\b([^>]*)>(.*?)(?=<(?:input|textarea|select)\b|$)", html, re.S):
        kind, attributes, rest = tag[1], tag[2], tag[3]
        name = re.search(r'\bname="([^"]*)"', attributes)
        if name is None:
            continue
        value = re.search(r'\bvalue="([^"]*)"', attributes)
        if kind == "textarea":
            yield unescape(name[1]), unescape(rest.partition("</textarea>")[0]).removeprefix("\n")
        elif kind == "select":
            chosen = re.search(r'<option value="([^"]*)" selected', rest) or re.search(r'<option value="([^"]*)"', rest)
            yield unescape(name[1]), unescape(chosen[1]) if chosen else ""
        elif not re.search(r'type="(checkbox|radio)"', attributes) or re.search(r"\bchecked\b", attributes):
            yield unescape(name[1]), unescape(value[1]) if value else ("on" if "checkbox" in attributes else "")
