"""The templates of the pages: everything that is shown is escaped, and a name that is not set is an error."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from markupsafe import Markup, escape

from jotsam.core.clock import format_time, system_clock
from jotsam.core.durations import duration, run_time
from jotsam.core.version import VERSION
from jotsam.surfaces.web import assets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

SIZES = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB"))


class Templates:
    """Renders pages. Safe to use from many threads."""

    def __init__(self, files: Mapping[str, assets.Asset]) -> None:
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
            "ago": ago,
            "number": number,
            "run_time": lambda ms: "" if ms is None else run_time(ms),
            "bytes": size,
            "percent": percent,
            "shorten": shorten,
            "marked_code": marked_code,
            "project": project,
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
