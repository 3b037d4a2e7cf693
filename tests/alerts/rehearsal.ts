import type { FakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import type { TestSite } from "../lib/test-site.ts";
import type { World } from "../lib/world.ts";
import type { Certificates } from "./certificates.ts";
import type { Prometheus } from "./prometheus.ts";

export type RehearsalContext = {
  readonly world: World;
  readonly upstream: FakeUpstream;
  readonly testSite: TestSite;
  readonly key: string;
  readonly prometheus: Prometheus;
  readonly certificates: Certificates;
};

/** A fault, the alerts that must fire, and its end. */
export type Rehearsal = {
  /** Faults of one act are injected together; acts run one after the other. */
  readonly act: number;
  readonly fault: string;
  readonly alerts: readonly string[];
  /** Alerts that may fire as well. */
  readonly alsoAllowed?: readonly string[];
  readonly inject: (context: RehearsalContext) => Promise<unknown>;
  readonly clear: (context: RehearsalContext) => Promise<unknown>;
};

/** Consequential alerts when calls are refused because a dependency is unavailable. */
export const CALLS_FAIL = ["TurnpikeErrorBudgetFast", "TurnpikeErrorBudgetSlow", "TurnpikeChannelFailing"] as const;

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Makes one call; returns its status, 0 if there was no response. */
export async function sendCall({ world, key }: Pick<RehearsalContext, "world" | "key">, model: string, stream = false) {
  try {
    const response = await fetch(`${world.relayUrl}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, stream, messages: [{ role: "user", content: "Hello" }] }),
      signal: AbortSignal.timeout(60_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

export const STREAMED_MODEL = "claude-3-5-sonnet-20241022";

/** Starts streams one after another; the upstream determines how long they last. */
export function beginStreams(context: RehearsalContext, count: number, gapMs: number): void {
  for (let index = 0; index < count; index++)
    setTimeout(() => void sendCall(context, STREAMED_MODEL, true), index * gapMs);
}

/** Repeats an action until the returned function is called, which waits for the last run. */
export function repeat(what: () => Promise<unknown>, pauseMs: number): () => Promise<void> {
  let isExpected = true;
  const run = async (): Promise<void> => {
    while (isExpected) {
      await what().catch(() => undefined);
      await pause(pauseMs);
    }
  };
  const ended = run();
  return () => {
    isExpected = false;
    return ended;
  };
}

/** The state that `start` created and `end` removes. */
export function createStops() {
  let stops: (() => Promise<void>)[] = [];
  return {
    add: (stop: () => Promise<void>): void => void stops.push(stop),
    async all(): Promise<void> {
      await Promise.all(stops.map((stop) => stop()));
      stops = [];
    },
  };
}
