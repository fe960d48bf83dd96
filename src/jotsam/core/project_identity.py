"""Which project a folder belongs to: its repository, by the remote or by the path of the git directory.

A hook calls this, so it reads a few small files and starts no process. Nothing that a clone brings along gives access
to the memory of another repository: a `.git` file counts only if the git directory that it names refers back to it, and
a name in a file is never part of the key of another repository.
"""

from __future__ import annotations

import os

from jotsam.core.own_files import read_regular
from jotsam.core.platform import folders
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIG_BYTES, LINK_BYTES = 262_144, 8_192  # limits of git's configuration, and of a file that only holds a path
MAX_HOPS = 5  # of clones of local clones
MAX_KEY_BYTES = 400  # leaves room for the name of a part
PART = "#"  # separates the key of a repository from the name of a part of it

# Hosts whose paths are the same in upper and lower case, and the ports that a URL need not name.
CASELESS_HOSTS = ("github.com", "gitlab.com", "bitbucket.org")
DEFAULT_PORTS = {"ssh": "22", "git+ssh": "22", "ssh+git": "22", "https": "443", "http": "80", "git": "9418"}


class ProjectIdentity(Record):
    """A project of a folder. The key distinguishes it from all others, the label is what people see."""

    key: str = ""  # empty: the folder belongs to no project
    label: str = ""
    root: str = ""  # the top folder of the working tree, or the folder itself
    git_dir: str = ""  # shared by all working trees; empty without a repository

    @property
    def path_key(self) -> str:
        """The key that it would have without a remote."""
        return _path_key(self.git_dir) if self.git_dir else self.key

    @property
    def mark(self) -> str:
        """Recognises the git directory after it was moved: made by its file system, so no content can imitate it.

        Empty if there is none. The number of a file alone is given again after a deletion.
        """
        try:
            made = os.stat(os.path.join(self.git_dir, "description")).st_mtime_ns
            return f"{os.stat(self.git_dir).st_ino}:{made}" if self.git_dir else ""
        except OSError:
            return ""

    def made_at(self) -> int | None:
        """When the working tree was created, in ms: git never changes this file again. None: unknown."""
        link = os.path.join(self.root, ".git")
        path = link if os.path.isfile(link) else os.path.join(self.git_dir, "description")
        try:
            return os.stat(path).st_mtime_ns // 1_000_000 if self.git_dir else None
        except OSError:
            return None


def identify(folder: str) -> ProjectIdentity:
    """The project of a folder. Reads files only, and never raises because of what is in them."""
    if "\0" in folder:
        return ProjectIdentity()
    folder = os.path.abspath(folder)
    link = nearest(folder, ".git")
    root = os.path.dirname(link) if link else folder
    git_dir = _common_dir(link) if link else ""
    if git_dir:
        key = _escaped(_key_of(git_dir))
        return ProjectIdentity(key=key, label=label_of(key), root=root, git_dir=git_dir)
    if os.path.realpath(root) in (os.path.realpath(os.path.expanduser("~")), os.path.abspath(os.sep)):
        return ProjectIdentity(root=root)  # What is stored there belongs to all projects.
    key = key_of_folder(root)
    return ProjectIdentity(key=key, label=label_of(key), root=root)


def key_of_folder(folder: str) -> str:
    """The key of a folder that is not a repository."""
    return _escaped(_portable(folders.real(folder)))


def nearest(folder: str, name: str) -> str | None:
    """Path of the nearest `name` in the folder or its parents."""
    folder = os.path.abspath(folder)
    while True:
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            return path
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def label_of(key: str) -> str:
    """What people see of a project that has no other label."""
    whole, sign, part = key.partition(PART)
    return part if sign else whole.removesuffix("/.bare").rsplit("/", 1)[-1].removesuffix(".git") or key


def folder_of(key: str) -> str:
    """The folder of a project by its key: its path, or only its name if the key is of a remote."""
    whole = key.partition(PART)[0].replace("%23", PART)
    return whole if whole.startswith("/") else whole.rsplit("/", 1)[-1]


def is_key(name: str) -> bool:
    """Whether a name can be the key of a folder. A label has no slash, so it is never taken for the key of another."""
    return "/" in name


def part_of(key: str, name: str) -> str:
    """The key of a part of a repository."""
    return f"{key}{PART}{name}"


def normalised_url(url: str) -> str | None:
    """`HOST/PATH` of the URL of a remote, without credentials; None for the path of a local repository, or no URL."""
    scheme, sign, rest = url.partition("://")
    if not url.isprintable() or scheme.lower() == "file":
        return None
    if sign:
        place, _, path = rest.partition("/")
        path = path.partition("?")[0].partition("#")[0]
    else:
        place, sign, path = url.partition(":")
        is_drive = folders.is_drive(place)
        if not sign or "/" in place or is_drive or path.startswith(":"):
            return None
        scheme = "ssh"
    host = place.rpartition("@")[2].lower().removesuffix(f":{DEFAULT_PORTS.get(scheme.lower(), '')}").rstrip(".:")
    path = "/".join(part for part in path.split("/") if part not in ("", ".")).removesuffix(".git").rstrip("/")
    if not host or not path:
        return None
    return f"{host}/{path.lower() if host in CASELESS_HOSTS else path}"


