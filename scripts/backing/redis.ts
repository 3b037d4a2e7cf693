import { askPort } from "../process/ports.ts";
import type { BackingKind, ProbeResult } from "./backing-kind.ts";
import { fetchedByPackageManager } from "./fetch-package.ts";
import { createBackingServer } from "./run-server.ts";

const HOST = "127.0.0.1";

async function probe(url: string): Promise<ProbeResult> {
  const { hostname, port, protocol, password } = new URL(url);
  const isPlain = protocol === "redis:" && password === "";
  const answer = await askPort({
    host: hostname || HOST,
    port: Number(port || 6379),
    // A server with TLS or a password returns nothing useful to a bare PING; that it listens is sufficient.
    say: isPlain ? "PING\r\n" : "\r\n",
  });
  if (answer?.startsWith("+PONG")) return { usable: true };
  if (answer === undefined) return undefined;
  if (!isPlain) return { usable: true };
  return { usable: false, reason: answer.startsWith("-NOAUTH") ? "it wants a password" : "it does not speak Redis" };
}

export const redis: BackingKind = {
  name: "redis",
  label: "Redis",
  variable: "REDIS_URL",
  usualPort: 6379,
  binaryName: "redis-server",
  advice: "install redis-server (apt-get install redis-server, or brew install redis) or set REDIS_URL",
  // Redis replaces its arguments in the process title with its own text.
  commandMark: (_folder, port) => `redis-server ${HOST}:${port}`,
  urlOfPort: (port) => `redis://${HOST}:${port}`,
  probe,
  fetched: () => undefined,
  fetch: (tell) => fetchedByPackageManager({ apt: "redis-server", brew: "redis", binary: "redis-server", tell }),
  createServer: (options) =>
    createBackingServer(options, {
      label: "Redis",
      args: ["--port", String(options.port), "--bind", HOST, "--dir", options.folder, "--appendonly", "yes"].concat([
        "--appendfsync",
        "everysec",
        "--save",
        "",
        "--maxmemory-policy",
        "noeviction",
        "--daemonize",
        "no",
      ]),
      ready: async () =>
        (await askPort({ host: HOST, port: options.port, say: "PING\r\n" }))?.startsWith("+PONG") ?? false,
    }),
};
