import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { Jotsam } from "jotsam";
import { memoryTools, type Scope } from "jotsam/ai";
import { startJotsam, type Running } from "./server.js";

let server: Running;
let jot: Jotsam;

before(async () => {
  server = await startJotsam();
  jot = new Jotsam({ url: server.url, token: server.token });
});
after(() => server.stop());

/** A model that calls each of these tools, and says at the end "done". */
function modelThatCalls(...calls: [string, object][]) {
  let step = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const call = calls[step++];
      const content = call
        ? [{ type: "tool-call" as const, toolCallId: `call-${step}`, toolName: call[0], input: JSON.stringify(call[1]) }]
        : [{ type: "text" as const, text: "done" }];
      const unified = call ? ("tool-calls" as const) : ("stop" as const);
      const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };
      return { content, finishReason: { unified, raw: undefined }, usage: { inputTokens: none, outputTokens: none }, warnings: [] };
    },
  });
}

/** What the tools answer, or the message of an error. */
async function answers(scope: Scope, ...calls: [string, object][]): Promise<any[]> {
  const model = modelThatCalls(...calls);
  const found = await generateText({ model, prompt: "Go on.", tools: memoryTools(jot, scope), stopWhen: stepCountIs(9) });
  assert.equal(found.text, "done");
  // Each answer was given to the model.
  assert.equal(model.doGenerateCalls.at(-1)?.prompt.filter((message) => message.role === "tool").length, calls.length);
  return found.steps.flatMap((step) =>
    step.content.flatMap((part) =>
      part.type === "tool-result" ? [part.output] : part.type === "tool-error" ? [(part.error as Error).message] : [],
    ),
  );
}

test("a model remembers, recalls and forgets", async () => {
  const [stored, recalled] = await answers(
    { actor: "ann", project: "kiln" },
    ["remember", { text: "Ann fires at 1,240 degrees.", type: "Preference", tags: ["kiln"] }],
    ["recall", { query: "how hot does Ann fire?" }],
  );
  const memory = await jot.get(stored.id);
  assert.deepEqual([memory.actor, memory.type, memory.text], ["ann", "Preference", "Ann fires at 1,240 degrees."]);
  assert.deepEqual(recalled.ids, [stored.id]);
  assert.match(recalled.text, /1,240 degrees/);
  const [plan, wrong, done, missing] = await answers(
    { actor: "ann" },
    ["forget", { ids: [stored.id] }],
    ["forget", { ids: [stored.id], confirm: 3 }],
    ["forget", { ids: [stored.id], confirm: 1 }],
    ["forget", { ids: [stored.id] }],
  );
  assert.deepEqual(plan, { forgotten: false, count: 1, texts: ["Ann fires at 1,240 degrees."] });
  assert.equal(wrong, "nothing was deleted: confirm is 3, and the count is 1");
  assert.equal(done.forgotten, true);
  assert.match(missing, new RegExp(stored.id));
});

test("a model cannot leave the scope that the program gave it", async () => {
  const secret = await jot.remember("Bob's alarm code is eleven.", { actor: "bob", project: "kiln" });
  const [recalled, forgotten, refused] = await answers(
    { actor: "ann" },
    ["recall", { query: "alarm code" }],
    ["forget", { ids: [secret.id], confirm: 1 }],
    ["remember", { text: "Ann was here.", actor: "bob" }],
  );
  assert.deepEqual(recalled.ids, []);
  assert.match(forgotten, new RegExp(secret.id));
  assert.equal((await jot.get(secret.id)).actor, "bob");
  // The AI SDK gives a tool what the model has sent, as its JSON Schema is for the model alone.
  assert.equal((await jot.get(refused.id)).actor, "ann");
});

test("an argument that is wrong is an error that the model reads", async () => {
  const [type] = await answers({}, ["remember", { text: "", tags: [] }]);
  assert.match(type, /text/);
});
