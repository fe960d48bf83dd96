"""Shell commands and instructions in what was said in a session. Pure.

Tool calls of agents are not stored, so this reads what people and agents wrote: commands in code blocks and in code
spans, and sentences that tell how something is to be done.
"""

from __future__ import annotations

import re

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.likeness.word_likeness import stemmed_words
from jotsam.pipeline.text.blocks import CODE, PROSE, split_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_COMMAND, MAX_INSTRUCTION = 200, 240  # characters
MIN_WORDS = 3  # of an instruction that say something
SHELLS = frozenset(("", "bash", "sh", "zsh", "shell", "console", "shell-session", "terminal"))

# A line of code is a command if it begins with one of these, or with a path or a prompt.
PROGRAMS = frozenset(
    """
    alembic ansible ansible-playbook apt apt-get aws az bazel black brew bun bundle cargo cmake composer conda cp curl
    deno docker docker-compose dotnet eslint flake8 flyctl gcloud gh git go gradle helm hg jest jotsam just kubectl make
    mix mkdocs mkdir mv mvn mypy nox npm npx php pip pipx pnpm podman poetry pre-commit prettier psql pulumi pyright
    pytest python python3 rails rake rm rsync ruff rustup scp sed sqlite3 ssh supabase systemctl terraform tox tsc twine
    uv uvicorn uvx vite vitest wget wrangler yarn
    """.split()  # noqa: SIM905 - eighty quoted words are harder to read than their text
)

_PROMPT = lazy_pattern(r"\A\s*(?:[$%❯➜]\s+)(?=\S)")
_SPAN = lazy_pattern(r"(?<!`)`([^`\n]{3,200})`(?!`)")
_PROGRAM = lazy_pattern(r"(?:[A-Z_][A-Z0-9_]*=\S+ )*(?:sudo )?(\.{0,2}/[\w./-]+|[\w.-]+)")
_QUOTED = lazy_pattern(r"""(?<!\\)("[^"\n]*"|'[^'\n]*')""")
_NUMBER = lazy_pattern(r"\bv?\d+(?:\.\d+)+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b|\b\d{2,}\b")
_SENTENCE_END = lazy_pattern(r"(?<=[^\s.][.!?])\s+|\n+")
_INSTRUCTION = lazy_pattern(
    r"\b(?:always|never|don['’]t ever|make sure|be sure to|remember to|do not forget|don['’]t forget|from now on"
    r"|every time|before (?:you|each|every|committing|pushing|merging)|after (?:you|each|every)|(?:you|we) must|should"
    r" (?:always|never)|please (?:use|run|write|keep|add|avoid|do not|don['’]t)|use \S+ instead of|no longer use)\b",
    re.IGNORECASE,
)
_QUESTION = lazy_pattern(
    r"\?\s*\Z|\A\s*(?:why|how|what|when|who|where|do|does|did|is|are|can|could|should|would)\b", re.I
)


class SaidCommand(Record):
    """A command as it was written, and in the form in which it is compared."""

    text: str
    form: str


def commands_in(text: str) -> Iterator[SaidCommand]:
    """The shell commands in a text, in order."""
    for block in split_blocks(text):
        if block.kind == CODE and block.language in SHELLS:
            for line in _lines(block.text):
                yield from _command(_PROMPT.sub("", line), is_shown=bool(_PROMPT.match(line)))
        elif block.kind == PROSE:
            for found in _SPAN.finditer(block.text):
                yield from _command(found[1])


def instructions_in(text: str) -> Iterator[str]:
    """The sentences that tell how something is to be done."""
    for block in split_blocks(text):
        if block.kind == PROSE:
            for part in _SENTENCE_END.split(block.text):
                sentence = " ".join(part.split()).lstrip("-*• ")
                if _is_instruction(sentence):
                    yield sentence


def _is_instruction(sentence: str) -> bool:
    if len(sentence) > MAX_INSTRUCTION or _QUESTION.search(sentence) or not _INSTRUCTION.search(sentence):
        return False
    return len(stemmed_words(sentence)) >= MIN_WORDS


def _lines(block: str) -> Iterator[str]:
    """The lines of a fenced block, those that end in a backslash joined with the next."""
    begun = ""
    for line in block.split("\n"):
        if line.lstrip().startswith(("```", "~~~", "#")) or not line.strip():
            continue
        if line.rstrip().endswith("\\"):
            begun += line.rstrip()[:-1].rstrip() + " "
        else:
            yield (begun + line.strip()) if begun else line
            begun = ""


def _command(line: str, *, is_shown: bool = False) -> Iterator[SaidCommand]:
    text = " ".join(line.split())
    program = _PROGRAM.match(text)
    if program is None or len(text) > MAX_COMMAND or not (is_shown or _is_program(program[1], text)):
        return
    yield SaidCommand(text=text, form=_NUMBER.sub("N", _QUOTED.sub("'…'", text)))


def _is_program(name: str, text: str) -> bool:
    is_path = name.startswith(("./", "../", "/")) and not name.endswith("/")
    has_arguments = " " in text
    return (is_path and (has_arguments or name.endswith((".sh", ".py")))) or (
        name in PROGRAMS and (has_arguments or name in ("make", "pytest", "tox", "nox", "just"))
    )
