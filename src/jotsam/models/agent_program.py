"""A coding agent of the user as a language model: one process for each request, without tools.

    model = AgentProgram("claude", model="", timeout_ms=45_000)
    reply = model.complete([{"role": "system", "content": "..."}, {"role": "user", "content": "..."}])

The prompt is the standard input. The program runs in an empty folder, with few variables of the environment, until it
ends, prints too much or the time is over; then its whole process group is killed. Two of these variables make hooks of
Jotsam do nothing, should one run in spite of everything. A failure raises the job error that fits:

| failure | raised |
|---|---|
| the program is absent or too old, not signed in, has no such model, or its plan is used up | `ProviderUnavailable` |
| a rate limit, or its service is overloaded | `RetryJob` after a delay; no attempt spent |
| the text is too long | `TooLong` |
| too much output | `Refused` |
| no end within the time | `NoAnswer` |
| anything else | `RetryJob`; an attempt spent |

A model that calls a tool, although it has none, has refused the text: nothing is run, and the caller gives up.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import threading

from jotsam.agents.agent import agent_named
from jotsam.agents.as_model import Invocation, Run
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import JobError, NoAnswer, ProviderUnavailable, Refused, RetryJob, TooLong
from jotsam.core.platform.processes import kill_with_children
from jotsam.core.validate import replace_unstorable
from jotsam.models.chat import CHARACTERS_PER_TOKEN, CUT_OFF, MAX_OUTPUT_TOKENS, MAX_REPLY_BYTES, ChatReply
from jotsam.models.openai_endpoint import MAX_MESSAGE_CHARACTERS, RATE_LIMIT_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import IO

    from jotsam.agents.as_model import AgentCommand, Printed
    from jotsam.models.chat import Message

NO_HOOKS = {"JOTSAM_CAPTURE": "off", "JOTSAM_RECALL": "off"}
AT_ONCE = 2  # processes of one worker; each takes 200 to 400 MB
QUERY_MS = 15_000  # for a command that asks no model
ENDING_MS = 5_000
MAX_ERROR_BYTES = 65_536
# Passed on to each program: where it finds its files, certificates and proxies.
KEPT = (
    *("HOME", "USER", "LOGNAME", "PATH", "SHELL", "LANG", "LC_ALL", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_DATA_HOME"),
    *("DBUS_SESSION_BUS_ADDRESS", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT"),
    *("COMSPEC", "PATHEXT", "TEMP", "TMP"),
)
PLACES = (
    *("~/.local/bin", "~/.claude/local", "~/.opencode/bin", "~/.npm-global/bin", "~/.bun/bin"),
    *("/usr/local/bin", "/opt/homebrew/bin"),
)

# A file that the text names so would be added to the prompt by some programs.
_FILE_REFERENCE = re.compile(r"@(?=[\"'~/\\.]|[A-Za-z]:)")

_TOO_LONG = re.compile(r"too long|too large|context.?(length|window)|too many tokens|maximum context", re.IGNORECASE)
_USED_UP = re.compile(
    r"usage.?limit|hit your.*limit|limit reached|out of (credit|extra usage)|quota|credit balance|billing|payment",
    re.IGNORECASE,
)
_RATE_LIMIT = re.compile(r"\b429\b|rate.?limit|too many requests|overloaded|\b529\b|resource.?exhausted", re.IGNORECASE)
_SIGNED_OUT = re.compile(
    r"\blog[ -]?in\b|logged (in|out)|sign(ed)?[ -]in|api.?key|\bauth|unauthori[sz]ed|credential|\b40[13]\b|forbidden",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model.{0,80}(not (found|exist|supported|available)|does not exist|unknown|invalid|no access)|"
    r"(unknown|invalid|not found|no such|issue with the selected).{0,40}model|\b404\b",
    re.IGNORECASE,
)
_TOO_OLD = re.compile(r"unknown (option|argument)|unexpected argument|unrecognized", re.IGNORECASE)
_NO_NETWORK = re.compile(
    r"ECONN|ENOTFOUND|EAI_AGAIN|fetch failed|(unable|failed|cannot) to? ?connect|connection (error|refused)|network",
    re.IGNORECASE,
)


class AgentProgram:
    """One coding agent on this machine, asked as a language model. Thread-safe."""

    def __init__(
        self, agent: str, *, model: str = "", timeout_ms: int, max_output_tokens: int = MAX_OUTPUT_TOKENS
    ) -> None:
        """`agent` is one of `LLM_AGENTS`; `model` is "" for its cheapest."""
        self._agent = agent_named(agent)
        self._command = self._agent.model_command
        self._chosen = model
        self.model = f"{agent}:{model}" if model else agent
        self.timeout_ms = self.longest_ms = timeout_ms
        self.max_output_tokens = max_output_tokens
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._printed: dict[tuple[str, ...], bytes] = {}
        self._rate_limited_until = 0

    def complete(self, messages: Sequence[Message], *, deadline: int | None = None) -> ChatReply:
        """The model's reply. Raises as listed at the top of this module."""
        deadline = monotonic_ms() + self.timeout_ms if deadline is None else deadline
        wait = self._rate_limited_until - monotonic_ms()
        if wait > 0:
            raise RetryJob(f"{self._agent.title} is rate limited for {wait} ms more", after_ms=wait, spend=False)
        if not self._places.acquire(timeout=max(0, deadline - monotonic_ms()) / 2_000):
            raise RetryJob(f"{AT_ONCE} requests to {self._agent.title} run", after_ms=0, spend=False)
        try:
            return self._complete(messages, deadline)
        finally:
            self._places.release()

    def context_tokens(self) -> None:
        """Not known, and large."""

    def fit(self, *, schema: object, max_output_tokens: int) -> None:
        """The program has no schema."""
        self.max_output_tokens = max_output_tokens

    def version(self) -> str:
        """What the program says about its version. It asks no model. Raises `ProviderUnavailable`."""
        with _Folder() as folder:
            printed = self._query(folder, Invocation(arguments=("--version",), environ={}), QUERY_MS)
        return _one_line(printed.decode(errors="replace"))

    def close(self) -> None:
        """Kill the programs that run."""
        with self._lock:
            running = list(self._running)
        for process in running:
            kill_with_children(process)

    def __repr__(self) -> str:
        return f"AgentProgram({self.model!r})"

    def _complete(self, messages: Sequence[Message], deadline: int) -> ChatReply:
        system = "\n\n".join(one["content"] for one in messages if one["role"] == "system")
        text = "\n\n".join(one["content"] for one in messages if one["role"] != "system")
        prompt = _FILE_REFERENCE.sub("@ ", text)
        with _Folder() as folder:
            invocation = self._command.invoke(
                Run(
                    model=self._chosen,
                    system=system,
                    folder=folder.path,
                    max_output_tokens=self.max_output_tokens,
                    environ=os.environ,
                    query=lambda other: self._query(folder, other, min(QUERY_MS, deadline - monotonic_ms())),
                    links=folder.links,
                )
            )
            code, output, errors = self._run(folder, invocation, prompt, deadline - monotonic_ms())
        said = output if output.strip() else errors
        printed = self._command.read(said.decode(errors="replace"))
        if printed.error and not printed.tool and not printed.is_cut_off:
            raise self._failure(printed, code)
        return _reply(printed, len(system) + len(prompt))

    def _query(self, folder: _Folder, invocation: Invocation, left_ms: int) -> bytes:
        """What the program prints for a command. That of the first time is kept."""
        key = invocation.arguments
        if key not in self._printed:
            code, output, errors = self._run(folder, invocation, "", left_ms)
            if code:
                shown = _one_line(errors.decode(errors="replace"))
                raise ProviderUnavailable(
                    f"`{self._agent.name} {' '.join(key)}` failed: {shown} (is it an older version? update it)"
                )
            self._printed[key] = output
        return self._printed[key]

    def _run(self, folder: _Folder, invocation: Invocation, prompt: str, left_ms: int) -> tuple[int, bytes, bytes]:
        """Exit code, output and errors of the program."""
        title = self._agent.title
        if left_ms <= 0:
            raise NoAnswer(f"no time is left to start {title}", may_be_billed=False)
        program = find_program(self._agent.name)
        if program is None:
            raise ProviderUnavailable(
                f"the program {self._agent.name} of {title} is not in {_path()}: install it, or set llm to another"
            )
        environ = {**_environ(self._command, program), **invocation.environ, **NO_HOOKS}
        process = self._start([program, *invocation.arguments], environ, folder, prompt)
        output = _Reader(process.stdout, MAX_REPLY_BYTES, on_excess=lambda: kill_with_children(process))
        errors = _Reader(process.stderr, MAX_ERROR_BYTES)
        try:
            process.wait(left_ms / 1000)
        except subprocess.TimeoutExpired:
            raise NoAnswer(f"{title} timed out after {left_ms} ms") from None
        finally:
            kill_with_children(process)  # And what it started.
            process.wait()
            output.end()
            errors.end()
            with self._lock:
                self._running.discard(process)
            folder.give_back()
        if output.is_excess:
            raise Refused(f"the output of {title} exceeds {MAX_REPLY_BYTES:,} bytes", status=200)
        return process.returncode, bytes(output.data), bytes(errors.data)

    def _start(
        self, command: list[str], environ: Mapping[str, str], folder: _Folder, prompt: str
    ) -> subprocess.Popen[bytes]:
        with tempfile.TemporaryFile() as stdin:
            stdin.write(prompt.encode("utf-8", "replace"))
            stdin.seek(0)
            try:
                process = subprocess.Popen(
                    command,
                    stdin=stdin,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    cwd=folder.work,
                    env=environ,
                    start_new_session=True,
                )
            except OSError as error:
                raise ProviderUnavailable(f"{command[0]} cannot be started: {error}") from error
        with self._lock:
            self._running.add(process)
        return process

    def _failure(self, printed: Printed, code: int) -> JobError:
        """The job error for what the program reported."""
        title = self._agent.title
        whole = printed.error[:20_000]
        message = f"{title} failed (exit code {code}): {_one_line(whole)}"
        error: JobError
        if _TOO_OLD.search(whole):
            error = ProviderUnavailable(f"{message} (is it an older version? update it)")
        elif _TOO_LONG.search(whole):
            error = TooLong(message, status=400)
        elif _USED_UP.search(whole):
            error = ProviderUnavailable(f"{message} (the plan is used up for now)")
        elif _RATE_LIMIT.search(whole):
            self._rate_limited_until = monotonic_ms() + RATE_LIMIT_MS
            error = RetryJob(message, after_ms=RATE_LIMIT_MS, spend=False)
        elif _NO_MODEL.search(whole):
            error = ProviderUnavailable(f"{message} (set llm_model to a model of {title})")
        elif _SIGNED_OUT.search(whole):
            error = ProviderUnavailable(f"{message} (sign in: `{self._command.sign_in}`)")
        elif _NO_NETWORK.search(whole):
            error = ProviderUnavailable(message)
        else:
            error = RetryJob(message)
        error.may_be_billed = bool(printed.tokens_out)
        return error


