/** Reads the stream of events. */
import { notJotsam } from "./errors.js";
import type { Transport } from "./transport.js";

/** What happened. `subject` is the id of what it happened to; `data` has numbers and names, and no texts. */
export interface Event {
  id: string;
  /** Such as `memory.store`, or `gap`, `dropped` and `end`, which say something about the stream. */
  type: string;
  at?: number;
  subject?: string | null;
  data?: Record<string, unknown>;
}

export async function* events(
  transport: Transport,
  query: { after?: string; idle_ms?: number },
  signal?: AbortSignal,
): AsyncGenerator<Event, void> {
  const headers = { Accept: "text/event-stream" };
  const body = await transport.stream({ method: "GET", path: "/v1/events", query, headers, repeatable: false, signal });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let waiting = "";
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const messages = (waiting + decoder.decode(piece.value, { stream: true })).split("\n\n");
      waiting = messages.pop() ?? "";
      for (const message of messages) {
        const event = eventOf(message, transport.url);
        if (event) yield event;
      }
    }
  } catch (cause) {
    throw transport.lost(cause, signal);
  } finally {
    await reader.cancel().catch(() => undefined); // Closes the connection when the caller stops; it may be lost already.
  }
}

/** Undefined: a cursor, or a sign that the connection is alive. */
function eventOf(message: string, url: string): Event | undefined {
  const lines = message.split("\n").filter((line) => line.includes(": "));
  const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2)));
  if (!fields["event"]) return undefined;
  try {
    return { id: fields["id"] ?? "", type: fields["event"], ...(JSON.parse(fields["data"] ?? "{}") as object) };
  } catch (cause) {
    throw notJotsam(url, message.slice(0, 200), { status: 200, cause });
  }
}