def _common_dir(link: str) -> str:
    """The git directory of the working tree whose `.git` this is; empty if that gives no access to one."""
    if os.path.islink(link):
        return ""
    if os.path.isdir(link):
        return link
    git_dir = _pointed(link, "gitdir:")
    if not git_dir:
        return ""
    common = _pointed(os.path.join(git_dir, "commondir"))
    if common:
        is_worktree = _same(os.path.join(common, "worktrees"), os.path.dirname(os.path.realpath(git_dir)))
        return common if is_worktree and _same(_pointed(os.path.join(git_dir, "gitdir")), link) else ""
    worktree = _value(git_dir, "core", "worktree")
    return git_dir if worktree and _same(os.path.join(git_dir, worktree), os.path.dirname(link)) else ""


def _key_of(git_dir: str, hops: int = MAX_HOPS) -> str:
    url = _remote(git_dir)
    if not url:
        return _path_key(git_dir)
    if known := normalised_url(url):
        return known
    if not url.isprintable():
        return _path_key(git_dir)
    path = url[7:] if url[:7].lower() == "file://" else url
    path = os.path.realpath(os.path.join(os.path.dirname(git_dir), path))
    if not os.path.exists(path) and os.path.exists(f"{path}.git"):
        path += ".git"
    link = os.path.join(path, ".git")
    origin = _common_dir(link) if os.path.lexists(link) else path
    return _key_of(origin, hops - 1) if hops and origin and os.path.isdir(origin) else _path_key(path)


def _remote(git_dir: str) -> str:
    """The URL of `origin`, or else of the first remote."""
    first = ""
    for section, name, value in _entries(git_dir):
        if section == 'remote "origin"' and name == "url":
            return value
        if section.startswith('remote "') and name == "url":
            first = first or value
    return first


def _value(git_dir: str, section: str, name: str) -> str:
    return next((value for where, key, value in _entries(git_dir) if (where, key) == (section, name)), "")


def _entries(git_dir: str) -> Iterator[tuple[str, str, str]]:
    """Section, name and value of git's configuration; nothing if it cannot be read."""
    try:
        text = read_regular(os.path.join(git_dir, "config"), CONFIG_BYTES).decode()
    except (OSError, ValueError):
        return
    section = ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            head, _, line = line[1:].partition("]")
            kind, sign, rest = head.partition('"')
            section = f'{kind.strip().lower()} "{rest}' if sign else kind.strip().lower()
            line = line.strip()
        name, sign, value = line.partition("=")
        if sign and not name.startswith(("#", ";")):
            yield section, name.strip().lower(), _unquoted(value.strip())


def _unquoted(value: str) -> str:
    """A value of git's configuration: a comment ends it unless it is in quotes."""
    found, is_quoted, at = [], False, 0
    while at < len(value):
        sign = value[at]
        if sign == "\\" and at + 1 < len(value):
            at += 1
            found.append(value[at])
        elif sign == '"':
            is_quoted = not is_quoted
        elif sign in "#;" and not is_quoted:
            break
        else:
            found.append(sign)
        at += 1
    return "".join(found).strip()


def _pointed(file: str, prefix: str = "") -> str:
    """The path in a small file, relative to its folder; empty if there is none."""
    try:
        text = read_regular(file, LINK_BYTES).decode("utf-8", "surrogateescape").strip()
    except (OSError, ValueError):
        return ""
    if not text.startswith(prefix) or "\0" in text:
        return ""
    path = text[len(prefix) :].strip()
    return os.path.normpath(os.path.join(os.path.dirname(file), path)) if path else ""


def _same(one: str, other: str) -> bool:
    """Whether two paths are one, after symbolic links. A `.git` itself is none."""
    return bool(one and other) and folders.real(one) == folders.real(other)


def _path_key(git_dir: str) -> str:
    path = folders.real(git_dir)
    return _portable(os.path.dirname(path) if os.path.basename(path) == ".git" else path)


def _portable(path: str) -> str:
    """A path as text that every database takes."""
    path = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    path = path if path.isprintable() else "".join(one if one.isprintable() else f"%{ord(one):02x}" for one in path)
    return folders.with_slashes(path)


def _escaped(key: str) -> str:
    """A key without the sign of a part, and short enough for an index."""
    key = key.replace(PART, "%23")
    if len(key) * 4 <= MAX_KEY_BYTES or len(raw := key.encode()) <= MAX_KEY_BYTES:
        return key
    from hashlib import sha256  # slow to import, and rarely needed

    tail = raw[-(MAX_KEY_BYTES - 70) :].decode("utf-8", "ignore")
    return f"{sha256(raw).hexdigest()}/{tail.partition('/')[2] or tail}"
