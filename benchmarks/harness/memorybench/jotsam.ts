// Each container of MemoryBench is a project, each message one memory.

import type { IngestOptions, IngestResult, Provider, ProviderConfig, SearchOptions } from "../../types/provider"
import type { UnifiedSession } from "../../types/unified"

const BATCH = 500
const WAIT_MS = 30_000
const WAITS = 60

interface Item {
    receipt: { id: string; job_id: number | null } | null
    error: string | null
}

export class JotsamProvider implements Provider {
    name = "jotsam"
    private url = ""
    private token = ""

    async initialize(config: ProviderConfig): Promise<void> {
        this.url = config.baseUrl ?? ""
        this.token = config.apiKey
    }

    async ingest(sessions: UnifiedSession[], options: IngestOptions): Promise<IngestResult> {
        const memories = sessions.flatMap((session) =>
            session.messages
                .map((message, position) => ({
                    text: message.content,
                    actor: message.speaker ?? message.role,
                    session: `${options.containerTag}/${session.sessionId}`,
                    position,
                    said_at: message.timestamp ?? session.metadata?.date ?? null,
                    project: options.containerTag,
                    external_id: `${options.containerTag}/${session.sessionId}/${position}`,
                }))
                .filter((memory) => memory.text),
        )
        const accepted: Item[] = []
        for (let from = 0; from < memories.length; from += BATCH) {
            const { items } = await this.call<{ items: Item[] }>("/v1/memories/batch", {
                items: memories.slice(from, from + BATCH),
            })
            accepted.push(...items)
        }
        const refused = accepted.find((item) => item.receipt === null)
        if (refused) throw new Error(`not accepted: ${refused.error}`)
        return {
            documentIds: accepted.map((item) => item.receipt!.id),
            taskIds: accepted.flatMap((item) => item.receipt!.job_id ?? []).map(String),
        }
    }

    async awaitIndexing(result: IngestResult, containerTag: string): Promise<void> {
        const ids = result.documentIds
        for (let from = 0; from < ids.length; from += BATCH) {
            let done = false
            for (let wait = 0; !done; wait++) {
                if (wait === WAITS) throw new Error(`${containerTag} was not done after ${(WAITS * WAIT_MS) / 60_000} minutes`)
                const body = { ids: ids.slice(from, from + BATCH), timeout_ms: WAIT_MS }
                done = (await this.call<{ done: boolean }>("/v1/wait", body)).done
            }
        }
    }

    async search(query: string, options: SearchOptions): Promise<unknown[]> {
        const { hits } = await this.call<{ hits: Record<string, unknown>[] }>("/v1/recall", {
            question: query,
            project: options.containerTag,
            limit: options.limit ?? 10,
            tokens: 20_000,
        })
        return hits.map(({ text, actor, date, session, score, facts }) => ({
            text,
            actor,
            date: typeof date === "number" ? new Date(date).toISOString() : date,
            session,
            score,
            facts,
        }))
    }

    async clear(containerTag: string): Promise<void> {
        const plan = await this.call<object>("/v1/forget/plan", { project: containerTag })
        await this.call("/v1/forget", { plan })
    }

    private async call<T>(path: string, body: object): Promise<T> {
        const response = await fetch(this.url + path, {
            method: "POST",
            headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
            body: JSON.stringify(body),
        })
        if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
        return (await response.json()) as T
    }
}