def find_program(name: str) -> str | None:
    """The path of a program, which may be in a folder that is in the PATH of terminals only."""
    return shutil.which(name, path=_path())


def _path() -> str:
    """Without relative folders: the current one may be a clone of untrusted code."""
    folders = [*os.environ.get("PATH", "").split(os.pathsep), *map(os.path.expanduser, PLACES)]
    return os.pathsep.join(filter(os.path.isabs, folders))


def _environ(command: AgentCommand, program: str) -> dict[str, str]:
    """What is kept of the environment. A script finds its interpreter beside itself."""
    beginnings = tuple(name for name in command.keeps if not name.startswith("*"))
    ends = tuple(name[1:] for name in command.keeps if name.startswith("*"))
    found = {
        name: value
        for name, value in os.environ.items()
        if name in KEPT or name.startswith(beginnings) or (name.endswith(ends) and not name.startswith("JOTSAM_"))
    }
    path = os.pathsep.join([_path(), os.path.dirname(program)])
    return found | {"PATH": path, "TERM": "xterm-256color", "NO_COLOR": "1"}


def _reply(printed: Printed, prompt_characters: int) -> ChatReply:
    text = "" if printed.tool else replace_unstorable(printed.text)
    tokens_in, tokens_out = printed.tokens_in, printed.tokens_out
    if not tokens_in:
        tokens_in = prompt_characters // CHARACTERS_PER_TOKEN
    tool = replace_unstorable(_one_line(printed.tool))
    return ChatReply(
        text=text,
        tokens_in=tokens_in,
        tokens_cached=min(printed.tokens_cached, tokens_in),
        tokens_out=len(text) // CHARACTERS_PER_TOKEN if tokens_out is None else tokens_out,
        finish=CUT_OFF if printed.is_cut_off and not tool else "stop",
        refusal=f"it asked for a tool ({tool}), and has none" if tool else "",
        cost=printed.cost,
    )


