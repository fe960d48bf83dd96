"""What an agent gets from memory at the start of a session and with a prompt."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.ingest.hook_events import Event


def context_for(settings: Settings, event: Event) -> str:
    """The text for the agent's model, for an event of the kind `start` or `prompt`; empty if there is nothing to say.

    A prompt was stored before this call, with the session and text of the event.
    """
    del settings, event
    return ""
