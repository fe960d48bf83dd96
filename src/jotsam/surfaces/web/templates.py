"""The templates of the pages, and the style sheet and scripts beside them, all from the package.

Everything that is shown is escaped, and a name that is not set is an error. Nothing is loaded from another site.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from markupsafe import Markup, escape

from jotsam.core.clock import duration, format_time, run_time, system_clock
from jotsam.core.records import Record
from jotsam.core.version import VERSION
from jotsam.surfaces.web.pages.markdown import plain_line, render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


FOLDER = Path(__file__).with_name("static")
PREFIX = "/ui/static/"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
SIZES = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB"))


class Asset(Record):
    """A file with the address under which pages ask for it. It changes with the content, so browsers keep it."""

    content: bytes
    media_type: str
    url: str


def load_assets() -> dict[str, Asset]:
    """All files by their names."""
    return {file.name: _asset(file) for file in sorted(FOLDER.iterdir()) if file.suffix in TYPES}


def _asset(file: Path) -> Asset:
    content = file.read_bytes()
    version = sha256(content).hexdigest()[:12]
    return Asset(content=content, media_type=TYPES[file.suffix], url=f"{PREFIX}{file.name}?v={version}")


class Templates:
    """Renders pages. Safe to use from many threads."""

    def __init__(self, files: Mapping[str, Asset]) -> None:
        self._environment = Environment(
            loader=PackageLoader("jotsam.surfaces.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals |= {"asset": lambda name: files[name].url, "version": VERSION}
        self._environment.filters |= {
            "time": time,
            "date": date,
            "day": day,
            "ago": ago,
            "number": number,
            "run_time": lambda ms: "" if ms is None else run_time(ms),
            "bytes": size,
            "percent": percent,
            "shorten": shorten,
            "marked_code": marked_code,
            "markdown": render,
            "plain_line": plain_line,
            "project": project,
            "place": place,
        }

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        return self._environment.get_template(name).render({"now": system_clock(), **values})


def time(ms: int | None) -> Markup:
    """A moment, to the minute. It is written in UTC; a script shows the time of the reader's clock."""
    if ms is None:
        return Markup("<span class=muted>never</span>")
    text = format_time(ms)
    shown = f"{text[:10]} {text[11:16]}"
    return Markup('<time datetime="{}" data-local=minute>{}</time>').format(text, shown)


def date(ms: int | None) -> Markup:
    """A day, in UTC as it was stored: `2026-03-01`."""
    if ms is None:
        return Markup("")
    return Markup('<time datetime="{0}">{0}</time>').format(format_time(ms)[:10])


def day(ms: int) -> str:
    """The day as plain text, as a form field needs it."""
    return format_time(ms)[:10]


@pass_context
def ago(context: Mapping[str, Any], ms: int | None) -> Markup:
    """How long ago a moment was, or how long until then."""
    if ms is None:
        return Markup("<span class=muted>never</span>")
    passed = context["now"] - ms
    words = f"{duration(passed)} ago" if passed >= 0 else f"in {duration(-passed)}"
    if -1_000 < passed < 1_000:
        words = "now"
    text = format_time(ms)
    return Markup('<time datetime="{}" title="{} UTC">{}</time>').format(text, f"{text[:10]} {text[11:19]}", words)


def number(value: float | None) -> str:
    """A number with separators: `12,345`, `0.25`."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def size(count: int | None) -> str:
    """A number of bytes: `1.4 MB`."""
    if count is None:
        return ""
    for unit, name in SIZES:
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count} B"


def percent(share: float | None) -> str:
    """A share of 1: `12 %`."""
    return "" if share is None else f"{share * 100:.0f} %"


def shorten(text: str, width: int = 120) -> str:
    """The text on one line, cut to a number of characters."""
    line = one_line(text)
    return line if len(line) <= width else line[: width - 1] + "…"


def marked_code(text: str) -> Markup:
    """The text, with what is between backticks as code: a command in a sentence."""
    parts = text.split("`")
    shown = [Markup("<code>{}</code>").format(one) if at % 2 else escape(one) for at, one in enumerate(parts)]
    return Markup("").join(shown)


@pass_context
def project(context: Mapping[str, Any], key: str | None) -> str:
    """What people see of a project: its label, with its key where another project has the same."""
    return context["project_labels"].get(key, key) if key else ""


def one_line(text: str) -> str:
    return " ".join(str(text).split())


@pass_context
def place(context: Mapping[str, Any], source: str | None, project: str | None) -> str:
    """A path from the folder of its project on; any other source as it is."""
    label = context.get("project_labels", {}).get(project or "", project or "").rpartition("/")[2]
    parts = (source or "").split("/")
    at = next((at for at in range(len(parts) - 2, -1, -1) if label and parts[at].lower() == label.lower()), -1)
    return "/".join(parts[at + 1 :])
