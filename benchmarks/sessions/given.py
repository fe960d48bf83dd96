"""What a new session and a prompt get from the sessions before, on sets of sessions with labels.

    python -m benchmarks.sessions.given            the open sets
    python -m benchmarks.sessions.given --held     the others: rules were written without a look at them
    python -m benchmarks.sessions.given -v         each line and each prompt with its judgement
    python -m benchmarks.sessions.given SET ...    these files
    python -m benchmarks.sessions.given --llm-url http://127.0.0.1:8000/v1 --llm-model NAME
                                                   with the notes that a language model reads out of each session

A set has two projects of one developer over four weeks, written by somebody who had read nothing of this program:
standing orders, orders for once, decisions, reversals, open ends, problems with their fix, and twenty prompts for each
project, of which fourteen need something. `recall` is asked the same. Each figure is compared with that of the last ten
turns of the project, which cost nothing.

A line is useful if it has a label that no line before it had, and wrong if it says something reversed, closed, ordered
for once, or of the other project. What a prompt needs counts if it is in what it gets, or in a line of the brief. This
judges words: a line that has the words and says something else passes, and one that says it otherwise is empty.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from benchmarks.report import grid
from benchmarks.sessions.judge import EMPTY, REPEATED, USEFUL, WRONG, Judge, has
from jotsam import Jotsam
from jotsam.core.settings import Settings
from jotsam.storage import queue
from jotsam.worker.session_notes import job_spec

SETS = Path(__file__).parent / "sets"
NAMESPACE = UUID("0d6b0c0e-5d8e-4a0e-9a53-1f3f6f0a7b11")
HELD = "held_"  # how the names of the files begin that no rule was written for
SECONDS_PER_TURN = 95
LAST_TURNS = 10
CHARACTERS = 2_400  # what stands behind them counts as not given

KINDS = {"rule": "rules", "decision": "decisions", "fact": "facts", "fix": "fixes", "open": "open ends"}
PLACES = (1, 3, 10)  # of recall, in which what a prompt needs is looked for

NO_MODEL = Settings(llm_timeout_ms=600_000, llm_daily_tokens=0)
Given = Callable[[str | None], list[str]]  # what a session gets at its start, or with a prompt


def play(jot: Jotsam, project: dict[str, Any], now: datetime, folder: Path, model: Settings) -> None:
    """Import the sessions of a project, as `jotsam import` does those of Claude Code.

    A model is asked about each session before the next one is there, also about one of weeks ago, and not about single
    turns.
    """
    for number, session in enumerate(project["sessions"]):
        hour, minute = map(int, session["time"].split(":"))
        at = (now - timedelta(days=session["days_ago"])).replace(hour=hour, minute=minute, second=0)
        name = uuid5(NAMESPACE, f"{project['id']} {number}")
        path = folder / f"{name}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for place, turn in enumerate(session["turns"]):
                at += timedelta(seconds=SECONDS_PER_TURN)
                file.write(f"{json.dumps(_entry(turn, path.stem, place, at.isoformat()))}\n")
        jot.import_sessions([str(path)], project=project["id"])
        if model.has_model:
            jot.work()
            rules, jot.settings = jot.settings, model.replace(db=jot.settings.db)
            (last,) = jot.list(project=project["id"], limit=1).memories
            with jot.database.transaction(tenant=rules.tenant) as tx:
                queue.send(tx, job_spec(rules.tenant, last.id))
            jot.work()
            jot.settings = rules


def _entry(turn: dict[str, str], session: str, place: int, at: str) -> dict[str, Any]:
    """A line of a session file of Claude Code."""
    is_user = turn["role"] == "user"
    content: Any = turn["text"] if is_user else [{"type": "text", "text": turn["text"]}]
    return {
        "type": turn["role"],
        "message": {"role": turn["role"], "content": content},
        "uuid": str(uuid5(NAMESPACE, f"{session} {place}")),
        "sessionId": session,
        "timestamp": at,
    }


def of_jotsam(jot: Jotsam, project: str) -> Given:
    def given(prompt: str | None) -> list[str]:
        before = {line.text for line in jot.brief(project=project).lines} if prompt else set()
        lines = jot.brief(project=project, prompt=prompt).lines
        return [line.text for line in lines if line.text not in before]

    return given


def of_last_turns(project: dict[str, Any]) -> Given:
    turns = [" ".join(turn["text"].split())[:300] for session in project["sessions"] for turn in session["turns"]]
    return lambda prompt: [] if prompt else turns[-LAST_TURNS:]


def recalled(jot: Jotsam, project: str, prompts: Iterable[dict[str, Any]]) -> Iterator[int]:
    """For each prompt that needs something, the place from 0 at which `recall` has it, if it is asked the same."""
    for prompt in prompts:
        if need := prompt.get("need"):
            hits = jot.recall(prompt["text"], project=project, limit=max(PLACES)).hits
            yield next((place for place, hit in enumerate(hits) if has(hit.text, need)), max(PLACES))


class Score:
    """Counts of one side over all sets."""

    def __init__(self, *, is_shown: bool = False) -> None:
        self.count: Counter[str] = Counter()
        self._is_shown = is_shown

    def add(self, judge: Judge, prompts: Iterable[dict[str, Any]], given: Given) -> None:
        seen, right = self._brief(judge, given(None))
        for name, labels in (
            ("rules", judge.rules),
            ("rules of the person", [rule for is_own, rule in judge.of_person if is_own]),
            ("rules of the person, elsewhere", [rule for is_own, rule in judge.of_person if not is_own]),
            ("decisions", judge.own["decisions"]),
            ("open ends", [one for one in judge.own["open"] if one["state"] == "open"]),
        ):
            self.count[name] += len(labels)
            self.count[f"{name} given"] += sum(one["id"] in seen for one in labels)
        for prompt in prompts:
            self._prompt(judge, prompt, given(prompt["text"]), right)

    def add_recalled(self, places: Iterable[int]) -> None:
        """Count those within each of `PLACES`."""
        for found in places:
            self.count.update({f"recalled in {most}": int(found < most) for most in PLACES})

    def _brief(self, judge: Judge, lines: list[str]) -> tuple[set[str], list[str]]:
        seen: set[str] = set()
        right: list[str] = []
        self.count["characters of briefs"] += sum(map(len, lines))
        self.count["briefs"] += 1
        for line in lines:
            kind, labels = judge.judged(line)
            if kind == USEFUL:
                kind = USEFUL if labels - seen else REPEATED
                seen |= labels
                right.append(line)
            self.count["lines"] += 1
            self.count[kind] += 1
            self._show(f"{kind:14} {judge.own['id']}: {line}")
        return seen, right

    def _prompt(self, judge: Judge, prompt: dict[str, Any], lines: list[str], brief: list[str]) -> None:
        text = "\n".join(lines)[:CHARACTERS]
        self.count["prompts"] += 1
        self.count["characters of prompts"] += len(text)
        if need := prompt.get("need"):
            is_given, is_in_brief = has(text, need), has("\n".join(brief), need)
            self.count["needed"] += 1
            self.count["given"] += is_given
            self.count["known"] += is_given or is_in_brief
            self.count[f"{prompt['kind']} needed"] += 1
            self.count[f"{prompt['kind']} known"] += is_given or is_in_brief
            verdict = "given" if is_given else "in the brief" if is_in_brief else "missing"
        else:
            self.count["not needed"] += 1
            self.count["needless"] += bool(text)
            verdict = "needless" if text else "silent"
        if stale := [line for line in lines if judge.stale(line) and has(line, prompt.get("must_not") or ())]:
            self.count["reversed alone"] += not (need and has(text, need))
            verdict += f", reversed: {stale[0]}"
        self._show(f"{verdict:14} {judge.own['id']}: {prompt['text']} | {' | '.join(lines)}")

    def _show(self, line: str) -> None:
        if self._is_shown:
            print(" ".join(line.split())[:400])

    def rows(self) -> Iterator[tuple[str, str]]:
        count = self.count
        for name in ("rules", "rules of the person", "rules of the person, elsewhere", "decisions", "open ends"):
            yield f"{name} in the brief", self._of(f"{name} given", name)
        wrong = sum(count[kind] for kind in WRONG)
        parts = (count[USEFUL], wrong, count[EMPTY], count[REPEATED])
        yield "lines of briefs: useful / wrong / empty / repeated", " / ".join(map(str, parts))
        yield "useful lines", f"{100 * count[USEFUL] / max(1, count['lines']):.0f} %"
        yield "prompts that got what they need", self._of("given", "needed")
        yield "with the prompt or in the brief", self._of("known", "needed")
        for kind, name in KINDS.items():
            yield f"the same, of {name}", self._of(f"{kind} known", f"{kind} needed")
        for most in PLACES:
            yield f"recall, asked the prompt: in the first {most}", self._of(f"recalled in {most}", "needed")
        yield "prompts that got something and need nothing", self._of("needless", "not needed")
        yield "prompts with what was reversed, and not what holds", self._of("reversed alone", "prompts")
        yield "tokens of a brief", f"{count['characters of briefs'] / 4 / max(1, count['briefs']):.0f}"
        yield "tokens with a prompt", f"{count['characters of prompts'] / 4 / max(1, count['prompts']):.0f}"

    def _of(self, part: str, whole: str) -> str:
        return f"{self.count[part]} of {self.count[whole]}"


def scores(paths: Iterable[Path], *, is_shown: bool = False, model: Settings = NO_MODEL) -> tuple[Score, Score]:
    """Of Jotsam, and of the last turns. `model` are the settings of a language model."""
    ours, last = Score(is_shown=is_shown), Score()
    now = datetime.now(UTC)
    for path in paths:
        content = json.loads(path.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder, Jotsam(f"{folder}/jotsam.db", worker="off") as jot:
            for project in content["projects"]:
                play(jot, project, now, Path(folder), model)
            jot.work()
            for number, project in enumerate(content["projects"]):
                judge = Judge(content["projects"], number)
                prompts = [one for one in content["prompts"] if one["project"] == project["id"]]
                ours.add(judge, prompts, of_jotsam(jot, project["id"]))
                ours.add_recalled(recalled(jot, project["id"], prompts))
                last.add(judge, prompts, of_last_turns(project))
    return ours, last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held", action="store_true")
    parser.add_argument("-v", dest="is_shown", action="store_true")
    parser.add_argument("--llm-url", default="")
    parser.add_argument("--llm-model", default="")
    parser.add_argument("sets", nargs="*", type=Path, metavar="SET")
    given = parser.parse_args()
    paths = given.sets or sorted(path for path in SETS.glob("*.json") if path.name.startswith(HELD) == given.held)
    model = NO_MODEL.replace(llm_url=given.llm_url, llm_model=given.llm_model)
    ours, last = scores(paths, is_shown=given.is_shown, model=model)
    pairs = zip(ours.rows(), last.rows(), strict=True)
    print(grid(("", "Jotsam", "the last ten turns"), [(name, own, other) for (name, own), (_, other) in pairs]))


if __name__ == "__main__":
    main()
