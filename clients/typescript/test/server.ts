/** A real server of Jotsam on a database of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

export interface Running {
  url: string;
  token: string;
  stop(): Promise<void>;
}

export async function startJotsam(): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), "jotsam-typescript-"));
  const db = join(folder, "memory.db");
  const environ = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const server = spawn("jotsam", ["--db", db, "server", "start", "--port", "0"], {
    env: environ,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const url = await addressOf(server);
  const token = (await readFile(`${db}.token`, "utf8")).trim();
  return {
    url,
    token,
    stop: async () => {
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** The address that a starting server logs. */
async function addressOf(server: ChildProcess): Promise<string> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    createInterface({ input: server.stderr! }).on("line", (line) => {
      lines.push(line);
      const found = /serving .* on (http:\/\/[^\s"]+)/.exec(line);
      if (found) resolve(found[1]!);
    });
    server.on("error", reject);
    server.on("exit", () => reject(new Error(`the server did not start: ${lines.join("\n")}`)));
  });
}

/** A server that is none of Jotsam, on a free port, until the test has ended. */
export async function startOther(t: TestContext, listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
