"""All settings with their values, where each comes from, and what it means. Secrets are masked."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.core.settings import CHOICES, LIMITS, Settings, load_settings, mask_secret
from jotsam.core.signatures import field_comments

UNITS = {"_ms": "ms", "_days": "days", "_tokens": "tokens"}
GIVEN = "given when the server was started"
# The server replaces it for itself: a process of its own does the work.
REPLACED = ("worker",)


class SettingValue(Record):
    """A setting as it is in effect."""

    name: str
    value: str  # without secrets
    unit: str
    origin: str  # default, the path of a file, `environment VARIABLE`, or `GIVEN`
    is_default: bool
    allowed: str  # the range or the choices; empty if any text is
    meaning: str
    group: str  # the beginning of the name that it shares with others


def settings_overview(settings: Settings) -> tuple[SettingValue, ...]:
    """The settings in effect, in the order of their documentation.

    A value that differs from what files and variables say now was given by an option, or was changed since.
    """
    now, origins = load_settings(strict=False)
    comments = field_comments(Settings)
    found = []
    for name in Settings._fields:
        held, loaded = getattr(settings, name), getattr(now, name)
        is_same = held == loaded or name in REPLACED
        found.append(
            SettingValue(
                name=name,
                value=_text(mask_secret(name, loaded if is_same else held)),
                unit=next((unit for end, unit in UNITS.items() if name.endswith(end)), ""),
                origin=origins[name] if is_same else GIVEN,
                is_default=is_same and origins[name] == "default",
                allowed=_allowed(name),
                meaning=comments.get(name, ""),
                group=_group(name),
            )
        )
    return tuple(found)


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def _allowed(name: str) -> str:
    if name in LIMITS:
        low, high = LIMITS[name]
        return f"{_text(low)} to {_text(high)}"
    return ", ".join(CHOICES.get(name, ()))


def _group(name: str) -> str:
    """What the setting is about, by its name."""
    for group, beginnings in GROUPS.items():
        if name.startswith(beginnings):
            return group
    return OTHER


OTHER = "Memory"
GROUPS = {
    "Worker": ("worker", "concurrency", "shutdown", "poll", "enrich", "soft_cap"),
    "Agents": ("capture", "recall", "hook"),
    "Language model": ("llm",),
    "Embeddings": ("embed", "similar"),
    "Retention": ("keep", "trash"),
    "Server and engines": ("http", "falkordb", "qdrant", "viewer", "max_replica"),
}
