"""The settings of a hook, which must not lose a turn because one of them is wrong."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.settings import UNKNOWN, load_settings
from jotsam.ingest import hook_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.core.settings import Settings


def load(
    options: Mapping[str, str], *, folder: str | None, environ: Mapping[str, str] | None = None
) -> tuple[Settings, tuple[str, ...]]:
    """The settings for the options of a hook, and the names of those that could not be read.

    Without `environ`, those of this process; then an error in them is logged.
    """
    values: dict[str, object] = {name[2:]: options.get(name) or None for name in ("--db", "--tenant", "--project")}
    values["worker"] = "off" if "--no-worker" in options else None
    try:
        return load_settings(values, folder=folder, environ=environ)[0], ()
    except (InvalidInput, OSError) as error:
        if environ is None:
            hook_log.write(f"{error}; these settings are ignored")
        settings, origins = load_settings(values, folder=folder, environ=environ, strict=False)
        return settings, tuple(name for name, origin in origins.items() if origin == UNKNOWN)
