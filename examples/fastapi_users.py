"""A web service with a memory for each user.

    uvicorn --app-dir examples fastapi_users:app
    curl -X POST localhost:8000/users/ann/memories -d '{"text": "My glaze is celadon."}' \
      -H 'Content-Type: application/json'
    curl 'localhost:8000/users/ann/memories?question=which+glaze'
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from pydantic import BaseModel

from jotsam import AsyncJotsam

memory = AsyncJotsam()


class Said(BaseModel):
    text: str


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with memory:
        yield


app = FastAPI(lifespan=lifespan)


@app.post("/users/{user}/memories", status_code=202)
async def remember(user: str, said: Said) -> dict[str, str]:
    receipt = await memory.scoped(tenant=user).remember(said.text)
    return {"id": receipt.id}


@app.get("/users/{user}/memories")
async def recall(user: str, question: str) -> dict[str, list[str] | str]:
    answer = await memory.scoped(tenant=user).recall(question)
    return {"found": [hit.text for hit in answer.hits], "coverage": str(answer.coverage)}