def _one_line(text: str) -> str:
    return " ".join(replace_unstorable(text).split())[:MAX_MESSAGE_CHARACTERS]


class _Folder:
    """A private folder for one request, with an empty working folder in it."""

    def __enter__(self) -> _Folder:
        self.path = tempfile.mkdtemp(prefix="jotsam-model-")
        self.links: dict[str, str] = {}  # by path in this folder: the file of the user
        self.work = os.path.join(self.path, "work")
        os.mkdir(self.work)
        return self

    def give_back(self) -> None:
        """Move a sign-in that the program renewed to where the user has it: it may have replaced the link to it."""
        for path, own in self.links.items():
            if os.path.isfile(path) and not os.path.islink(path):
                shutil.copy2(path, f"{own}.jotsam")
                os.replace(f"{own}.jotsam", own)

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


class _Reader:
    """Reads a stream in a thread, up to a limit."""

    def __init__(self, stream: IO[bytes] | None, limit: int, *, on_excess: Callable[[], object] = bool) -> None:
        """`on_excess` is called in that thread for what is above the limit."""
        assert stream is not None
        self.data = bytearray()
        self.is_excess = False
        self._stream, self._limit, self._on_excess = stream, limit, on_excess
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while piece := self._stream.read1(65_536):  # type: ignore[attr-defined]
            room = self._limit - len(self.data)
            self.data += piece[:room]
            if len(piece) > room:
                self.is_excess = True
                self._on_excess()

    def end(self) -> None:
        """Wait for the end of the stream, which a process that left the group may keep open."""
        self._thread.join(ENDING_MS / 1000)
        if not self._thread.is_alive():
            self._stream.close()
