"""Which turns of a session file are stored already, although their key does not show it.

The file of some agents does not name the prompt of a turn as the hook does. And an agent that forks a session copies
its lines into the file of the new one.
"""

from __future__ import annotations

from jotsam.agents.registry import SESSION_FORMATS
from jotsam.ingest import capture, transcripts
from jotsam.storage.memories import memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

HOOK_DELAY_MS = 30_000  # at most between the time of a line and that of the turn of its hook
COMPARED = 200  # characters of a text: an agent may number its lines, so that two sessions have the same ids


class _Hooked:
    """What hooks have stored of a session: the texts, and how often each speaker has each."""

    def __init__(self, turns: list[Row]) -> None:
        self.texts: list[str] = []
        self.counts: dict[str, int] = {}
        for turn in turns:
            if said := capture.said_of_hook_key(turn["key"]):
                self.counts[said] = self.counts.get(said, 0) + 1
                self.texts.append(turn["text"])


class StoredTurns:
    """What hooks have stored of the sessions of an import."""

    def __init__(self) -> None:
        self._hooked: dict[str, _Hooked] = {}  # by session
        self._lines: dict[tuple[str, str], list[str]] = {}  # the keys of its lines that have this text

    def is_hooked(self, tx: Transaction, turn: capture.Turn) -> bool:
        """Whether a hook has stored a turn whose file does not name its prompt.

        A text that occurs several times is found as often as hooks have stored it.
        """
        said = capture.said_of_file_key(turn.key)
        if said is None:
            return False
        if turn.session not in self._hooked:
            self._hooked[turn.session] = _Hooked(memories.turns_of_session(tx, session=turn.session))
        hooked = self._hooked[turn.session]
        # By key, because a transaction may be tried again.
        lines = self._lines.setdefault((turn.session, said), [])
        if turn.key not in lines:
            lines.append(turn.key)
        if lines.index(turn.key) < hooked.counts.get(said, 0):
            return True
        return transcripts.splits_answers(turn.source) and any(
            f"\n{turn.text}\n" in f"\n{text}\n" for text in hooked.texts
        )


def mark_of(turn: capture.Turn) -> str | None:
    """What a turn and its copy in another session have alone in a file; None for a file of another program."""
    line = _line_of(turn)
    return None if line is None else f"{line}:{capture.text_mark(turn.text)}"


def _line_of(turn: capture.Turn) -> str | None:
    """The id that an agent gave a line, which its copies have too; None for a file of another program."""
    if turn.source not in SESSION_FORMATS or turn.external_id is None:
        return None
    return turn.external_id.removeprefix(f"{turn.session}:")


def is_copy(tx: Transaction, turn: capture.Turn) -> bool:
    """Whether a turn is stored in another session, from which an agent has forked the one of this file.

    `claude --fork-session` copies the lines of a session with their ids and times, and may give all their prompts the
    id of its own first prompt. The turn of a hook names no line, and has a later time.
    """
    line = _line_of(turn)
    if line is None:
        return False
    said = capture.said_of_hook_key(turn.key) or f"{capture.text_mark(turn.text)}:{turn.actor}"
    first, last = turn.said_at - HOOK_DELAY_MS, turn.said_at + HOOK_DELAY_MS
    found = memories.in_other_sessions(tx, session=turn.session, line=line, said=said, first=first, last=last)
    return any(text[:COMPARED] in turn.text for text in found)
