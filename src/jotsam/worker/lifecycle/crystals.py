"""The step `crystals`: finds what is lasting in memories, and makes a memory of its own of what sessions agree on.

First each memory is judged, once per version of the rules and of its text, by a language model if there is one, else by
rules. Then, project by project, a claim becomes a crystal if three sessions make it independently, or if it is a
decision of high confidence and importance. What speaks against it is kept as the reason for which it was refused.
Claims that contradict each other are both refused: a person must decide.
"""

from __future__ import annotations

import os
from collections import Counter
from hashlib import blake2s

from jotsam.core.dsn import is_server
from jotsam.pipeline.extraction.summarise import summarise
from jotsam.pipeline.lifecycle import triage
from jotsam.pipeline.lifecycle.agreement import (
    Agreement,
    Said,
    agree,
    conflicts_of,
    group,
    key_of,
    likeness,
    paths,
    problem_with,
    title_of,
)
from jotsam.pipeline.lifecycle.triage_cues import DECISION, FACT, LEARNING, PREFERENCE, PROCEDURE
from jotsam.storage.lifecycle import crystals
from jotsam.worker.lifecycle.step import PART, Change, Part
from jotsam.worker.lifecycle.triage_model import PREFIX, open_triage_model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from jotsam.core.settings import Settings
    from jotsam.pipeline.llm.triage_prompt import Verdict
    from jotsam.storage.database import Row, Transaction
    from jotsam.worker.lifecycle.step import StepContext
    from jotsam.worker.lifecycle.triage_model import TriageModel

SESSIONS = 3  # that make a claim independently of each other
MIN_CONFIDENCE, MIN_IMPORTANCE = 0.9, 0.8  # of a decision that needs no other session
IMPORTANCE = 0.8  # of a crystal
MOST_SURE = 0.95
TYPES = {DECISION: "Decision", PREFERENCE: "Preference", PROCEDURE: "Pattern", LEARNING: "Insight", FACT: "Insight"}
MAX_WHOLE = 240  # characters of a text that is one claim
LONG_COPY = 200  # characters from which two equal texts are copies of a template, not said twice
_POINTS_BACK = frozenset(("it", "this", "that", "they", "these", "those", "he", "she"))

JUDGE, PROMOTE = "judge", "promote"  # phases, with which a place begins


class CrystalStep:
    def __init__(self, *, embeds: bool, checks_paths: bool, model: TriageModel | None = None) -> None:
        """`checks_paths`: the texts are about this machine, so a file that does not exist here is gone."""
        self._embeds, self._checks_paths, self._model = embeds, checks_paths, model

    @staticmethod
    def of(settings: Settings) -> CrystalStep:
        model, checks_paths = open_triage_model(settings), not is_server(settings.db)
        return CrystalStep(embeds=settings.has_embedder, checks_paths=checks_paths, model=model)

    def plan(self, context: StepContext, place: str | None) -> Part:
        phase, _, after = (place or JUDGE).partition(":")
        if phase == JUDGE:
            return self._judged(context, int(after or 0))
        with context.database.snapshot(tenant=context.tenant) as tx:
            project = after or None
            known = _candidates(tx, project, is_dry_run=context.job_id == 0, asks=self._model is not None)
            found = _Project(tx, project, known)
            following = crystals.next_project(tx, after)
        changes = tuple(self._changes(found))
        return Part(changes=changes, place=None if following is None else f"{PROMOTE}:{following}")

    def _judged(self, context: StepContext, after: int) -> Part:
        with context.database.snapshot(tenant=context.tenant) as tx:
            asks = self._model is not None
            rows = crystals.untriaged(tx, version=triage.VERSION, asks=asks, after=after, limit=PART)
        place = f"{JUDGE}:{rows[-1]['id']}" if len(rows) == PART else PROMOTE
        if not rows:
            return Part(place=place)
        asked = {row["id"]: text for row in rows if (text := text_to_judge(row))}
        model = self._model if context.job_id else None
        verdicts = model.verdicts(context, asked) if model else {}
        by = model.name if model else crystals.RULES
        decided = []
        for row in rows:
            verdict = verdicts.get(row["id"])
            judge = by if verdict else crystals.RULES if row["id"] in asked else crystals.GATE
            decided.append([row["id"], decide(row, verdict=verdict, judged_by=judge)])
        kinds = Counter(one["kind"] for _, one in decided if one["state"] != crystals.NONE)
        lasting = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common()) or "nothing lasting"
        change = Change(
            kind="triage",
            ids=tuple(row["uuid"] for row in rows[:5]),
            why=f"judged {len(rows):,}: {lasting}{self._how(context, asked=len(asked), answered=len(verdicts))}",
            data={"rows": decided},
            number=len(rows),
        )
        return Part(changes=(change,), examined=len(rows), place=place)

    def _how(self, context: StepContext, *, asked: int, answered: int) -> str:
        """Who judged, if there is a model."""
        if self._model is None or not asked:
            return ""
        if context.job_id == 0:
            return (
                f"; by rules: {self._model.name} is not asked in a dry run, and may judge {asked:,} of them otherwise"
            )
        if answered == asked:
            return f"; {answered:,} by {self._model.name}"
        return (
            f"; {answered:,} by {self._model.name}, which did not answer about {asked - answered:,}: rules judged them"
        )

    def _changes(self, found: _Project) -> Iterator[Change]:
        """What becomes a crystal, supports one, or is refused, in the order in which it was said first."""
        for one in found.agreements:
            crystal = found.crystal_of(one)
            if crystal is not None:
                if crystal["superseded_at"] is None:
                    yield from found.support(one, crystal)
                continue
            why = found.reason_for(one)
            if why is None:
                continue
            best = best_of(one.said)
            problem = found.problem_with(one, best) or (stale_path(best.text) if self._checks_paths else None)
            if problem is None:
                yield found.promotion(one, best, why=why, embeds=self._embeds)
            elif (found.rows[best.memory]["state"], found.rows[best.memory]["reason"]) != (crystals.REFUSED, problem):
                yield found.refusal(best, problem)


