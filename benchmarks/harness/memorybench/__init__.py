"""Jotsam as a provider of MemoryBench, https://github.com/supermemoryai/memorybench, over the HTTP API."""
