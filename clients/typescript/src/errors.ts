/** What failed. `message` has the value and what to do about it; `code` and `status` are for programs. */
export class JotsamError extends Error {
  override readonly name = "JotsamError";
  /** The code of an answer, such as `not-found`: docs/http.md lists them. Without an answer of Jotsam it is one of
   * `unreachable`, `no-answer` (in time), `not-jotsam` and `invalid-input`. */
  readonly code: string;
  /** Of the answer; 0: there was none. */
  readonly status: number;
  /** Under which the log of the server has the rest. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait before another try. */
  readonly retryAfterMs: number | undefined;
  /** With the code `tenant-moved`: the address of the server that has the tenant. */
  readonly server: string | undefined;

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status ?? 0;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
    this.server = fields.server;
  }

  /** Whether the same request can succeed later. */
  get retry(): boolean {
    return this.code === "unreachable" || this.code === "no-answer" || RETRY_STATUSES.has(this.status);
  }
}

export interface ErrorFields {
  code: string;
  status?: number;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  server?: string | undefined;
  cause?: unknown;
}

const RETRY_STATUSES = new Set([429, 502, 503, 504]);
const SHOWN = 200; // characters of an answer in a message

/** The error that an answer describes. */
export async function errorOf(response: Response, url: string): Promise<JotsamError> {
  const text = await response.text();
  const seconds = Number(response.headers.get("retry-after") ?? NaN);
  const fields = {
    status: response.status,
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  };
  try {
    const problem = JSON.parse(text) as { detail: unknown; code: unknown; server?: unknown };
    if (typeof problem.detail === "string" && typeof problem.code === "string") {
      const server = typeof problem.server === "string" ? problem.server : undefined;
      return new JotsamError(problem.detail, { ...fields, code: problem.code, server });
    }
  } catch {
    // Told below: a proxy or another program has answered.
  }
  return notJotsam(url, `${response.status} ${text.slice(0, SHOWN)}`, fields);
}

export function notJotsam(url: string, answer: string, fields: Omit<ErrorFields, "code">): JotsamError {
  const message = `${url} answered what no server of Jotsam does: ${answer.trim()}; check the address and any proxy`;
  return new JotsamError(message, { ...fields, code: "not-jotsam" });
}
