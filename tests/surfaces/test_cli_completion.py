"""`jotsam config completion` in real shells: each loads the script silently, and completes what a user begins."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from processes import PATIENCE

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

COMPLETED = {
    "jotsam rec": {"recall"},
    "jotsam jobs ": {"retry", "groups", "list", "discard", "show", "wait", "work", "pause", "resume"},
    "jotsam recall --lim": {"--limit"},
    "jotsam jobs --state d": {"dead"},
    "jotsam --tenant ana remem": {"remember"},
    "jotsam add no": {"notes.md"},
    "jotsam --db no": {"notes.md"},
    "jotsam remember --lines no": {"notes.md"},
    "jotsam db salvage no": {"notes.md"},
    "jotsam help exit": {"exit-codes"},
}

# Calls the function that `complete` names, as bash does, and prints the words that it finds for each argument.
IN_BASH = """
source "$1"; shift
name="$(complete -p jotsam)"; name="${name##*-F }"; name="${name%% *}"
for COMP_LINE; do
  read -ra COMP_WORDS <<<"$COMP_LINE"
  [[ "$COMP_LINE" == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_POINT=${#COMP_LINE}
  "$name" jotsam "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  printf '<%s>\\n' "${COMPREPLY[@]}"
  echo '<END>'
done
"""

IN_FISH = """
source $argv[1]
for line in $argv[2..]
  complete -C $line | string replace --regex '(\\t.*)?$' '>' | string replace --regex '^' '<'
  echo '<END>'
end
"""

# Types each argument and a tab into an interactive shell, whose `compadd` prints the words that it is given.
IN_ZSH = """
zmodload zsh/zpty
zpty shell zsh --no-global-rcs -i
for line; do
  zpty -w -n shell $'\\C-U'"$line"$'\\t'
  zpty -r shell shown '*<END>*' && print -r -- "$shown"
done
zpty -d shell
"""
ZSHRC = """
autoload -U compinit
compinit -u -D
{ SOURCED } 2>$ZDOTDIR/errors
setopt no_auto_list no_auto_menu
compadd() {
  if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    local -a words
    builtin compadd -A words "$@"
    print -rl -- "" "<${(@)^words}>"
  fi
  builtin compadd "$@"
}
ended() { print '<END>'; comppostfuncs=(ended) }
comppostfuncs=(ended)
"""


def test_bash_completes_commands_options_choices_and_files(jotsam: Shell) -> None:
    done = _run(jotsam, "bash", "--norc", "-c", IN_BASH, "bash", _script(jotsam, "bash"), *COMPLETED)
    assert (_words(done), done.stderr) == (COMPLETED, "")


def test_fish_completes_commands_options_choices_and_files(jotsam: Shell) -> None:
    done = _run(jotsam, "fish", "--no-config", "-c", IN_FISH, _script(jotsam, "fish"), *COMPLETED)
    assert (_words(done), done.stderr) == (COMPLETED, "")


@pytest.mark.parametrize("way", ["source {0}/_jotsam", 'eval "$(<{0}/_jotsam)"', "fpath=({0} $fpath); compinit -u -D"])
def test_zsh_completes_commands_options_choices_and_files(jotsam: Shell, way: str) -> None:
    folder = _script(jotsam, "zsh").parent
    jotsam.file("zsh/.zshrc", ZSHRC.replace("SOURCED", way.format(folder)))
    done = _run(jotsam, "zsh", "-f", "-c", IN_ZSH, "zsh", *COMPLETED)
    assert (_words(done), done.stderr) == (COMPLETED, "")
    assert (folder / "errors").read_text() == ""


def _script(jotsam: Shell, shell: str) -> Path:
    jotsam.file("work/notes.md", "We use tabs.")
    done = jotsam("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    return jotsam.file("zsh/_jotsam", done.stdout)


def _run(jotsam: Shell, shell: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed, and `source scripts/setup dev` could not install it")
    return subprocess.run(
        [program, *arguments],
        env={"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": str(jotsam.home), "ZDOTDIR": f"{jotsam.home}/zsh"},
        cwd=jotsam.home / "work",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def _words(done: subprocess.CompletedProcess[str]) -> dict[str, set[str]]:
    """The words that the shell printed for each line."""
    parts = done.stdout.split("<END>")
    return {line: set(re.findall("<(.+?)>", part)) for line, part in zip(COMPLETED, parts, strict=False)}
