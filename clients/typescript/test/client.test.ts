import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { after, before, test } from "node:test";
import { Jotsam, JotsamError } from "jotsam";
import { startJotsam, startOther, type Running } from "./server.js";

let server: Running;
let jot: Jotsam;

before(async () => {
  server = await startJotsam();
  jot = new Jotsam({ url: server.url, token: server.token });
});
after(() => server.stop());

async function failure(call: Promise<unknown>): Promise<JotsamError> {
  const error = await call.then(
    () => assert.fail("it did not fail"),
    (error: unknown) => error,
  );
  assert(error instanceof JotsamError, String(error));
  return error;
}

test("what is remembered is found at once, and its receipt is followed to the end", async () => {
  const receipt = await jot.remember("The glaze of the kiln is celadon.", { tags: ["glaze"], actor: "ann", project: "kiln" });
  const answer = await jot.recall("which glaze?", { actor: "ann" });
  assert.deepEqual(answer.hits.map((hit) => hit.id), [receipt.id]);
  assert.match(answer.text, /celadon/);
  assert.equal(answer.coverage.returned, 1);
  assert.equal(await jot.wait([receipt.id]), true);
  assert.equal((await jot.job(receipt.job_id)).state, "done");
  const memory = await jot.get(receipt.id);
  assert.equal(memory.text, "The glaze of the kiln is celadon.");
  assert.deepEqual([memory.actor, memory.tags.includes("glaze")], ["ann", true]);
  const again = await jot.remember("The glaze of the kiln is celadon.", { key: "glaze" });
  assert.equal((await jot.remember("The glaze of the kiln is celadon.", { key: "glaze" })).id, again.id);
  assert.equal((await failure(jot.get(receipt.id, { actor: "bob" }))).code, "not-found");
});

test("a document becomes memories, and a turn keeps its place", async () => {
  const document = await jot.add("# Cache\n\nRedis, for 60 s.\n\n# Queue\n\nPostgreSQL.", { source: "adr-5.md" });
  await jot.wait([document.id]);
  const chunks = await jot.list({ document: document.id });
  assert.equal(chunks.items.length, 2);
  const turn = await jot.addTurn("Use tabs, please.", { session: "s1", actor: "ann", position: 1 });
  const memory = await jot.get(turn.id);
  assert.deepEqual([memory.session, memory.position], ["s1", 1]);
});

test("a tenant that has moved is found on its server", async (t) => {
  const moved = (address: string) =>
    startOther(t, (request, response) => {
      response.writeHead(410, { "Content-Type": "application/problem+json" });
      const answer = JSON.stringify({ code: "tenant-moved", detail: `it is on ${address}`, server: address });
      request.resume().on("end", () => response.end(answer));
    });
  const there = new Jotsam({ url: (await moved((await moved(server.url)).url)).url, token: server.token });
  const receipt = await there.remember("The kiln moved house.");
  assert.equal((await jot.get(receipt.id)).text, "The kiln moved house.");
  const wrong = new Jotsam({ url: (await moved("ftp://x")).url, token: server.token });
  assert.equal((await failure(wrong.status())).code, "tenant-moved");
});

test("a list is read page by page", async () => {
  for (const number of [1, 2, 3, 4, 5]) await jot.remember(`Shelf ${number} is full.`, { tags: ["shelf", "cellar"] });
  const page = await jot.list({ tags: ["shelf"], limit: 2 });
  assert.equal(page.items.length, 2);
  assert.notEqual(page.next_cursor, null);
  const texts: string[] = [];
  for await (const memory of jot.each({ tags: ["shelf", "attic"], limit: 2 })) texts.push(memory.text);
  assert.deepEqual(texts.sort(), [1, 2, 3, 4, 5].map((number) => `Shelf ${number} is full.`));
});

test("what is forgotten is gone", async () => {
  const receipt = await jot.remember("The door code is on the blue card.", { tags: ["door"] });
  const plan = await jot.planForget({ ids: [receipt.id] });
  assert.deepEqual(plan.memories, [receipt.id]);
  assert.equal((await jot.forget(plan)).memories, 1);
  const error = await failure(jot.get(receipt.id));
  assert.deepEqual([error.code, error.status, error.retry], ["not-found", 404, false]);
  assert.match(error.message, new RegExp(receipt.id));
  assert.deepEqual((await jot.recall("door code", { tags: ["door"] })).hits, []);
});

