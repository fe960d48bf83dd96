"""The files of agents: reading, editing and replacing them, without a moment in which one is half written."""

from __future__ import annotations

import os
import stat

from jotsam.agents.agent_files import JSON, JSONC, MARK, SCRIPT, SHELL, TEXT, TOML
from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput
from jotsam.core.platform import files
from jotsam.surfaces.agent_files import edit_text
from jotsam.surfaces.agent_files import entries as entry_list
from jotsam.surfaces.agent_files.edit_json import JsonDocument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.agents.agent_files import AgentFile
    from jotsam.surfaces.agent_files.entries import Document

BOM = b"\xef\xbb\xbf"
MAX_BYTES = 50_000_000


def content_of(path: str) -> bytes | None:
    """The content of a file, None if it does not exist. Raises `InvalidInput` if it cannot be edited."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        if os.path.islink(path):
            raise InvalidInput(f"{path} is a link to {os.path.realpath(path)}, which does not exist") from None
        return None
    if not stat.S_ISREG(status.st_mode):
        raise InvalidInput(f"{path} is not a regular file")
    if status.st_size > MAX_BYTES:
        raise InvalidInput(f"{path} has more than {MAX_BYTES:,} bytes")
    if not status.st_mode & stat.S_IWUSR or not os.access(path, os.W_OK):
        raise InvalidInput(f"{path} is read-only: make it writable, or install for --scope project")
    with open(path, "rb") as file:
        return file.read()


def with_entries(file: AgentFile, content: bytes | None) -> bytes:
    """The content with every entry of ours. Raises `InvalidInput` if it cannot be parsed."""
    if file.syntax == SCRIPT:
        if content is not None and not has_entries(file, content):
            raise InvalidInput(f"{file.path} exists and was not written by jotsam: rename it, then run this again")
        return file.content.encode()
    if file.syntax == SHELL:
        try:
            return _edited_text(file, content or b"", lambda text: edit_text.with_shell_block(text, file.content))
        except InvalidInput as error:
            raise InvalidInput(f"{file.path}: {error}; nothing was changed") from None
    if file.syntax == TEXT:
        return _edited_text(file, content or b"", lambda text: edit_text.with_block(text, file.content))
    return _edited(file, content or b"", entry_list.add)


def without_entries(file: AgentFile, content: bytes) -> bytes | None:
    """The content without any entry of ours; None if the whole file is ours."""
    if file.syntax == SCRIPT:
        return None if has_entries(file, content) else content
    if file.syntax == SHELL:
        return _edited_text(file, content, edit_text.without_shell_block)
    if file.syntax == TEXT:
        return _edited_text(file, content, edit_text.without_block)
    return _edited(file, content, entry_list.remove)


def has_entries(file: AgentFile, content: bytes) -> bool:
    """Whether any entry of ours is in it. False for a file that cannot be parsed."""
    if file.syntax == SCRIPT:
        return MARK.encode() in content
    try:
        if file.syntax == TEXT:
            return edit_text.has_block(_text(file, content).replace("\r\n", "\n"))
        if file.syntax == SHELL:
            return edit_text.has_shell_block(_text(file, content))
        return any(entry_list.ours(_parsed(file, content)[0].value, file.entries))
    except InvalidInput:
        return False


def is_empty(file: AgentFile, content: bytes) -> bool:
    """Whether a file has, except for our entries, only what `with_entries` writes into an empty one."""
    if file.syntax == SHELL:
        return edit_text.is_empty_script(_text(file, content))
    if file.syntax in (SCRIPT, TEXT):
        return not content.strip()
    return entry_list.is_empty(_parsed(file, content)[0].value, file.entries)


def replace_file(path: str, content: bytes) -> None:
    """Replace a file at once, or create it. A link stays one, and the mode and owner of the file stay.

    A script that begins with `#!` is made executable.
    """
    real = os.path.realpath(path)
    os.makedirs(os.path.dirname(real), exist_ok=True)
    try:
        before: os.stat_result | None = os.stat(real)
    except FileNotFoundError:
        before = None
    part = f"{real}.{new_id()[:8]}.part"
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            if before is not None:
                files.give_owner_and_mode(file.fileno(), before)
            if content.startswith(b"#!"):
                files.make_executable(file.fileno())
            os.fsync(file.fileno())
        files.replace(part, real)
    except OSError:
        delete_file(part)
        raise


def delete_file(path: str, folders: tuple[str, ...] = ()) -> None:
    """Delete a file, and then the folders that are empty, the last one first."""
    try:
        os.unlink(path)
        for folder in reversed(folders):
            os.rmdir(folder)
    except OSError:
        pass  # It is gone already, or another process uses the folder.


def _text(file: AgentFile, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file.path} is not UTF-8: {error}; nothing was changed") from None


def _edited_text(file: AgentFile, content: bytes, edit: Callable[[str], str]) -> bytes:
    return edit_text.in_its_lines(_text(file, content), edit).encode()


def _edited(file: AgentFile, content: bytes, edit: object) -> bytes:
    document, bom = _parsed(file, content)
    try:
        edit(document, file.entries)  # type: ignore[operator]
    except InvalidInput as error:
        raise InvalidInput(f"{file.path}: {error}; nothing was changed") from None
    return bom + document.text.encode()


def _parsed(file: AgentFile, content: bytes) -> tuple[Document, bytes]:
    bom = BOM if content.startswith(BOM) else b""
    try:
        text = content[len(bom) :].decode()
        if file.syntax == TOML:
            from jotsam.surfaces.agent_files.edit_toml import TomlDocument

            return TomlDocument(text), bom
        text = text if text.strip() else "{}\n"
        return JsonDocument(text, comments=file.syntax != JSON, trailing_commas=file.syntax == JSONC), bom
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file.path} is not UTF-8: {error}; nothing was changed") from None
    except InvalidInput as error:
        raise InvalidInput(f"{file.path} cannot be parsed: {error}; nothing was changed") from None


def missing_folders(path: str) -> tuple[str, ...]:
    """The folders that must be made for a file, the innermost last."""
    missing, folder = list[str](), os.path.dirname(os.path.realpath(path))
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return tuple(reversed(missing))
