"""Commits of git as events: what a `post-commit` hook pipes to `jotsam hook --harness git`.

That is the output of `git log -1 -z --name-only --format=FORMAT`, so this program starts no other. A commit is nobody's
turn, because anyone may be its author: its actor is `git` and the author, never `user` or `assistant`, and its type is
given, so that its message and the names of its files do not count as a decision.
"""

from __future__ import annotations

import os

from jotsam.agents.agent import COMMIT, MAX_ID, Event
from jotsam.core.clock import format_time
from jotsam.core.validate import cut_name
from jotsam.pipeline.languages.en import STOP_WORDS

# Author time and commit time, author, committer, commit, message; then the names of the changed files. A hook that was
# installed by an earlier version gives author time, author and message.
FORMAT = "%at %ct%x00%an%x00%cn%x00%h%x00%B%x00"

MAX_FILES = 20
MIN_WORDS = 3
MIN_OTHER_CHARACTERS = 6
PUNCTUATION = ".,;:!?()[]\"'`"
AUTOMATIC = ("fixup!", "squash!", "amend!", "merge ")
SAYS_NOTHING = frozenset(
    (
        *("wip", "tmp", "temp", "typo", "typos", "fix", "fixes", "fixed", "bug", "minor"),
        *("misc", "update", "updates", "updated", "changes", "change", "cleanup", "clean", "format", "formatting"),
        *("lint", "address", "review", "comments", "comment", "feedback", "test", "tests", "commit", "work"),
        *("progress", "save", "bump", "version", "release", "changelog", "readme", "initial", "more", "stuff"),
        *("oops", "again", "final", "done", "file", "files"),
    )
)


def event_of(text: str, folder: str) -> Event | None:
    """The event of a commit in `folder`; None if its message has no content. Raises `ValueError` for other input."""
    at, _, committed_at = text.partition("\0")[0].strip().partition(" ")
    parts = text.split("\0", 4) if committed_at else text.split("\0", 2)
    if len(parts) != (5 if committed_at else 3) or not at.isdigit() or not (committed_at or at).isdigit():
        raise ValueError("not the output of git log in the format of the hook")
    author, (message, *files) = parts[1].strip(), parts[-1].split("\0")
    message = _without_trailers(message)
    subject, _, body = message.partition("\n")
    if not says_something(subject, body):
        return None
    return Event(
        kind=COMMIT,
        name="post-commit",
        harness="git",
        session=cut_name(f"git {os.path.basename(folder)}", limit=MAX_ID),
        text=f"{message}{_changed([name.strip() for name in files if name.strip()])}",
        # The author time stays when a commit is rebased, so the same message is not stored again.
        prompt=at,
        actor=cut_name(f"git {author}".strip(), limit=MAX_ID),
        folder=folder,
        said_at=int(at) * 1_000,
        metadata=_people(author, parts[2:4], committed_at) if committed_at else {"author": author},
    )


def _people(author: str, committer_and_commit: list[str], committed_at: str) -> dict[str, str]:
    """Who wrote the change and who committed it, which differ after a cherry-pick or a rebase of others' commits."""
    committer, commit = (part.strip() for part in committer_and_commit)
    at = format_time(int(committed_at) * 1_000)
    return {"author": author, "committer": committer, "committed_at": at, "commit": commit}


def _changed(files: list[str]) -> str:
    more = f" and {len(files) - MAX_FILES:,} more" if len(files) > MAX_FILES else ""
    return f"\n\nChanged files: {', '.join(files[:MAX_FILES])}{more}" if files else ""


def says_something(subject: str, body: str) -> bool:
    """Whether a message describes what was done, by its body or by the words of its subject."""
    said = subject.strip().lower()
    if said.startswith(AUTOMATIC):
        return bool(body.strip()) and not said.startswith(AUTOMATIC[:3])
    if body.strip() or not said.isascii():  # Other languages need not have spaces between words.
        return bool(body.strip()) or len(said) >= MIN_OTHER_CHARACTERS
    prefix, colon, rest = said.partition(":")
    known = {word.strip(PUNCTUATION) for word in (rest if colon and " " not in prefix else said).split()}
    return len(known - STOP_WORDS - SAYS_NOTHING - {""}) >= MIN_WORDS


def _without_trailers(message: str) -> str:
    """The message without the last paragraph if it has only lines such as "Signed-off-by: ..."."""
    text, paragraphs, last = message.strip().rpartition("\n\n")
    is_trailer = paragraphs and all(
        "-by:" in line.lower() or line.startswith("Change-Id:") for line in last.split("\n")
    )
    return text.strip() if is_trailer else message.strip()
