/** Client of Jotsam's HTTP API. */
import { KEYED, READING } from "./api.js";
import { JotsamError } from "./errors.js";
import { events, type Event } from "./events.js";
import type { Answer, Arguments, Method, Path, Query, Schemas } from "./routes.js";
import { Transport, type Options } from "./transport.js";

export { JotsamError, type Event, type Options, type Schemas };
export type Memory = Schemas["StoredMemory"];
export type Receipt = Schemas["Receipt"];
export type RecallAnswer = Schemas["StaleAnswer"];
export type Item = Schemas["StoredItem"];
export type Namespace = readonly string[];

export interface CallOptions {
  /** Ends the call when it is aborted. */
  signal?: AbortSignal;
}

type Fields<T, K extends keyof T> = Omit<T, K>;

/** A memory on a server. It holds no connection open, and may be used by many calls at once. */
export class Jotsam {
  readonly store: Store;
  readonly #transport: Transport;

  constructor(options: Options = {}) {
    this.#transport = new Transport(options);
    this.store = new Store(this);
  }

  /** Store one memory. It is durable and found by its words at once; a worker enriches it later. */
  remember(text: string, fields: Fields<Schemas["MemoryBody"], "text"> = {}, options?: CallOptions): Promise<Receipt> {
    return this.request("POST", "/v1/memories", { body: { ...fields, text } }, options);
  }

  /** Store a document, which a worker splits into memories. */
  add(text: string, fields: Fields<Schemas["DocumentBody"], "text"> = {}, options?: CallOptions): Promise<Receipt> {
    return this.request("POST", "/v1/documents", { body: { ...fields, text } }, options);
  }

  /** Store what was said in a conversation. */
  addTurn(text: string, fields: Fields<Schemas["TurnBody"], "text">, options?: CallOptions): Promise<Receipt> {
    return this.request("POST", "/v1/turns", { body: { ...fields, text } }, options);
  }

  /** Search memory. `text` of the answer is for a model, and its last line says what is not covered yet. */
  recall(question: string, fields: Fields<Schemas["RecallBody"], "question"> = {}, options?: CallOptions): Promise<RecallAnswer> {
    return this.request("POST", "/v1/recall", { body: { ...fields, question } }, options);
  }

  /** One memory by its id or external id. */
  get(id: string, query: Query<"GET", "/v1/memories/{id}"> = {}, options?: CallOptions): Promise<Memory> {
    return this.request("GET", "/v1/memories/{id}", { path: { id }, query }, options);
  }

  /** One page of memories, and the `cursor` of the next one. */
  list(query: Query<"GET", "/v1/memories"> = {}, options?: CallOptions): Promise<Schemas["MemoryPage"]> {
    return this.request("GET", "/v1/memories", { query }, options);
  }