test("the store gives back what was put", async () => {
  const value = { token: "AKIAIOSFODNN7EXAMPLE", deep: [[null, 0.1, "\u{1f600}\u0000"]], "": false };
  const put = await jot.store.put(["users", "ann"], "profile", value);
  assert.equal(put.number, 1);
  assert.deepEqual((await jot.store.get(["users", "ann"], "profile"))?.value, value);
  assert.equal(await jot.store.get(["users", "ann"], "nothing"), undefined);
  await jot.store.put(["users", "bob"], "profile", { level: 4 });
  const found = await jot.store.search(["users"], { filter: { level: { $gte: 4 } } });
  assert.deepEqual(found.map((item) => item.namespace), [["users", "bob"]]);
  await jot.store.append(["log"], ["one", "two"]);
  const log = await jot.store.append(["log"], ["three"]);
  assert.equal(log.position, 2);
  const spaces = await jot.store.namespaces({ prefix: ["users"] });
  assert.equal(spaces.length, 2);
  assert.equal(await jot.store.delete(["users", "bob"], "profile"), true);
  assert.equal(await jot.store.delete(["users", "bob"], "profile"), false);
});

test("any other route is called with its path, query and body", async () => {
  await jot.request("PUT", "/v1/memories/by-key/{key}", { path: { key: "ann/editor %" }, body: { text: "Ann uses Vim." } });
  const second = await jot.request("PUT", "/v1/memories/by-key/{key}", {
    path: { key: "ann/editor %" },
    body: { text: "Ann uses Helix." },
  });
  assert.equal(second.version, 2);
  const changed = await jot.request("PATCH", "/v1/memories/{id}", { path: { id: second.id }, body: { importance: 0.9 } });
  assert.equal(changed.version, 3);
  const headers = { "If-Match": '"1"' };
  const old = await failure(
    jot.request("PATCH", "/v1/memories/{id}", { path: { id: second.id }, body: { importance: 0.1 } }, { headers }),
  );
  assert.deepEqual([old.code, old.status], ["conflict", 412]);
  assert.equal((await jot.status()).level === undefined, false);
  // @ts-expect-error: the compiler knows that this route has no such field.
  const unknown = await failure(jot.request("POST", "/v1/recall", { body: { questions: "?" } }));
  assert.equal(unknown.code, "invalid-input");
});

test("events are followed from the one that was read last", async () => {
  const stop = new AbortController();
  const live = jot.events({}, { signal: stop.signal });
  const first = live.next();
  const marked = randomUUID();
  // The stream begins when the server has answered, so texts are stored until one is seen.
  let isSeen = false;
  const storing = (async () => {
    for (let number = 0; !isSeen; number++) await jot.remember(`Event ${number} of ${marked}.`);
  })();
  const seen = await first;
  isSeen = true;
  await storing;
  assert.equal(seen.done, false);
  const event = seen.value!;
  assert.equal(typeof event.subject, "string");
  stop.abort();
  await assert.rejects(async () => {
    for await (const _ of live);
  });
  const rest: string[] = [];
  for await (const one of jot.events({ after: event.id, idle_ms: 0 })) rest.push(one.type);
  assert.equal(rest.at(-1), "end");
});

test("an event may arrive in pieces", async (t) => {
  const bytes = Buffer.from('id: 2\nevent: b\ndata: {"subject": "\u{1f600}"}\n\n');
  const cut = bytes.indexOf(0xf0) + 2; // inside a character
  let answer: ServerResponse | undefined;
  const stream = await startOther(t, (_, response) => {
    answer = response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(Buffer.concat([Buffer.from("retry: 2000\n\nid: 0\n\n: alive\n\nid: 1\nevent: a\ndata: {}\n\n"), bytes.subarray(0, cut)]));
  });
  const found = [];
  for await (const event of new Jotsam({ url: stream.url }).events()) {
    found.push(event);
    answer?.end(bytes.subarray(cut)); // The first event has been read, and so the first piece.
  }
  assert.deepEqual(found, [{ id: "1", type: "a" }, { id: "2", type: "b", subject: "\u{1f600}" }]);
});

