import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceSpec } from "./service-specs.ts";

const REQUEST_TIMEOUT_MS = 3_000;

/** Requests the readiness of a process; returns "ready" or what it reports as missing. */
export async function requestReady(spec: Pick<ServiceSpec, "opsPort">): Promise<string> {
  return new Promise((resolve) => {
    const request = get(
      { host: "127.0.0.1", port: spec.opsPort, path: "/ready", timeout: REQUEST_TIMEOUT_MS },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (body += part));
        response.on("end", () => resolve(response.statusCode === 200 ? "ready" : body));
        response.on("error", () => resolve("its response was interrupted"));
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
  options: {
    readonly slowAfterMs: number;
    readonly onSlow: (name: string, reason: string) => void;
    readonly onReady?: (name: string) => void;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const waitFor = async (spec: ServiceSpec): Promise<void> => {
    const slowAt = Date.now() + options.slowAfterMs;
    let reported = false;
    while (!options.signal.aborted) {
      const state = await requestReady(spec);
      if (state === "ready") return options.onReady?.(spec.name);
      if (!reported && Date.now() > slowAt) {
        reported = true;
        options.onSlow(spec.name, state);
      }
      await sleep(50, undefined, { signal: options.signal }).catch(() => undefined);
    }
  };
  await Promise.all(specs.map(waitFor));
}
