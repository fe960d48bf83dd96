"""The agents by name. What is particular to one is in the folder of its name."""

from __future__ import annotations

# In the order in which they are listed: name, source of what their hooks store ("": no hooks), and whether session
# files can be read.
_LISTED = (
    ("claude", "claude-code", True),
    ("codex", "codex", True),
    ("gemini", "gemini", True),
    ("opencode", "opencode", True),
    ("cursor", "cursor", True),
    ("vscode", "", False),
    ("git", "git", False),
)
AGENTS = tuple(name for name, _, _ in _LISTED)
SOURCES = {name: source for name, source, _ in _LISTED if source}
WITH_SESSIONS = {source: name for name, source, has_sessions in _LISTED if has_sessions}

# Formats of session files that `import_sessions` reads. Lines of the plain one can be written by any program.
PLAIN = "plain"
SESSION_FORMATS = (*WITH_SESSIONS, PLAIN)
