/** The programs of docs/typescript.md run as they are there, in a project with the packed package. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Jotsam } from "jotsam";
import { startJotsam, startOther, type Running } from "./server.js";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname ?? "", ".."); // of the client
let server: Running;
let project: string;
let programs: string[];

before(async () => {
  server = await startJotsam();
  const page = await readFile(join(ROOT, "../../docs/typescript.md"), "utf8");
  programs = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map((found) => found[1]!);
  project = await mkdtemp(join(tmpdir(), "jotsam-project-"));
  const modules = join(project, "node_modules");
  await mkdir(join(modules, "jotsam"), { recursive: true });
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", project], { cwd: ROOT });
  const [packed] = Object.values(JSON.parse(stdout) as object) as [{ filename: string; files: { path: string }[] }];
  const other = packed.files.map((file) => file.path).filter((path) => !/^dist\/\w+\.(js|d\.ts)$/.test(path));
  assert.deepEqual(other.sort(), ["LICENSE", "README.md", "package.json"]);
  await run("tar", ["xf", join(project, packed.filename), "--strip-components=1", "-C", join(modules, "jotsam")]);
  for (const name of ["ai", "@ai-sdk"]) await symlink(join(ROOT, "node_modules", name), join(modules, name));
});
after(async () => {
  await rm(project, { recursive: true, force: true });
  await server.stop();
});

async function printed(program: string, environ: Record<string, string> = {}): Promise<string> {
  const file = join(project, "program.mjs");
  await writeFile(file, program);
  const env = { ...process.env, JOTSAM_URL: server.url, JOTSAM_TOKEN: server.token, ...environ };
  return (await run(process.execPath, [file], { env })).stdout;
}

test("the first program stores, finds and forgets", async () => {
  assert.equal(programs.length, 2);
  const output = await printed(programs[0]!);
  assert.match(output, /^We chose PostgreSQL for orders\.\n/);
  assert.match(output, /memories: 1,/);
});

test("the program with the AI SDK lets a model recall", async (t) => {
  const jot = new Jotsam({ url: server.url, token: server.token });
  await jot.remember("Orders are in PostgreSQL.", { actor: "ann", project: "shop" });
  const asked: { messages: { role: string; content: string }[] }[] = [];
  const model = await startOther(t, (request, response) => {
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      asked.push(JSON.parse(text));
      const call = { id: "call-1", type: "function", function: { name: "recall", arguments: '{"query": "database for orders"}' } };
      const message = asked.length === 1 ? { content: null, tool_calls: [call] } : { content: "PostgreSQL, as ann said." };
      const finish_reason = asked.length === 1 ? "tool_calls" : "stop";
      const choices = [{ index: 0, message: { role: "assistant", ...message }, finish_reason }];
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ id: "1", object: "chat.completion", created: 1, model: "qwen", choices }));
    });
  });
  assert.equal(await printed(programs[1]!, { MODEL_URL: `${model.url}/v1` }), "PostgreSQL, as ann said.\n");
  const told = asked[1]?.messages.find((message) => message.role === "tool");
  assert.match(told?.content ?? "", /Orders are in PostgreSQL\./);
});
