"""Text structure shared by the pipeline: words, tokens, Markdown, blocks, slugs."""
