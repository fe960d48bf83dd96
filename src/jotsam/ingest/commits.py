"""Commits of git as events: what a `post-commit` hook pipes to `jotsam hook --harness git`.

That is the output of `git log -1 -z --name-only --format=FORMAT`, so this program starts no other.
"""

from __future__ import annotations

import os

from jotsam.core.validate import cut_name
from jotsam.ingest.hook_events import COMMIT, GIT, MAX_ID, Event
from jotsam.pipeline.text.words import STOP_WORDS

# Author time, author, message; then the names of the changed files.
FORMAT = "%at%x00%an%x00%B%x00"

MAX_FILES = 20
MIN_WORDS = 3
MIN_OTHER_CHARACTERS = 6
PUNCTUATION = ".,;:!?()[]\"'`"
AUTOMATIC = ("fixup!", "squash!", "amend!", "merge ")
SAYS_NOTHING = frozenset(
    [
        "wip",
        "tmp",
        "temp",
        "typo",
        "typos",
        "fix",
        "fixes",
        "fixed",
        "bug",
        "minor",
        "misc",
        "update",
        "updates",
        "updated",
        "changes",
        "change",
        "cleanup",
        "clean",
        "format",
        "formatting",
        "lint",
        "address",
        "review",
        "comments",
        "comment",
        "feedback",
        "test",
        "tests",
        "commit",
        "work",
        "progress",
        "save",
        "bump",
        "version",
        "release",
        "changelog",
        "readme",
        "initial",
        "more",
        "stuff",
        "oops",
        "again",
        "final",
        "done",
        "file",
        "files",
    ]
)


def event_of(text: str, folder: str) -> Event | None:
    """The event of a commit in `folder`; None if its message has no content. Raises `ValueError` for other input."""
    parts = text.split("\0")
    if len(parts) < 3 or not parts[0].strip().isdigit():
        raise ValueError("not the output of git log in the format of the hook")
    at, author, message = parts[0].strip(), parts[1].strip(), _without_trailers(parts[2])
    subject, _, body = message.partition("\n")
    if not says_something(subject, body):
        return None
    return Event(
        kind=COMMIT,
        name="post-commit",
        harness=GIT,
        session=cut_name(f"git {os.path.basename(folder)}", limit=MAX_ID),
        text=f"{message}{_changed([name.strip() for name in parts[3:] if name.strip()])}",
        # The author time stays when a commit is rebased, so the same message is not stored again.
        prompt=at,
        actor=cut_name(author or GIT, limit=MAX_ID),
        folder=folder,
        said_at=int(at) * 1_000,
    )


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
