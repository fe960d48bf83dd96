"""A durable queue: visibility timeout, fencing token, priorities, lanes, dead letters. It knows nothing of memory.

A job is `ready`, `leased` to a receiver until `wake_at`, `waiting` until `wake_at`, `dead`, or `blocked` by its lane.
Only ready jobs stand in the index that a claim walks, so a claim costs the same whatever else waits.
`received` counts deliveries and never goes down: whoever names an old one has lost the job, and changes nothing.
`failures` counts the deliveries that were spent; a delivery whose lease ends without a word is one of them, so a job
that kills its receivers is buried like any other.
"""

from jotsam.storage.queue.control import (
    cancel,
    control,
    discard,
    fair,
    forget_tenant,
    pause,
    paused,
    purge,
    redrive,
    resume,
    trip,
)
from jotsam.storage.queue.floor import Floor
from jotsam.storage.queue.history import attempts, forget, pace, timings, totals
from jotsam.storage.queue.verbs import (
    bury,
    delete,
    delete_many,
    ensure,
    extend,
    extend_many,
    leave_result,
    receive,
    release,
    report,
    send,
    wake,
)
from jotsam.storage.queue.view import (
    crowd,
    depth,
    errors,
    get,
    held,
    is_cancelled,
    is_due,
    is_ready,
    jobs,
    next_wake,
    progress,
    receivers,
    result,
    states,
    stuck,
    waiting,
)

__all__ = [
    "Floor",
    "attempts",
    "bury",
    "cancel",
    "control",
    "crowd",
    "delete",
    "delete_many",
    "depth",
    "discard",
    "ensure",
    "errors",
    "extend",
    "extend_many",
    "fair",
    "forget",
    "forget_tenant",
    "get",
    "held",
    "is_cancelled",
    "is_due",
    "is_ready",
    "jobs",
    "leave_result",
    "next_wake",
    "pace",
    "pause",
    "paused",
    "progress",
    "purge",
    "receive",
    "receivers",
    "redrive",
    "release",
    "report",
    "result",
    "resume",
    "send",
    "states",
    "stuck",
    "timings",
    "totals",
    "trip",
    "waiting",
    "wake",
]
