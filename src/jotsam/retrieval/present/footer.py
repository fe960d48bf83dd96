"""The footer of an answer: one line that states what the answer covers, and what it does not include yet.

Pure. Pending work is stated as a fact, without a command: agents would repeat the command to their users with every
answer. Only dead jobs come with a command, because they need a decision.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.answers import Coverage

_UNITS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"))


def footer(coverage: Coverage) -> str:
    """The coverage as one line in parentheses. Zeros are left out."""
    parts = [*filter(None, [absence(coverage)]), _found(coverage), *missing(coverage)]
    if coverage.more and coverage.before + coverage.returned < coverage.total:
        parts.append("raise the token budget for more")
    elif coverage.more:
        parts.append("shortened: raise the token budget to see more of it")
    return f"({'; '.join([*parts, *state(coverage)])})"


def absence(coverage: Coverage) -> str:
    """States that nothing is known of what is asked, and of whom; "" if something is, or if nothing was found."""
    if not coverage.nothing or not coverage.total:
        return ""
    about = f" about {' and '.join(coverage.about)}" if coverage.about else ""
    speaks = f"nothing here{about} speaks of {', '.join(coverage.missing) or 'this'}"
    return f"not known yet: {speaks}" if coverage.is_incomplete else speaks


def missing(coverage: Coverage) -> list[str]:
    """The words of the question that no hit contains, unless `absence` names them."""
    is_stated = coverage.missing and coverage.returned and not coverage.nothing
    return [f"no result contains: {', '.join(coverage.missing)}"] if is_stated else []


def state(coverage: Coverage) -> list[str]:
    """What may be missing in the answer: unfinished and dead jobs, and what was unavailable."""
    parts = _jobs(coverage)
    if coverage.dead:
        parts.append(f"{coverage.dead:,} dead, see `jotsam jobs --state dead`")
    if coverage.not_enriched:
        parts.append(f"{coverage.not_enriched:,} not enriched yet")
    if coverage.degraded:
        parts.append(f"{coverage.degraded:,} degraded: the model or a rule failed")
    if coverage.unembedded:
        parts.append(f"{coverage.unembedded:,} not embedded yet")
    if coverage.reranked:
        parts.append(f"best {coverage.reranked:,} reranked")
    if coverage.archived:
        memories_match = "memory matches" if coverage.archived == 1 else "memories match"
        parts.append(f"{coverage.archived:,} archived {memories_match}: use archived to see more")
    if coverage.unavailable:
        parts.append(f"unavailable: {', '.join(coverage.unavailable)}")
    if coverage.replica_lag_ms is not None:
        parts.append(f"answered by a replica, {coverage.replica_lag_ms / 1_000:,.1f} s behind")
    if coverage.replica_problem:
        parts.append(f"answered by the primary, not by the replica {coverage.replica_problem}")
    return parts


def _found(coverage: Coverage) -> str:
    if coverage.total:
        counts = f"returned {coverage.returned:,} of {coverage.total:,}"
        counts += f" after {coverage.before:,} on the pages before" if coverage.before else ""
        return f"{counts}, ~{coverage.tokens:,} of {coverage.budget:,} tokens"
    return "not known yet" if coverage.is_incomplete else "nothing found"


def _jobs(coverage: Coverage) -> list[str]:
    """The age follows the first count, because the oldest job may be in any state."""
    parts = [
        f"{coverage.pending:,} pending" if coverage.pending else "",
        f"{coverage.in_progress:,} in progress" if coverage.in_progress else "",
        f"{coverage.failed:,} failed, will be retried" if coverage.failed else "",
    ]
    parts = [part for part in parts if part]
    if parts and coverage.oldest_pending_ms is not None:
        parts[0] += f", oldest {_age(coverage.oldest_pending_ms)}"
    return parts


def _age(milliseconds: int) -> str:
    for size, unit in _UNITS:
        if milliseconds >= size:
            return f"{milliseconds // size} {unit}"
    return "0 s"
