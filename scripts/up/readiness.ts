import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceSpec } from "./service-specs.ts";

const ASK_TIMEOUT_MS = 3_000;

/** Requests the readiness of a process; returns "ready" or what it reports as missing. */
export async function askReady(spec: Pick<ServiceSpec, "opsPort">): Promise<string> {
  return new Promise((resolve) => {
    const request = get(
      { host: "127.0.0.1", port: spec.opsPort, path: "/ready", timeout: ASK_TIMEOUT_MS },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (body += part));
        response.on("end", () => resolve(response.statusCode === 200 ? "ready" : body));
        response.on("error", () => resolve("its answer broke off"));
      },
    );
    request.once("timeout", () => request.destroy());
    request.once("error", () => resolve("not listening yet"));
  });
}

/**
 * Settles when every process reports ready. Slow processes are passed once to `onSlow`; waiting continues, since a
 * service recovers by itself when its dependencies return. Ends early when the signal aborts.
 */
export async function waitUntilReady(
  specs: readonly ServiceSpec[],
  options: { slowAfterMs: number; onSlow: (name: string, reason: string) => void; signal: AbortSignal },
): Promise<void> {
  const waitFor = async (spec: ServiceSpec): Promise<void> => {
    const slowAt = Date.now() + options.slowAfterMs;
    let told = false;
    while (!options.signal.aborted) {
      const state = await askReady(spec);
      if (state === "ready") return;
      if (!told && Date.now() > slowAt) {
        told = true;
        options.onSlow(spec.name, state);
      }
      await sleep(50, undefined, { signal: options.signal }).catch(() => undefined);
    }
  };
  await Promise.all(specs.map(waitFor));
}
