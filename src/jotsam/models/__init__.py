"""Clients of language models, embedders and NER models, over HTTP or on this machine."""
