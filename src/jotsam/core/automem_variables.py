"""Values of AutoMem's environment variables as settings. Imported only if such a variable is set."""

from __future__ import annotations

from math import ceil

from jotsam.core.errors import InvalidInput
from jotsam.core.validate import shown

SECONDS = ("ENRICHMENT_IDLE_SLEEP_SECONDS", "ENRICHMENT_FAILURE_BACKOFF_SECONDS")
INTERVAL, DAY_SECONDS = "_INTERVAL_SECONDS", 86_400  # of a step; ours are in whole days, so it is rounded up
SWITCH = "ENRICHMENT_ENABLE_SUMMARIES"
TRUE, FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off")


def converted(variable: str, value: str) -> str | int:
    """The value of a variable in the unit of our setting. Raises `InvalidInput`.

    The limits of the setting are not checked here.
    """
    value = value.strip()
    if variable == SWITCH:
        word = value.lower()
        if word not in (*TRUE, *FALSE):
            raise InvalidInput(f"invalid {variable} {shown(value)}: must be true or false")
        return "on" if word in TRUE else "off"
    is_interval = variable.endswith(INTERVAL)
    if variable not in SECONDS and not is_interval:
        return value
    try:
        seconds = float(value)
        return ceil(seconds / DAY_SECONDS) if is_interval else round(seconds * 1_000)
    except (ValueError, OverflowError):  # The latter for infinity.
        raise InvalidInput(f"invalid {variable} {shown(value)}: must be a number of seconds") from None