class _Project:
    """What the memories of a project say that is lasting, and which crystals there are."""

    def __init__(self, tx: Transaction, project: str | None, rows: Sequence[Row]) -> None:
        self._project = project
        self.rows: Mapping[int, Row] = {row["id"]: row for row in rows}
        self.agreements = group(one for row in rows for one in judged_sayings(row))
        self._crystals = [(row, key_of(row["body"])) for row in crystals.of_project(tx, project)]
        linked = crystals.sources(tx, [row["id"] for row, _ in self._crystals])
        self._linked = {(row["crystal_id"], row["id"]) for row in linked}
        self._titles = {title_of(row["body"]).casefold() for row, _ in self._crystals if row["superseded_at"] is None}
        wanted = [one for one in self.agreements if self.reason_for(one) is not None]
        against = conflicts_of(wanted, self.agreements)
        self._against = {id(wanted[place]): other for place, other in against.items()}

    def crystal_of(self, one: Agreement) -> Row | None:
        """The crystal that says the same, or was made of the same and updated since."""
        members = {said.memory for said in one.said}
        titled = [said for said in one.said if said.title]  # The text of a crystal is a quote, not a title.
        for row, key in self._crystals:
            is_updated = row["version"] > 1 and all(self.rows[number]["crystal_id"] == row["id"] for number in members)
            if is_updated or agree(key, one.key) or any(agree(key, key_of(said.text)) for said in titled):
                return row
        return None

    def reason_for(self, one: Agreement) -> str | None:
        """Why it may become a crystal; None: it may not."""
        is_general = any(said.confidence >= triage.GENERALLY for said in one.said)
        if is_general and (count := one.sessions()) >= SESSIONS:
            return f"{count} sessions say it"
        if any(_is_sure_decision(self.rows[said.memory]) and said.kind == DECISION for said in one.said):
            return "a decision of high confidence and importance"
        return None

    def problem_with(self, one: Agreement, best: Said) -> str | None:
        sources = {said.memory for said in one.said}
        is_quote = triage.is_quoted(best.text, self.rows[best.memory]["body"])
        if problem := problem_with(best.text, is_quote=is_quote, sources=len(sources)):
            return problem
        if (title := title_of(best.text)).casefold() in self._titles:
            return f"duplicate: there is a crystal {title!r}"
        other = self._against.get(id(one))
        if other is not None:
            said = other.said[-1]
            return f"conflict: {self.rows[said.memory]['uuid'][:8]} says {title_of(said.text)!r}"
        return None

    def promotion(self, one: Agreement, best: Said, *, why: str, embeds: bool) -> Change:
        self._titles.add(title_of(best.text).casefold())
        kind = Counter(said.kind for said in one.said).most_common(1)[0][0]
        actors = {self.rows[said.memory]["actor"] for said in one.said}
        confidence = max(max(said.confidence for said in one.said), min(MOST_SURE, 0.6 + 0.1 * one.sessions()))
        data = {
            **new_crystal(best.text, kind=kind, why=why, confidence=round(confidence, 2), embeds=embeds),
            "project": self._project,
            "actor": actors.pop() if len(actors) == 1 else None,
            "said_at": max(said.at for said in one.said),
            "sources": self._sources(one, kind),
        }
        ids = (self.rows[one.said[0].memory]["uuid"],)
        return Change(kind="crystal", ids=ids, why=f"{kind}: {title_of(best.text)} ({why})", data=data)

    def support(self, one: Agreement, crystal: Row) -> Iterator[Change]:
        new = [row for row in self._sources(one, one.said[0].kind) if (crystal["id"], row[0]) not in self._linked]
        if new:
            ids = (crystal["uuid"], *(self.rows[row[0]]["uuid"] for row in new))
            why = f"{len(new):,} more say {title_of(crystal['body'])!r}"
            yield Change(kind="support", ids=ids, why=why, data={"crystal": crystal["id"], "sources": new})

    def refusal(self, best: Said, problem: str) -> Change:
        row = self.rows[best.memory]
        after = {
            **decision_of(row, best, judged_by=_judge_of(row)),
            "state": crystals.REFUSED,
            "reason": problem,
            "crystal_id": None,
        }
        why = f"refused {title_of(best.text)!r}: {problem}"
        return Change(kind="refusal", ids=(row["uuid"],), why=why, data={"rows": [[row["id"], after]]})

    def _sources(self, one: Agreement, kind: str) -> list[list[Any]]:
        by_memory = {said.memory: said for said in one.said}
        found = []
        for number, said in sorted(by_memory.items()):
            row = self.rows[number]
            found.append([number, row["version"], decision_of(row, said.replace(kind=kind), judged_by=_judge_of(row))])
        return found


