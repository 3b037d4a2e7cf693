import { Agent, request } from "undici";
import { type Kind, kindAt, getPrompt } from "./mix.ts";

/** One call as its client saw it. */
export type Seen = {
  readonly kind: string;
  readonly requestId: string;
  readonly userId: number;
  readonly outcome: "served" | "refused" | "cut";
  readonly ms: number;
};
export type Customer = { readonly userId: number; readonly key: string };

const TIMEOUT_MS = 60_000;

/** A deterministic random generator (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Requested = { readonly url: string; readonly customer: Customer; readonly kind: Kind; readonly prompt: string };

async function call(agent: Agent, { url, customer, kind, prompt }: Requested): Promise<Seen> {
  const startedAt = performance.now();
  let requestId = "";
  const seen = (outcome: Seen["outcome"]): Seen => {
    return { kind: kind.name, requestId, userId: customer.userId, outcome, ms: performance.now() - startedAt };
  };
  try {
    const response = await request(url + kind.path, {
      dispatcher: agent,
      method: "POST",
      headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
      body: JSON.stringify(kind.body(prompt)),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    requestId = String(response.headers["x-request-id"] ?? "");
    const text = await response.body.text();
    if (response.statusCode !== 200) return seen("refused");
    return seen(kind.endMark !== "" && text.includes(kind.endMark) ? "served" : "cut");
  } catch {
    return seen(requestId === "" ? "refused" : "cut");
  }
}

/**
 * Sends calls at a steady rate for some seconds, whether or not earlier ones have completed; returns the outcome of
 * each.
 */
export async function keepCalling(input: {
  readonly url: string;
  readonly customers: readonly Customer[];
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly seed: number;
}): Promise<Seen[]> {
  const { url, customers, ratePerSecond, seconds } = input;
  const random = randomFrom(input.seed);
  const agent = new Agent({ connections: 1_024, pipelining: 1 });
  const seen: Seen[] = [];
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let sent = 0; sent < ratePerSecond * seconds; sent++) {
    const waitMs = startedAt + (sent * 1_000) / ratePerSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const customer = customers[Math.floor(random() * customers.length)];
    const kind = kindAt(random());
    if (!customer) continue;
    const one: Promise<void> = call(agent, { url, customer, kind, prompt: getPrompt(kind, random()) }).then(
      (result) => {
        seen.push(result);
        running.delete(one);
      },
    );
    running.add(one);
  }
  await Promise.all(running);
  await agent.close();
  return seen;
}
