"""The durable queue as a library: Queue, Processor and the worker loop. Knows nothing of memory."""