def decide(row: Row, *, verdict: Verdict | None = None, judged_by: str = crystals.RULES) -> dict[str, Any]:
    """What is saved about a memory that was judged. What a person has decided about the same text stays."""
    kept = row["state"] in (crystals.PROMOTED, crystals.RETRACTED) and row["text_version"] == row["version"]
    best = max(sayings(row), key=lambda one: one.confidence, default=None)
    decided = {
        "version": triage.VERSION,
        "text_version": row["version"],
        "kind": best.kind if best else triage.judge(row["body"], actor=row["actor"]).kind,
        "title": best.text if best else None,
        "confidence": best.confidence if best else None,
        "state": crystals.CANDIDATE if best else crystals.NONE,
        "reason": None,
        "crystal_id": None,
        "judged_by": judged_by,
    }
    if verdict is not None and not kept:
        lasts = verdict.kind in TYPES and bool(verdict.title) and not triage.is_of_assistant(verdict.kind, row["actor"])
        decided |= {
            "kind": verdict.kind,
            "title": verdict.title if lasts else None,
            "confidence": verdict.confidence if lasts else None,
            "state": crystals.CANDIDATE if lasts else crystals.NONE,
        }
    if kept:
        return {**decided, "state": row["state"], "crystal_id": row["crystal_id"]}
    return decided | _refused(row, verdict) if decided["state"] == crystals.NONE else decided


def _refused(row: Row, verdict: Verdict | None) -> dict[str, Any]:
    """What is saved about a memory that is typed as something lasting, and in which its judge finds nothing lasting."""
    kind = next((kind for kind, type in TYPES.items() if type == row["type"]), None)
    if kind is None:
        return {}
    why = f"not lasting: {verdict.kind}" if verdict else triage.objection(row["body"], actor=row["actor"])
    return {"kind": kind, "title": summarise(row["body"]), "state": crystals.REFUSED, "reason": why}


def decision_of(row: Row, said: Said, *, judged_by: str) -> dict[str, Any]:
    """What is saved about a memory that makes a claim."""
    return {
        "version": triage.VERSION,
        "text_version": row["version"],
        "kind": said.kind,
        "title": said.title or said.text,
        "confidence": said.confidence,
        "state": crystals.CANDIDATE,
        "reason": None,
        "crystal_id": None,
        "judged_by": judged_by,
    }


