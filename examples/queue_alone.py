"""Durable jobs with retries and dead letters, in one file, without memory.

python examples/queue_alone.py
"""

from jotsam import BuryJob, Processor, Queue, RetryJob, Task

mail = Queue("mail.db", "mail")
tried: list[str] = []


def send(task: Task) -> None:
    to = task.payload["to"]
    tried.append(to)
    if "@" not in to:
        raise BuryJob(f"{to} is no address")  # It will never work: a person must look at it.
    if tried.count(to) == 1:
        raise RetryJob("the server is busy", after_ms=0)  # The job is tried again.
    print("sent to", to)


for number, to in enumerate(("ana@example.org", "nowhere", "ana@example.org")):
    mail.send({"to": to}, kind="welcome", key=f"user-{min(number, 1)}")  # A key is accepted once.
Processor(mail, {"welcome": send}).run()  # until it is empty
print("dead:", [job.error for job in mail.dead()])
