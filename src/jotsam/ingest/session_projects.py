"""The project of a session, and whether its turns may be imported, by the folder in which it ran."""

from __future__ import annotations

import os

from jotsam.core.settings import PROJECT_FILE, load_settings
from jotsam.ingest import capture_switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings


class SessionProjects:
    """The project of a session, by the folder in which it ran, as a hook determines it."""

    def __init__(self, settings: Settings, project: str | None) -> None:
        self._default = project or settings.project or None
        self._is_fixed = project is not None
        self._settings = settings
        self._by_folder: dict[str, tuple[Settings, str | None]] = {}
        self._off = capture_switch.read_switches()

    def of(self, folder: str | None) -> str | None:
        if self._is_fixed or folder is None:
            return self._default
        return self._found(folder)[0].project or None

    def why_off(self, folder: str | None, session: str) -> str | None:
        """Why turns are not imported: capture is off for their project, folder or session."""
        settings, project_file = self._found(folder) if folder else (self._settings, None)
        if project_file:
            return f"capture is off by {project_file}"
        names = capture_switch.names(settings) if not self._is_fixed else (self._default or "",)
        return self._off.reason(projects=names, folder=folder, session=session)

    def _found(self, folder: str) -> tuple[Settings, str | None]:
        """The settings of a folder, and the file of that project which switches capture off."""
        if folder not in self._by_folder:
            settings, origins = load_settings(folder=folder, strict=False)
            is_off = settings.capture == "off" and os.path.basename(origins["capture"]) == PROJECT_FILE
            self._by_folder[folder] = settings, origins["capture"] if is_off else None
        return self._by_folder[folder]