def text_to_judge(row: Row) -> str:
    """What a model is asked about a memory; "" if there is nothing to ask: what a caller is sure of is a claim."""
    return "" if _is_sure_decision(row) else " ".join(triage.asked_about(row["body"], actor=row["actor"]))


def judged_sayings(row: Row) -> list[Said]:
    """The claims of a memory that was judged: what a model found, as the sentence that says it, else the rules'."""
    by_model = (row["judged_by"] or "").startswith(PREFIX) and row["text_version"] == row["version"]
    if not by_model or not row.get("title"):
        return sayings(row)
    title = key_of(row["title"])
    sentences = triage.asked_about(row["body"], actor=row["actor"])
    best = max(sentences, key=lambda one: likeness(title, key_of(one)), default=None)
    return [_said(row, triage.Claim(kind=row["kind"], text=best, confidence=row["sure"]), row["title"])] if best else []


def sayings(row: Row) -> list[Said]:
    """The claims of a memory. One that a caller has stored as a decision is a claim as a whole."""
    body = row["body"]
    found = [*triage.claims(body, actor=row["actor"])]
    if _is_sure_decision(row) and not any(claim.kind == DECISION for claim in found):
        text = body.strip() if len(body) <= MAX_WHOLE else summarise(body)
        found.append(triage.Claim(kind=DECISION, text=text, confidence=row["confidence"]))
    return [_said(row, claim) for claim in found]


def _said(row: Row, claim: triage.Claim, title: str | None = None) -> Said:
    body = row["body"].strip()
    return Said(
        memory=row["id"],
        session=row["session"],
        text=claim.text,
        title=title,
        kind=claim.kind,
        confidence=claim.confidence,
        at=row["at"],
        is_assistant=(row["actor"] or "").lower() in triage.ASSISTANTS,
        copy_of=blake2s(body.encode(), digest_size=16).hexdigest() if len(body) >= LONG_COPY else None,
    )


def best_of(said: Sequence[Said]) -> Said:
    """The claim that says it best: of a person, complete in itself, sure, and the latest of these."""

    def rank(one: Said) -> tuple[bool, bool, float, int]:
        is_complete = _POINTS_BACK.isdisjoint(one.text.lower().split())
        return (not one.is_assistant, is_complete, one.confidence, one.at)

    return max(said, key=rank)


def new_crystal(text: str, *, kind: str, why: str, confidence: float, embeds: bool) -> dict[str, Any]:
    """The fields of a new crystal that depend on its text and kind."""
    about = {"kind": kind, "title": title_of(text), "why": why, "type": TYPES[kind]}
    return {"text": text, **about, "importance": IMPORTANCE, "confidence": confidence, "embeds": embeds}


def stale_path(text: str) -> str | None:
    """Why it is out of date: it names a file that does not exist although its first two folders do.

    Where these are missing, it is about another machine.
    """
    for path in paths(text):
        root = "/" + "/".join(path.split("/")[1:3])
        if path != root and os.path.isdir(root) and not os.path.exists(path):
            return f"stale path: {path} does not exist"
    return None


def _is_sure_decision(row: Row) -> bool:
    is_sure = (row["confidence"] or 0) >= MIN_CONFIDENCE and (row["importance"] or 0) >= MIN_IMPORTANCE
    return bool(is_sure and row["type"] == "Decision")


def _judge_of(row: Row) -> str:
    return row["judged_by"] or crystals.RULES


def _candidates(tx: Transaction, project: str | None, *, is_dry_run: bool, asks: bool) -> list[Row]:
    """The memories of a project with a claim. A dry run judges those that the run would have judged before."""
    found: list[Row] = []
    after = 0
    while page := crystals.judged(tx, project=project, after=after, limit=PART):
        found += page
        after = page[-1]["id"]
    if is_dry_run:
        after = 0
        while page := crystals.untriaged(tx, version=triage.VERSION, asks=asks, after=after, limit=PART):
            found += [row for row in page if row["project"] == project and decide(row)["state"] != crystals.NONE]
            after = page[-1]["id"]
    return sorted({row["id"]: row for row in found}.values(), key=lambda row: (row["at"], row["id"]))
