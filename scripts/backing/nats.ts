import { z } from "zod";
import { askPort } from "../process/ports.ts";
import type { BackingKind, ProbeResult } from "./backing-kind.ts";
import { fetchedByPackageManager } from "./fetch-package.ts";
import { createBackingServer } from "./run-server.ts";

const HOST = "127.0.0.1";
const Greeting = z.object({ jetstream: z.boolean().optional(), auth_required: z.boolean().optional() });

async function greeting(host: string, port: number): Promise<z.output<typeof Greeting> | undefined | "stranger"> {
  const answer = await askPort({ host, port });
  if (answer === undefined) return undefined;
  const json = /^INFO (\{.*\})/s.exec(answer)?.[1];
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
  if (info === "stranger") return { usable: false, reason: "it does not speak NATS" };
  if (info.auth_required === true && first.username === "") return { usable: false, reason: "it wants credentials" };
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
  urlOfPort: (port) => `nats://${HOST}:${port}`,
  probe,
  fetched: () => undefined,
  fetch: (tell) => fetchedByPackageManager({ apt: "nats-server", brew: "nats-server", binary: "nats-server", tell }),
  createServer: (options) =>
    createBackingServer(options, {
      label: "NATS",
      args: ["-js", "-a", HOST, "-p", String(options.port), "-sd", options.folder],
      ready: async () => (await probe(`nats://${HOST}:${options.port}`))?.usable ?? false,
    }),
};
