"""Which project a folder belongs to: real repositories, and what a clone could bring along to be taken for another."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.core.project_identity import MAX_KEY_BYTES, identify, label_of, normalised_url
from jotsam.core.settings import Settings, load_settings

ACME = "git@github.com:acme/api.git"
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_ALLOW_PROTOCOL": "file",
    **{f"GIT_{who}_{what}": "ana@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def git(folder: Path, *arguments: str | Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "-C", folder, *arguments], env=ENVIRONMENT, check=True, capture_output=True)


def repository(folder: Path, remote: str = "") -> Path:
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "first")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


def key(folder: Path) -> str:
    return identify(str(folder)).key


def settings(folder: Path) -> tuple[str, str]:
    found = load_settings(folder=str(folder), environ={"HOME": os.environ["HOME"]})[0]
    return found.project, found.project_label


def test_spellings_of_one_remote_are_one_key() -> None:
    for url in (
        "git@h:acme/api",
        "h:acme/api.git",
        "ssh://git@h:22/acme/api",
        "ssh://git@H/acme/api/",
        "https://user:token@h/acme/api.git/",
        "https://h:443/acme//api?token=secret#there",
        "git://h/acme/api.git",
        "git+ssh://git@h./acme/api",
    ):
        assert normalised_url(url) == "h/acme/api", url
    assert normalised_url("https://GitHub.com/Acme/API.git") == "github.com/acme/api"
    assert normalised_url("https://h/Acme/API") == "h/Acme/API"
    assert normalised_url("ssh://git@h:2222/acme/api") == "h:2222/acme/api"
    for local in ("/srv/api.git", "../api", "file:///srv/api", "C", "", "https://", "git@h:", "a\0b:c", "ext::sh -c x"):
        assert normalised_url(local) is None, local


def test_worktrees_clones_subfolders_symlinks_and_renamed_folders_share(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop", ACME)
    git(main, "worktree", "add", "--quiet", "../shop-feature")
    git(tmp_path, "clone", "--quiet", main, "second")
    git(tmp_path / "second", "remote", "set-url", "origin", "https://github.com/acme/api")
    (main / "src" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(main)
    places = [main, tmp_path / "shop-feature", tmp_path / "second", main / "src" / "deep", tmp_path / "link" / "src"]
    main.rename(tmp_path / "renamed")
    git(tmp_path / "renamed", "worktree", "repair", tmp_path / "shop-feature")
    places[:1] = [tmp_path / "renamed"]
    places[3:4] = [tmp_path / "renamed" / "src" / "deep"]
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to(tmp_path / "renamed")
    assert {key(place) for place in places} == {"github.com/acme/api"}
    assert {identify(str(place)).label for place in places} == {"api"}


def test_without_a_remote_the_git_directory_is_the_key(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop")
    git(main, "worktree", "add", "--quiet", "../shop-feature")
    assert key(main) == key(tmp_path / "shop-feature") == str(main)
    git(tmp_path, "clone", "--quiet", "--bare", main, "bare.git")
    git(tmp_path / "bare.git", "remote", "remove", "origin")
    git(tmp_path / "bare.git", "worktree", "add", "--quiet", "../of-bare")
    assert key(tmp_path / "of-bare") == str(tmp_path / "bare.git")
    assert identify(str(tmp_path / "of-bare")).label == "bare"


def test_a_clone_of_a_local_clone_shares_with_it(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop")
    git(tmp_path, "clone", "--quiet", main, "second")
    git(tmp_path, "clone", "--quiet", f"file://{tmp_path}/second", "third")
    assert key(tmp_path / "third") == key(tmp_path / "second") == key(main) == str(main)
    git(main, "remote", "add", "upstream", ACME)
    assert key(tmp_path / "third") == "github.com/acme/api"
    git(main, "remote", "set-url", "upstream", str(tmp_path / "third"))  # They refer to each other.
    assert key(tmp_path / "third").startswith(str(tmp_path))


def test_two_of_one_name_and_forks_are_two_and_a_submodule_is_its_own(tmp_path: Path) -> None:
    one, other = repository(tmp_path / "a" / "api", ACME), repository(tmp_path / "b" / "api", "git@h:other/api")
    assert (key(one), key(other)) == ("github.com/acme/api", "h/other/api")
    assert identify(str(one)).label == identify(str(other)).label == "api"
    library = repository(tmp_path / "library")
    git(one, "submodule", "--quiet", "add", library, "lib")
    git(one / "lib", "remote", "set-url", "origin", "git@h:other/library")
    assert key(one / "lib") == "h/other/library"
    git(one / "lib", "remote", "remove", "origin")
    assert key(one / "lib") == str(one / ".git" / "modules" / "lib")
    assert key(library) == str(library)


def test_a_dot_git_file_gives_access_to_nothing_unless_the_git_directory_refers_back(tmp_path: Path) -> None:
    victim = repository(tmp_path / "victim", ACME)
    git(victim, "worktree", "add", "--quiet", "../real")
    evil = tmp_path / "evil"
    (evil / "fake").mkdir(parents=True)
    (evil / "sub").mkdir()
    link = evil / ".git"
    for target in ("../victim/.git", "../victim/.git/worktrees/real", "fake", "nowhere", "", "\0", "fake\0x"):
        link.write_text(f"gitdir: {target}\n")
        assert (key(evil), key(evil / "sub")) == (str(evil), str(evil)), target
    link.write_text("gitdir: fake\n")  # A made up administrative folder, which does refer back.
    (evil / "fake" / "commondir").write_text("../../victim/.git\n")
    (evil / "fake" / "gitdir").write_text(f"{link}\n")
    assert key(evil) == str(evil)
    link.unlink()
    link.symlink_to("../victim/.git")
    assert key(evil) == str(evil)
    link.unlink()
    link.mkdir()
    (link / "commondir").write_text("../../victim/.git\n")
    assert key(evil) == str(evil)


def test_a_bare_layout_inside_a_repository_is_no_repository(tmp_path: Path) -> None:
    evil = repository(tmp_path / "evil", "git@h:evil/x")
    git(evil, "init", "--quiet", "--bare", "nested")
    git(evil / "nested", "remote", "add", "origin", ACME)
    assert key(evil / "nested") == "h/evil/x"


def test_a_configuration_that_cannot_be_read_is_ignored(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop", ACME)
    config = main / ".git" / "config"
    whole = config.read_bytes()
    for bad in (
        whole + b"\xff",
        whole + b"#" * 300_000,
        b'[remote "origin"]\n\turl = https://h/a\x00b\n',
        b"[" * 9_000,
    ):
        config.write_bytes(bad)
        assert key(main) == str(main)
    config.unlink()
    for target in ("/dev/zero", "/dev/stdin"):
        config.symlink_to(target)
        assert key(main) == str(main)
        config.unlink()
    os.mkfifo(config)
    assert key(main) == str(main)
    config.unlink()
    config.write_text(
        '; [remote "origin"]\n[ReMoTe "origin"] url = "git@github.com:acme/api" ; the one\n[core]\n\tbare'
    )
    assert key(main) == "github.com/acme/api"


def test_credentials_are_in_no_key(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop", "https://ana:ghp_secret@example.com/acme/api.git?private_token=ghp_secret")
    assert key(main) == "example.com/acme/api"


def test_a_folder_without_a_repository_is_its_own_and_the_home_folder_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to("notes")
    assert key(tmp_path / "link") == key(tmp_path / "notes") == str(tmp_path / "notes")
    assert key(tmp_path / "notes" / "sub") == str(tmp_path / "notes" / "sub")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (key(tmp_path), key(Path("/"))) == ("", "")


def test_a_key_of_any_folder_fits_into_an_index(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(3):
        folder = folder / ("ü" * 100)
    other = folder.with_name("ü" * 99 + "u")
    for one in (folder, other):
        one.mkdir(parents=True)
        assert len(key(one).encode()) <= MAX_KEY_BYTES
    assert key(folder) != key(other)
    odd = tmp_path / os.fsdecode(b"line\nbreak\xff#part")
    odd.mkdir()
    assert key(odd).isprintable()
    assert "#" not in key(odd)
    key(odd).encode()


def test_a_project_file_names_its_repository_or_parts_a_folder_of_it(tmp_path: Path) -> None:
    mono = repository(tmp_path / "mono", ACME)
    (mono / "web" / "src").mkdir(parents=True)
    (mono / ".jotsam.toml").write_text('project = "all"\n')
    (mono / "web" / ".jotsam.toml").write_text('project = "web"\n')
    assert settings(mono) == ("github.com/acme/api", "all")
    assert settings(mono / "web" / "src") == ("github.com/acme/api#web", "web")
    assert label_of("github.com/acme/api#web") == "web"
    (tmp_path / ".jotsam.toml").write_text('project = "above"\n')
    inner = repository(tmp_path / "inner")
    assert settings(inner) == (str(inner), "inner")


def test_a_project_file_chooses_no_database_and_switches_nothing_on(tmp_path: Path) -> None:
    """A hook, which must not fail because of a file, ignores what is refused elsewhere."""
    evil = repository(tmp_path / "evil")
    file, before = evil / ".jotsam.toml", load_settings(folder=str(evil), environ={})[0]
    refused = {name: "x" for name in Settings._fields if name not in ("project", "recall_tokens", "capture", "recall")}
    assert {"db", "worker", "llm_url", "embed_url", "tenant"} < refused.keys()
    for name, value in refused.items():
        file.write_text(f'{name} = "{value}"\n')
        with pytest.raises(InvalidInput, match=name):
            load_settings(folder=str(evil), environ={})
        assert load_settings(folder=str(evil), environ={}, strict=False)[0] == before, name
    user = tmp_path / "config" / "jotsam" / "config.toml"
    user.parent.mkdir(parents=True)
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    for name in ("capture", "recall"):
        user.write_text(f'{name} = "off"\n')
        file.write_text(f'{name} = "on"\n')
        with pytest.raises(InvalidInput, match="a project can only switch it off"):
            load_settings(folder=str(evil), environ=environ)
        assert getattr(load_settings(folder=str(evil), environ=environ, strict=False)[0], name) == "off"


def test_a_name_in_a_project_file_is_never_another_key(tmp_path: Path) -> None:
    evil = repository(tmp_path / "evil")
    file = evil / ".jotsam.toml"
    for name in ("victim", "c#x", ".."):
        file.write_text(f'project = "{name}"\n')
        assert settings(evil) == (str(evil), name)
    for name in ("github.com/acme/api", "/home/ana/victim", "a\\nb", "x" * 81):
        file.write_text(f'project = "{name}"\n')
        with pytest.raises(InvalidInput, match="invalid project"):
            settings(evil)
        assert load_settings(folder=str(evil), environ={}, strict=False)[0].project == str(evil)
    beside = tmp_path / "evil#part"  # A folder whose name looks as a part of the other.
    beside.mkdir()
    (evil / "sub").mkdir()
    (evil / "sub" / ".jotsam.toml").write_text('project = "part"\n')
    assert settings(evil / "sub")[0] != settings(beside)[0]
