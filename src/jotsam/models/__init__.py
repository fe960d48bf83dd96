"""Models that are asked: language models and embedders, over HTTP or on this machine."""
