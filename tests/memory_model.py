"""A memory beside a model of it: histories of what callers do, with kills, and what must hold after each step.

The model is a list of texts, each with a word that no other text has. It is written from the promises and not from the
code: what was accepted is there once, what was forgotten is in no row, and what is taken back leaves no trace.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any, NamedTuple

import roles
from jotsam import Jotsam
from jotsam.core.answers import Question
from jotsam.core.names import MEMORY_QUEUES, STEPS
from jotsam.core.settings import Settings
from jotsam.memory.forgetting import forget as forget_module
from jotsam.memory.lifecycle import lifecycle
from jotsam.retrieval.answer import recall
from jotsam.storage import queue
from lifecycle_tables import TABLES, in_small_parts, memory_rows
from processes import WAIT_MS, Connection, start

START, HOUR, DAY = 1_750_000_000_000, 3_600_000, 86_400_000
LENGTH = 30  # steps of a history
NAMES, TOWNS = ("Ana Lee", "Ben Ortiz", "Mira Solberg"), ("Lisbon", "Porto", "Bonn")
COMPANIES, TOOLS = ("Acme", "Kestrel Optics"), ("PostgreSQL", "Redis", "SQLite")
TEXTS = (
    "{name} works at {company}, as the note {word} says.",
    "{name} lives in {town}. The note is {word}.",
    "{name} has moved to {town}, according to {word}.",
    "We decided to use {tool} for the billing service of {company}: {word}.",
    "Always run the {tool} tests of {company} before a release, says {word}.",
    "The grey heron {word} stands in the shallow lake near {town} and waits for fish.",
    "I prefer {tool} to everything else for the {word} of {name}.",
)
DOCUMENT = "# Plan of {name}\n\n{first}\n\n# Place\n\n{second}\n"
# What a caller does, and how often.
WEIGHTS = {"remember": 7, "add_turn": 3, "add": 2, "update": 3, "update_without_history": 1, "forget": 2, "trash": 5}
WEIGHTS |= {"archive": 1, "supersede": 3, "lifecycle": 5, "undo": 6, "undo_earlier": 1}
WEIGHTS |= {"work": 4, "search": 3, "set_clock": 1, "reopen": 1}
TAKEN_BACK = ("trash", "archive", "supersede", "lifecycle")
BEGINNING = ("remember", "add_turn", "remember", "add", "remember", "add_turn", "work")
NEVER_KILLED = ("search", "set_clock", "reopen", "archive", "supersede")
WORK_MOMENTS, MOMENTS = 60, 9
# A run keeps the titles that it gave, so that they are restored when it is undone.
LEFT_OUT = ("text_index", "jotsam_", "lifecycle_change")


class Step(NamedTuple):
    action: str
    pick: int  # which of the texts, entries or steps it is about
    moment: int = 0  # at which step of its transactions its process is killed; 0: it is not


History = tuple[Step, ...]


def history(seed: int) -> History:
    """The same one for the same seed."""
    dice = random.Random(seed)
    actions = [*BEGINNING]
    while len(actions) < LENGTH:
        is_undone = actions[-1] in TAKEN_BACK and dice.random() < 0.5
        actions += ["undo"] if is_undone else dice.choices([*WEIGHTS], [*WEIGHTS.values()])
    return tuple(Step(action, dice.randrange(1_000), _moment(dice, action)) for action in actions)


def _moment(dice: random.Random, action: str) -> int:
    if action in NEVER_KILLED or dice.random() < 0.6:
        return 0
    return dice.randint(1, WORK_MOMENTS if action in ("work", "lifecycle") else MOMENTS)


def shortest(steps: History, fails: Callable[[History], bool]) -> History:
    """A history that still fails, and of which no step can be left out. Kills that do not matter are left out too."""
    size = len(steps) // 2
    while size:
        for begin in range(0, len(steps), size):
            fewer = steps[:begin] + steps[begin + size :]
            if fails(fewer):
                steps = fewer
                break
        else:
            size //= 2
    for number, step in enumerate(steps):
        calmer = (*steps[:number], step._replace(moment=0), *steps[number + 1 :])
        if step.moment and fails(calmer):
            steps = calmer
    return steps


def opened(url: str, now: Callable[[], int]) -> Jotsam:
    settings = Settings(
        db=url,
        worker="off",
        worker_idle_ms=0,
        concurrency=1,
        lock_timeout_ms=WAIT_MS,
        embed_model="hashing",
        lifecycle="off",
        archive_below=1.0,
        remove_below=1.0,
        trash_days=3_650,
    )
    return Jotsam(settings=settings, clock=now)


def act(pipe: Connection, url: str, now: int, action: str, arguments: dict[str, Any], moment: int) -> None:
    """Make a call in a process that is killed at a step of its transactions, and say what it returned."""
    small_parts()
    with opened(url, lambda: now) as jot:
        kind = roles.DoomedAtWork if action == "work" else roles.Doomed
        jot.database = kind(jot.database, moment)
        pipe.send(CALLS[action](jot, **arguments))


def small_parts() -> None:
    """So that what a kill interrupts has several transactions."""
    forget_module.PAGE = 2
    in_small_parts(3)


def _forget(jot: Jotsam, ids: list[str], trash: bool) -> None:
    """Without those that an interrupted call has forgotten already."""
    with jot.database.snapshot(tenant="default") as tx:
        stored = {row["uuid"] for row in tx.execute("select uuid from memory union all select uuid from document")}
    if left := [id for id in ids if id in stored]:
        jot.forget(jot.plan_forget(ids=left), trash=trash)


def _restore(jot: Jotsam, batch: str) -> None:
    if batch in [one.id for one in jot.admin.trash()]:
        jot.admin.restore_forgotten(batch)


def _undo(jot: Jotsam, run: str) -> None:
    if lifecycle.show(jot.database, run, tenant="default").run.state != "undone":
        lifecycle.undo(jot.database, run, tenant="default")


def _undo_supersede(jot: Jotsam, old: str, new: str) -> None:
    """Unless it was lost: what was in the trash is valid again if it came back before what had superseded it."""
    if jot.get(old).superseded_by == new:
        jot.undo_supersede(old, new)


def _request(jot: Jotsam, step: str) -> str:
    return lifecycle.request(jot.database, jot.settings, step).id


# Each can be repeated by a caller that does not know whether it was done.
CALLS: dict[str, Callable[..., Any]] = {
    "remember": lambda jot, **options: jot.remember(**options).id,
    "add_turn": lambda jot, **options: jot.add_turn(**options).id,
    "add": lambda jot, **options: jot.add(**options).id,
    "update": lambda jot, **options: jot.update(**options).version,
    "work": lambda jot: jot.work(),
    "forget": _forget,
    "restore": _restore,
    "undo": _undo,
    "request": _request,
    "archive": lambda jot, id: jot.archive(id).id,
    "unarchive": lambda jot, id: jot.unarchive(id).id if jot.get(id).archived_at is not None else id,
    "supersede": lambda jot, old, new: jot.supersede(old, new).old,
    "undo_supersede": _undo_supersede,
}


class Text(SimpleNamespace):
    """A text that was accepted: `id`, `kind`, `words`, `body`, `options`, `earlier` words of its versions, `place`.

    `place` is stored, trash or gone.
    """


class Entry(SimpleNamespace):
    """What can be taken back: `calls` that do it, the rows `before` and `after`, the texts that it `moved`.

    It is not taken back if a text that it `needs` is not stored any longer.
    """


class Play:
    """Plays a history on a database and its model."""

    def __init__(self, url: str) -> None:
        self.url, self.now = url, START
        self.texts: list[Text] = []
        self.entries: list[Entry] = []
        self.is_worked_off = True
        self.kills = self.exact = self.calls = 0
        self.jot = opened(url, lambda: self.now)

    def run(self, steps: History) -> None:
        """Raises if anything does not hold."""
        try:
            for step in steps:
                getattr(self, step.action)(step)
                self.check()
            self.finish()
        finally:
            self.jot.close()

    def call(self, action: str, moment: int = 0, **arguments: Any) -> Any:
        """Make a call; if its process is killed, make it again, as a caller without an answer does."""
        self.calls += 1
        self.is_worked_off = False
        if moment:
            process = start(act, self.url, self.now, action, arguments, moment)
            code = process.ends()
            if code == 0:
                return process.says()
            assert code == -9, f"{action} failed in another process"
            self.kills += 1
            self.now += HOUR  # A lease of the killed process has ended.
        return CALLS[action](self.jot, **arguments)

    # What callers do

    def remember(self, step: Step) -> None:
        options: dict[str, Any] = {"tags": [TOOLS[step.pick % 3]], "said_at": self.now - 200 * DAY}
        options |= {"importance": 0.2} if step.pick % 2 else {}
        self._accept("remember", step, self._sentence(step.pick), options)

    def add_turn(self, step: Step) -> None:
        number = len(self.texts)
        options: dict[str, Any] = {"session": f"s{step.pick % 2}", "position": number, "said_at": self.now + number}
        self._accept("add_turn", step, self._sentence(step.pick), options)

    def add(self, step: Step) -> None:
        first, second = self._sentence(step.pick), self._sentence(step.pick // 7, more=1)
        body = DOCUMENT.format(name=NAMES[step.pick % 3], first=first, second=second)
        self._accept("add", step, body, {"source": f"plan-{step.pick % 2}.md"})

    def _accept(self, action: str, step: Step, body: str, options: dict[str, Any]) -> None:
        key = f"key {len(self.texts)}"
        id = self.call(action, step.moment, text=body, key=key, **options)
        words = [word.strip(".,:") for word in body.split() if word.startswith("vorn")]
        self.texts.append(Text(id=id, kind=action, words=words, body=body, options=options, earlier=[], place="stored"))

    def update(self, step: Step, *, forget_history: bool = False) -> None:
        text = self._one(step.pick, but="add")
        if text is None:
            return
        body = self._sentence(step.pick // 3, more=50 + self.calls)
        self.call("update", step.moment, id=text.id, text=body, forget_history=forget_history)
        if forget_history:
            text.forgotten = [*getattr(text, "forgotten", []), *text.earlier, *text.words]
        text.earlier = [] if forget_history else [*text.earlier, *text.words]
        text.body, text.words = body, [word.strip(".,:") for word in body.split() if word.startswith("vorn")]

    def update_without_history(self, step: Step) -> None:
        self.update(step, forget_history=True)

    def forget(self, step: Step) -> None:
        chosen = self._some(step.pick)
        if chosen:
            self.call("forget", step.moment, ids=[text.id for text in chosen], trash=False)
            for text in chosen:
                text.place = "gone"

    def trash(self, step: Step) -> None:
        """Every other time what has just superseded another text."""
        newer = [text for text in self.entries[-1].needs[1:] if text.place == "stored"] if self.entries else []
        chosen = newer if newer and step.pick % 2 else self._some(step.pick)
        if chosen:
            before, earlier = self.rows(), [one.id for one in self.jot.admin.trash()]
            self.call("forget", step.moment, ids=[text.id for text in chosen], trash=True)
            made = [one.id for one in self.jot.admin.trash() if one.id not in earlier]
            # A caller restores the latest first, as each restores what was there before the next one.
            self._enter([("restore", {"batch": batch}) for batch in made], chosen, before)

    def archive(self, step: Step) -> None:
        shown = {memory.id for memory in self.listed(archived=False)}
        if text := self._one(step.pick, but="add", among=shown):
            before = self.rows()
            self.call("archive", id=text.id)
            self._enter([("unarchive", {"id": text.id})], (), before, needs=[text])

    def supersede(self, step: Step) -> None:
        shown = {memory.id for memory in self.listed() if memory.superseded_at is None}
        old, new = (self._one(step.pick + more, but="add", among=shown) for more in (0, 1))
        if old and new and old is not new:
            before, ends = self.rows(), {"old": old.id, "new": new.id}
            self.call("supersede", **ends)
            self._enter([("undo_supersede", ends)], (), before, needs=[old, new])

    def lifecycle(self, step: Step) -> None:
        self.work(Step("work", 0))
        lifecycle.allow_again(self.jot.database, tenant="default")
        before = self.rows()
        run = self.call("request", step=STEPS[step.pick % len(STEPS)])
        self.work(step)
        ended = lifecycle.show(self.jot.database, run, tenant="default")
        assert ended.run.state == "done", ended.run
        removed = {id for change in ended.changes if change.kind == "remove" for id in change.ids}
        self._enter([("undo", {"run": run})], [text for text in self.texts if text.id in removed], before)

    def undo(self, step: Step, *, number: int = -1) -> None:
        """Take back what was done last."""
        if not self.entries:
            return
        entry = self.entries.pop(number)
        if any(text.place != "stored" for text in entry.needs):
            return
        is_exact = self.rows() == entry.after
        for action, arguments in entry.calls:
            self.call(action, step.moment, **arguments)
        for text in entry.moved:
            text.place = "stored" if text.place == "trash" else text.place
        if is_exact:
            self.exact += 1
            self._compare(entry.before, self.rows(), entry.calls)

    def undo_earlier(self, step: Step) -> None:
        if self.entries and self.entries[step.pick % len(self.entries)].calls[0][0] == "restore":
            self.undo(step, number=step.pick % len(self.entries))

    def work(self, step: Step) -> None:
        assert self.call("work", step.moment) is not None, "a worker that was killed holds the lease"
        self.is_worked_off = True

    def search(self, step: Step) -> None:
        """As its users do, so that it is counted."""
        with opened(self.url, lambda: self.now) as jot:
            answer = jot.recall(self._sentence(step.pick, more=900))
        self._check_coverage(answer)
        for number in range(min(3, len(self.texts))):
            self._check_found(self.texts[(step.pick + number) % len(self.texts)])

    def set_clock(self, step: Step) -> None:
        self.now += (DAY, -HOUR, HOUR, -DAY, -1)[step.pick % 5]

    def reopen(self, step: Step) -> None:
        self.jot.close()
        self.jot = opened(self.url, lambda: self.now)

    # What must hold

    def check(self) -> None:
        """Each accepted text is stored once, and each other one in no row."""
        found = self.listed()
        memories = {memory.id: memory for memory in found}
        assert len(memories) == len(found)
        documents, rows, in_trash = self._stored()
        for text in self.texts:
            if text.place == "stored":
                self._check_stored(text, memories, documents)
            else:
                assert text.id not in memories, f"{text} is listed"
                assert text.id not in documents, f"{text} is stored"
                for word in (*text.words, *text.earlier):
                    assert word not in rows, f"{word} of {text} is in a row: {around(word, rows)}"
                    assert text.place == "trash" or word not in in_trash, f"{word} of {text} is in the trash"
            for word in getattr(text, "forgotten", ()):
                assert word not in rows + in_trash, f"{word} of an earlier text is in {around(word, rows + in_trash)}"
        self._check_jobs()

    def _check_stored(self, text: Text, memories: dict[str, Any], documents: dict[str, str]) -> None:
        if text.kind == "add":
            assert documents.get(text.id) == text.body, f"{text} is lost"
            return
        assert text.id in memories, f"{text} is lost"
        found = memories[text.id]
        assert found.text == text.body, f"{text} has the text {found.text!r}"
        for name in ("importance", "session", "position", "said_at"):
            assert getattr(found, name) == text.options.get(name, getattr(found, name)), f"{name} of {text}"
        assert {tag.lower() for tag in text.options.get("tags", ())} <= {tag.lower() for tag in found.tags}
        same = [memory.id for memory in memories.values() if memory.text == text.body and not _is_derived(memory)]
        assert same == [text.id], f"{text} is doubled"

    def _check_jobs(self) -> None:
        with self.jot.database.snapshot(tenant="default") as tx:
            totals = queue.totals(tx)
            depth = queue.depth(tx, queues=(*MEMORY_QUEUES, "lifecycle"), tenant="default")
        assert depth.dead == 0, "a job is dead"
        assert totals["accepted"] == totals["done"] + totals["discarded"] + depth.live
        assert depth.live == 0 or not self.is_worked_off, "jobs are left"

    def _check_found(self, text: Text) -> None:
        """Its words find it and nothing else that was accepted, or nothing if it was forgotten."""
        ids = {other.id for other in self.texts if other.kind != "add"}
        for word in (*text.words, *text.earlier, *getattr(text, "forgotten", ())):
            with self.jot.database.snapshot(tenant="default") as tx:
                asked = Question(text=word, tenant="default", history=True, archived=True, tokens=20_000)
                answer = recall(tx, asked)
            self._check_coverage(answer)
            found = [hit for hit in answer.hits if word in hit.text]
            if text.place == "stored" and word in text.words:
                assert found, f"{word} of {text} is not found"
                assert {hit.id for hit in found} & ids <= {text.id}
            else:
                assert not found, f"{word} of {text} is found"

    def _check_coverage(self, answer: Any) -> None:
        covered = answer.coverage
        assert covered.returned == len(answer.hits) <= covered.total
        assert covered.tokens <= covered.budget
        with self.jot.database.snapshot(tenant="default") as tx:
            depth = queue.depth(tx, queues=MEMORY_QUEUES, tenant="default")
            (counted,) = tx.execute("select count(*) as memories, count(enriched_at) as enriched from memory")
        assert covered.pending + covered.in_progress + covered.failed <= depth.live
        assert covered.not_enriched <= counted["memories"] - counted["enriched"]
        if self.is_worked_off:
            assert (covered.pending, covered.in_progress, covered.failed, covered.dead) == (0, 0, 0, 0)
            assert covered.not_enriched == 0
            assert covered.embedded + covered.unembedded == counted["memories"]

    def finish(self) -> None:
        """Work off what is left, take back what can be taken back, and look for each text."""
        self.work(Step("work", 0))
        while self.entries:
            self.undo(Step("undo", 0))
            self.check()
        self.work(Step("work", 0))
        self.check()
        for text in self.texts:
            self._check_found(text)

    # What is stored

    def rows(self) -> dict[str, list[str]]:
        """Without the ids of jobs that are to come, because an id is not used twice."""
        found = memory_rows(self.jot)
        return {name: sorted(map(_without_live_job, found[name])) for name in found}

    def listed(self, **options: bool) -> list[Any]:
        return [*self.jot.list(limit=200, **{"history": True, "archived": True, **options}).memories]

    def _stored(self) -> tuple[dict[str, str], str, str]:
        """The text of each document, every row of every table in one text, and those of the trash."""
        with self.jot.database.snapshot(tenant="default") as tx:
            names = sorted(row["name"] for row in tx.execute(TABLES[self.jot.database.is_file]))
            tables = {name: tx.execute(f"select * from {name}") for name in names if not name.startswith(LEFT_OUT)}
        in_trash = str(tables.pop("trash"))
        return {row["uuid"]: row["body"] for row in tables["document"]}, str(tables), in_trash

    def _enter(
        self,
        calls: list[tuple[str, dict[str, Any]]],
        moved: Iterable[Text],
        before: dict[str, list[str]],
        needs: Iterable[Text] = (),
    ) -> None:
        for text in moved:
            text.place = "trash"
        self.entries.append(Entry(calls=calls, moved=[*moved], needs=[*needs], before=before, after=self.rows()))

    def _sentence(self, pick: int, *, more: int = 0) -> str:
        number = len(self.texts) * 2 + more
        word = "vorn" + "".join(chr(ord("a") + number // 26**place % 26) for place in (2, 1, 0)) + "ik"
        fields = {"name": NAMES[pick % 3], "town": TOWNS[pick // 3 % 3], "company": COMPANIES[pick % 2]}
        return TEXTS[pick % len(TEXTS)].format(word=word, tool=TOOLS[pick // 5 % 3], **fields)

    def _one(self, pick: int, *, but: str = "", among: set[str] | None = None) -> Text | None:
        found = [text for text in self.texts if text.place == "stored" and text.kind != but]
        found = [text for text in found if among is None or text.id in among]
        return found[pick % len(found)] if found else None

    def _some(self, pick: int) -> list[Text]:
        found = [text for text in self.texts if text.place == "stored"]
        return [text for number, text in enumerate(found) if (pick >> number % 10) % 3 == 0][: 1 + pick % 4]

    def _compare(self, before: dict[str, list[str]], after: dict[str, list[str]], calls: Any) -> None:
        differences = {
            name: {"lost": [*_but(before[name], after[name])], "left": [*_but(after[name], before[name])]}
            for name in before
            if before[name] != after[name]
        }
        assert not differences, f"{calls} did not restore what was there: {differences}"


def _but(some: list[str], others: list[str]) -> list[str]:
    return [row for row in some if row not in others]


def _without_live_job(row: str) -> str:
    is_waiting = "'enriched_at': None" in row or "'cut_at': None" in row
    return re.sub(r"'job_id': \d+", "'job_id': 1", row) if is_waiting else row


def _is_derived(memory: Any) -> bool:
    return bool({"crystal", "summary"} & {tag.lower() for tag in memory.tags})


def around(word: str, rows: str) -> str:
    place = rows.find(word)
    return rows[max(0, place - 300) : place + 60] if place >= 0 else ""
