"""Claude's memory tool: the files that Claude writes are in Jotsam.

ANTHROPIC_API_KEY=... python examples/claude_memory_tool.py ann "Remember that my glaze is celadon."
"""

import os
import sys

from anthropic import Anthropic

from jotsam import Jotsam
from jotsam.integrations.anthropic import JotsamMemoryTool

user, said = sys.argv[1:]
with Jotsam() as jot:
    tool = JotsamMemoryTool(jot, user=user)
    runner = Anthropic().beta.messages.tool_runner(
        model=os.environ.get("MODEL", "claude-sonnet-5-5"),
        max_tokens=1_000,
        messages=[{"role": "user", "content": said}],
        tools=[tool],
        betas=["context-management-2025-06-27"],
    )
    for block in runner.until_done().content:
        if block.type == "text":
            print(block.text)
    print(tool.call({"command": "view", "path": "/memories"}))
