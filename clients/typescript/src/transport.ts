/** Sends a request: the token, a time limit, other tries where they can do no harm, and errors. */
import { errorOf, JotsamError, notJotsam } from "./errors.js";
import type { Method } from "./routes.js";

const DEFAULT_URL = "http://127.0.0.1:8787";
const DEFAULT_TIMEOUT_MS = 60_000;
const RETRIES = 3;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
const MAX_MOVES = 4; // servers that a tenant was moved through, one after the other

const ADDRESS = /^https?:\/\/[^/@]+(\/[^@]*)?$/;

export interface Options {
  /** Of the server; default: the variable `JOTSAM_URL`, else `http://127.0.0.1:8787`. */
  url?: string;
  /** Default: the variable `JOTSAM_TOKEN`. */
  token?: string;
  /** How long one try of a request may take; default: a minute. */
  timeoutMs?: number;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: typeof fetch;
}

export interface Wanted {
  method: Method;
  path: string;
  query?: object | undefined;
  body?: unknown;
  headers?: Record<string, string> | undefined;
  /** It changes nothing, or has an idempotency key: it may be sent again. */
  repeatable: boolean;
  signal?: AbortSignal | undefined;
}

export class Transport {
  #url: string;
  readonly #token: string;
  readonly #timeoutMs: number;
  readonly #fetch: typeof fetch;

  constructor(options: Options) {
    const variables = globalThis.process?.env ?? {};
    const url = options.url ?? (variables["JOTSAM_URL"] || DEFAULT_URL);
    if (!ADDRESS.test(url)) {
      throw invalid(`invalid url ${JSON.stringify(url)}: must be as http://127.0.0.1:8787, without a user name`);
    }
    this.#url = url.replace(/\/+$/, "");
    this.#token = (options.token ?? variables["JOTSAM_TOKEN"] ?? "").trim();
    if (!/^[\x20-\x7e]*$/.test(this.#token)) {
      throw invalid("invalid token: contains a line break or a character that HTTP headers cannot carry");
    }
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    if (!(Number.isSafeInteger(this.#timeoutMs) && this.#timeoutMs > 0)) {
      throw invalid(`invalid timeoutMs ${this.#timeoutMs}: must be a whole number above 0`);
    }
    this.#fetch = options.fetch ?? globalThis.fetch;
  }

  /** Of the server; another one once the tenant was found to have moved. */
  get url(): string {
    return this.#url;
  }

  /** The decoded JSON of the answer. */
  async json(wanted: Wanted): Promise<unknown> {
    for (let tries = 1, moves = 0; ; tries++) {
      try {
        return await this.#tryOnce(wanted);
      } catch (error) {
        if (this.#follow(error) && moves++ < MAX_MOVES) continue;
        const pause = error instanceof JotsamError ? pauseAfter(error, tries) : undefined;
        if (pause === undefined || !wanted.repeatable) throw error;
        await sleep(pause, wanted.signal);
      }
    }
  }

  /** The body of an answer that goes on for as long as it is read. */
  async stream(wanted: Wanted): Promise<ReadableStream<Uint8Array>> {
    try {
      const response = await this.#send(wanted, wanted.signal ?? null);
      if (!response.ok || response.body === null) throw await errorOf(response, this.url);
      return response.body;
    } catch (cause) {
      this.#follow(cause);
      throw this.lost(cause, wanted.signal);
    }
  }

  /** What a call throws when its connection fails or ends too early. */
  lost(cause: unknown, signal: AbortSignal | undefined): unknown {
    return cause instanceof JotsamError || signal?.aborted ? cause : unreachable(this.url, cause);
  }

  /** Send what follows to the server that has the tenant, if the error names one that the token may be sent to. */
  #follow(error: unknown): boolean {
    if (!(error instanceof JotsamError) || error.code !== "tenant-moved" || error.server === undefined) return false;
    const isSafe = error.server.startsWith("https:") || this.#url.startsWith("http:");
    if (!isSafe || !ADDRESS.test(error.server)) return false;
    this.#url = error.server.replace(/\/+$/, "");
    return true;
  }

  async #tryOnce(wanted: Wanted): Promise<unknown> {
    const limit = AbortSignal.timeout(this.#timeoutMs);
    const signal = wanted.signal ? AbortSignal.any([limit, wanted.signal]) : limit;
    try {
      const response = await this.#send(wanted, signal);
      if (!response.ok) throw await errorOf(response, this.url);
      const text = await response.text();
      try {
        return JSON.parse(text) as unknown;
      } catch (cause) {
        throw notJotsam(this.url, text.slice(0, 200), { status: response.status, cause });
      }
    } catch (cause) {
      const isLate = limit.aborted && !wanted.signal?.aborted && !(cause instanceof JotsamError);
      if (!isLate) throw this.lost(cause, wanted.signal);
      const message = `${this.url} did not answer within ${this.#timeoutMs} ms; a change may still be carried out`;
      throw new JotsamError(message, { code: "no-answer", cause });
    }
  }

  async #send(wanted: Wanted, signal: AbortSignal | null): Promise<Response> {
    const headers: Record<string, string> = { Accept: "application/json", ...wanted.headers };
    if (this.#token) headers["Authorization"] = `Bearer ${this.#token}`;
    if (wanted.body !== undefined) headers["Content-Type"] = "application/json";
    const send = this.#fetch; // As a method, fetch would be called with another `this`, which browsers refuse.
    // A redirect is not followed: the token would go with it.
    return send(this.url + wanted.path + queryOf(wanted.query ?? {}), {
      method: wanted.method,
      headers,
      body: wanted.body === undefined ? null : JSON.stringify(wanted.body),
      redirect: "error",
      signal,
    });
  }
}

/** A list is sent as several parameters of one name. */
function queryOf(query: object): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one !== undefined && one !== null) found.append(name, String(one));
    }
  }
  return found.size ? `?${found}` : "";
}

function pauseAfter(error: JotsamError, tries: number): number | undefined {
  if (!error.retry || error.code === "no-answer" || tries > RETRIES) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs <= LONGEST_PAUSE_MS ? error.retryAfterMs : undefined;
  return FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random());
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

function unreachable(url: string, cause: unknown): JotsamError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason = inner instanceof Error ? inner.message || inner.name : String(inner);
  return new JotsamError(`${url} cannot be reached: ${reason}; start it with \`jotsam server start\`, or set JOTSAM_URL`, {
    code: "unreachable",
    cause,
  });
}

function invalid(message: string): JotsamError {
  return new JotsamError(message, { code: "invalid-input" });
}