test("a stream of events that is lost is an error, and can be followed again", async (t) => {
  const cut = await startOther(t, (_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write("id: 1\nevent: a\ndata: {}\n\n");
  });
  const stream = new Jotsam({ url: cut.url }).events();
  assert.equal((await stream.next()).value?.id, "1");
  cut.server.closeAllConnections();
  const error = await failure(stream.next());
  assert.deepEqual([error.code, error.retry], ["unreachable", true]);
  assert.equal((await failure(new Jotsam({ url: server.url, token: "jot_wrong" }).events().next())).code, "unauthorized");
});

test("an error has its code, its status and the way out", async () => {
  const wrong = new Jotsam({ url: server.url, token: "jot_wrong" });
  const refused = await failure(wrong.status());
  assert.deepEqual([refused.code, refused.status], ["unauthorized", 401]);
  assert.equal(typeof refused.requestId, "string");
  const unknown = await failure(jot.get(randomUUID()));
  assert.equal(unknown.code, "not-found");
  const words = await failure(jot.remember("x", { importance: "high" as unknown as number }));
  assert.deepEqual([words.code, words.status], ["invalid-input", 400]);
  assert.match(words.message, /importance/);
  const loud = await failure(jot.remember("x", { importance: 7 }));
  assert.match(loud.message, /7.*0 to 1/);
});

test("a wrong option is refused when the client is made", () => {
  for (const url of ["", "ftp://x", "http://user@host", "127.0.0.1"]) {
    assert.throws(() => new Jotsam({ url }), { name: "JotsamError", code: "invalid-input", message: /url/ });
  }
  assert.throws(() => new Jotsam({ token: "a\nb" }), { message: /invalid token/ });
  assert.throws(() => new Jotsam({ timeoutMs: 0 }), { message: /timeoutMs 0/ });
});

test("a server that does not answer in time ends the call", async (t) => {
  const silent = await startOther(t, () => undefined);
  const slow = new Jotsam({ url: silent.url, timeoutMs: 50 });
  const error = await failure(slow.remember("x"));
  assert.deepEqual([error.code, error.retry], ["no-answer", true]);
  assert.match(error.message, /50 ms/);
  const patient = new Jotsam({ url: silent.url });
  const stop = new AbortController();
  const call = patient.status({ signal: stop.signal });
  silent.server.once("request", () => stop.abort(new Error("the user left")));
  await assert.rejects(call, { message: "the user left" });
});

test("a request that a busy server refuses is sent again with the same key, and any other is not", async (t) => {
  const keys: (string | undefined)[] = [];
  const busy = await startOther(t, (request, response) => {
    keys.push(request.headers["idempotency-key"] as string | undefined);
    request.resume();
    const isBusy = keys.length === 1 || request.url === "/v1/forget";
    response.writeHead(isBusy ? 503 : 202, { "Content-Type": "application/json", "Retry-After": "0" });
    response.end(JSON.stringify(isBusy ? { code: "unavailable", detail: "busy" } : { id: "a", job_id: 1 }));
  });
  const client = new Jotsam({ url: busy.url });
  assert.equal((await client.remember("x")).id, "a");
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  assert.equal(keys[0]?.length, 36);
  const error = await failure(client.forget({ memories: [], documents: [] }));
  assert.deepEqual([error.code, error.retryAfterMs, keys.length], ["unavailable", 0, 3]);
});

test("an address without a server, and a server that is none of Jotsam, are told apart", async (t) => {
  const free = createServer().listen(0, "127.0.0.1");
  const { port } = await new Promise<{ port: number }>((resolve) =>
    free.once("listening", () => resolve(free.address() as { port: number })),
  );
  await new Promise((resolve) => free.close(resolve));
  const nothing = await failure(new Jotsam({ url: `http://127.0.0.1:${port}` }).status());
  assert.equal(nothing.code, "unreachable");
  assert.match(nothing.message, /ECONNREFUSED.*jotsam server start/);
  const page = await startOther(t, (_, response) => void response.end("<html>"));
  assert.equal((await failure(new Jotsam({ url: page.url }).status())).code, "not-jotsam");
  const moved = await startOther(t, (_, response) => void response.writeHead(302, { Location: server.url }).end());
  assert.equal((await failure(new Jotsam({ url: moved.url, token: "secret" }).status())).code, "unreachable");
});
