"""Secrets that are found, and texts that only look like it, beside detect-secrets and the rules of gitleaks.

The closed set was written before the rules that it counts, by the same hand as the open one. At its first count all 69
secrets were found and two of the other texts were redacted by mistake; these two were corrected afterwards.
A secret counts as found if nothing of it is left, or if another program reports a part of it. The foreign text is that
of installed Python packages: code, documentation and data of others, in which whatever is redacted counts as false,
example passwords too.
The other two report and do not redact, and are made for repositories: neither reads sentences.

detect-secrets comes with `--peers`. For gitleaks put its `config/gitleaks.toml` into the same folder.
"""

from __future__ import annotations

import json
import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.corpus import documents
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, duration
from benchmarks.secrets import Case, cases, gitleaks
from benchmarks.timing import middle, timed
from jotsam.pipeline.redaction.redact import may_hold_secrets, redact, redact_and_list

SETS = ("open", "closed")
SLICES, SLICE = 300, 5_000
KINDS = (".py", ".md", ".txt", ".rst", ".json", ".toml", ".cfg", ".js", ".css", ".html", ".yaml", ".yml")
Find = Callable[[list[str]], list[list[str]]]


def measure(plan: Plan) -> Report:
    peers = dict(_peers(plan))
    texts = list(_foreign(plan.of(full=4_000_000, quick=200_000)))
    megabytes = sum(map(len, texts)) / 1e6
    rows = [(*_ours(), f"{sum(len(redact_and_list(text)[1]) for text in texts) / megabytes:.1f}")]
    for name, find in peers.items():
        false = sum(map(len, find(texts))) / megabytes
        rows.append((name, *(_score(cases(one), find) for one in SETS), f"{false:,.1f}"))
    columns = ("", *(f"{name} set: found, false" for name in SETS), "false in a MB")
    tables = [Table(caption=f"Secrets, and {megabytes:.1f} MB of foreign text.", columns=columns, rows=rows)]
    cost, passing, clean = _speed(plan)
    caption = f"{SLICES} slices of {SLICE:,} characters of documents, of which {clean} have nothing to redact."
    figures = [("p50 of a slice without", duration(cost)), ("of these pass the cheap check", str(passing))]
    tables.append(Table(caption=caption, columns=("", "Jotsam"), rows=figures))
    limit = Bound(promise="slices that pass the cheap check", measured=passing, limit=60, unit="slices")
    return Report(tables=tables, bounds=[limit])


def _ours() -> tuple[str, ...]:
    return ("Jotsam", *(_score_of_redaction(cases(name)) for name in SETS))


def _score_of_redaction(all_cases: list[Case]) -> str:
    found = [case.is_found_in(redact(case.text)[0]) for case in all_cases if case.secrets]
    false = [redact(case.text)[0] != case.text for case in all_cases if not case.secrets]
    return _cell(found, false)


def _score(all_cases: list[Case], find: Find) -> str:
    reported = find([case.text for case in all_cases])
    pairs = list(zip(all_cases, reported, strict=True))
    found = [all(any(_overlap(one, secret) for one in values) for secret in case.secrets) for case, values in pairs]
    return _cell(
        [is_found for (case, _), is_found in zip(pairs, found, strict=True) if case.secrets],
        [bool(values) for case, values in pairs if not case.secrets],
    )


def _cell(found: list[bool], false: list[bool]) -> str:
    return f"{sum(found)} of {len(found)}, {sum(false)} of {len(false)}"


def _overlap(reported: str, secret: str) -> bool:
    return len(reported) > 3 and (reported in secret or secret in reported)


def _peers(plan: Plan) -> Iterator[tuple[str, Find]]:
    if plan.peer_python:
        yield "detect-secrets", lambda texts: _detect_secrets(str(plan.peer_python), texts)
    if plan.peers and (path := plan.peers / "gitleaks.toml").exists():
        rules = gitleaks.rules(path)
        yield "rules of gitleaks", lambda texts: [sorted(gitleaks.found(text, rules)) for text in texts]


def _detect_secrets(python: str, texts: list[str]) -> list[list[str]]:
    program = Path(__file__).parent / "secrets" / "detect_secrets_peer.py"
    run = subprocess.run([python, program], input=json.dumps(texts), capture_output=True, text=True, check=True)
    found: list[list[str]] = json.loads(run.stdout)
    return found


def _foreign(characters: int) -> Iterator[str]:
    """Files of installed packages, spread over all of them."""
    folder = Path(sysconfig.get_path("purelib"))
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in KINDS and path.stat().st_size < 200_000]
    paths = [path for path in paths if "jotsam" not in str(path.relative_to(folder))]
    step = max(1, sum(path.stat().st_size for path in paths) // characters)
    for path in paths[::step]:
        yield path.read_text(errors="replace")


def _speed(plan: Plan) -> tuple[float, int, int]:
    """The median of a slice without secrets, in nanoseconds; how many of them pass the check; how many there are."""
    whole = "\n".join(documents(plan.documents).values())
    slices = [whole[at % (len(whole) - SLICE) :][:SLICE] for at in range(0, SLICES * 39_595, 39_595)]
    clean = [text for text in slices if redact(text)[0] == text]
    costs = [timed(lambda text=text: redact(text), plan.of(full=21, quick=3)) for text in clean]  # type: ignore[misc]
    return middle([middle(one) for one in costs]), sum(map(may_hold_secrets, clean)), len(clean)


if __name__ == "__main__":
    main(measure, __doc__)