  /** All memories that match, read page by page. */
  async *each(query: Query<"GET", "/v1/memories"> = {}, options?: CallOptions): AsyncGenerator<Memory, void> {
    for (let cursor = query.cursor; ; ) {
      const page = await this.list(cursor === undefined ? query : { ...query, cursor }, options);
      yield* page.items;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** What `forget` would remove. */
  planForget(selection: Schemas["ForgetSelection"], options?: CallOptions): Promise<Schemas["ForgetPlan"]> {
    return this.request("POST", "/v1/forget/plan", { body: selection }, options);
  }

  /** Remove what a plan lists: the texts, their index, links, facts and jobs. */
  forget(
    plan: Schemas["ForgetPlanBody"],
    fields: Fields<Partial<Schemas["ForgetBody"]>, "plan"> = {},
    options?: CallOptions,
  ): Promise<Schemas["ForgetReceipt"]> {
    const { memories, documents, person = null } = plan; // Its counts are not sent back.
    const body = { ...fields, plan: { memories, documents, person } };
    return this.request("POST", "/v1/forget", { body }, options);
  }

  /** Wait until the jobs of these memories and documents are done or dead; without ids, all of the tenant. Waits up to
   * 30 seconds. Returns whether they are. */
  async wait(ids: string[] = [], fields: Fields<Schemas["WaitBody"], "ids"> = {}, options?: CallOptions): Promise<boolean> {
    return (await this.request("POST", "/v1/wait", { body: { ...fields, ids } }, options)).done;
  }

  /** A job of a receipt, also when it is done. */
  job(id: number, options?: CallOptions): Promise<Schemas["JobDetails"]> {
    return this.request("GET", "/v1/jobs/{id}", { path: { id: String(id) } }, options);
  }

  status(options?: CallOptions): Promise<Answer<"GET", "/v1/status">> {
    return this.request("GET", "/v1/status", {}, options);
  }

  /** Follow what is stored, enriched and recalled. Resume with the `id` of the last event as `after`. It ends when the
   * server stops, and when `signal` is aborted. */
  events(query: Query<"GET", "/v1/events"> = {}, options?: CallOptions): AsyncGenerator<Event, void> {
    return events(this.#transport, query, options?.signal);
  }

  /** Any route of the API, with its arguments and its answer typed. A route that changes nothing is sent again when the
   * server is busy or cannot be reached; so is one that takes an idempotency key, with one key for all tries. */
  request<M extends Method, P extends Path<M>>(
    method: M,
    path: P,
    given: Arguments<M, P>,
    options: CallOptions & { headers?: Record<string, string> } = {},
  ): Promise<Answer<M, P>> {
    const { path: names = {}, query, body } = given as { path?: Record<string, string>; query?: object; body?: unknown };
    const filled = (path as string).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ""));
    const route = `${method} ${path as string}`;
    const headers = KEYED.has(route) ? { "Idempotency-Key": crypto.randomUUID(), ...options.headers } : options.headers;
    const repeatable = KEYED.has(route) || READING.has(route);
    const wanted = { method, path: filled, query, body, headers, repeatable, signal: options.signal };
    return this.#transport.json(wanted) as Promise<Answer<M, P>>;
  }
}

/** Exact values by namespace and key: what you put is what you get, or it is refused. */
export class Store {
  readonly #jotsam: Jotsam;

  constructor(jotsam: Jotsam) {
    this.#jotsam = jotsam;
  }

  put(
    namespace: Namespace,
    key: string,
    value: unknown,
    fields: Fields<Schemas["StorePut"], "namespace" | "key" | "value"> = {},
    options?: CallOptions,
  ): Promise<Schemas["StoreChange"]> {
    return this.#jotsam.request("POST", "/v1/store/put", { body: { ...fields, namespace: [...namespace], key, value } }, options);
  }

  /** The item with its `value`. Of a key that is not there: undefined. */
  async get(namespace: Namespace, key: string, fields: { refresh?: boolean } = {}, options?: CallOptions): Promise<Item | undefined> {
    try {
      return await this.#jotsam.request("POST", "/v1/store/get", { body: { ...fields, namespace: [...namespace], key } }, options);
    } catch (error) {
      if (error instanceof JotsamError && error.code === "not-found") return undefined;
      throw error;
    }
  }

  /** Items of this namespace and of all below it: by words the best first, without words the newest first. */
  async search(namespace: Namespace, fields: Fields<Schemas["StoreSearch"], "namespace"> = {}, options?: CallOptions): Promise<Item[]> {
    return (await this.#jotsam.request("POST", "/v1/store/search", { body: { ...fields, namespace: [...namespace] } }, options)).items;
  }

  /** Add values at the end of a namespace, in this order and together. */
  append(
    namespace: Namespace,
    values: unknown[],
    fields: Fields<Schemas["StoreAppend"], "namespace" | "values"> = {},
    options?: CallOptions,
  ): Promise<Schemas["StoreChange"]> {
    return this.#jotsam.request("POST", "/v1/store/append", { body: { ...fields, namespace: [...namespace], values } }, options);
  }

  /** Whether it was there. */
  async delete(namespace: Namespace, key: string, options?: CallOptions): Promise<boolean> {
    return (await this.#jotsam.request("POST", "/v1/store/delete", { body: { namespace: [...namespace], key } }, options)).number > 0;
  }

  async namespaces(fields: Schemas["StoreNamespaces"] = {}, options?: CallOptions): Promise<Schemas["StoreNamespace"][]> {
    return (await this.#jotsam.request("POST", "/v1/store/namespaces", { body: fields }, options)).items;
  }
}
