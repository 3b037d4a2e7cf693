import type { ServedUsage } from "./scenario.ts";
import type { FormatName, JsonObject } from "./wire-format.ts";

/** How a call ended, from the provider's side of the wire. */
export type Outcome =
  | "open"
  | "served"
  | "refused"
  /** This double cut the response, as its scenario requires. */
  | "broken"
  /** The caller disconnected first. */
  | "client-disconnected";

export type RecordedCall = {
  readonly number: number;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly format: FormatName;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | undefined;
  readonly body: JsonObject;
  model: string;
  stream: boolean;
  tag: string | undefined;
  status: number | undefined;
  outcome: Outcome;
  /** Usage that the response reported; undefined if it reported none, was refused, or was cut before reporting it. */
  usage: ServedUsage | undefined;
  framesSent: number;
  endedAtMs: number | undefined;
};

export type ServedTotals = { calls: number; inputTokens: number; outputTokens: number };

/** Records every call this double received. */
export function createRecorder() {
  const calls: RecordedCall[] = [];
  return {
    calls,
    add(call: Omit<RecordedCall, "number">): RecordedCall {
      const recorded = { ...call, number: calls.length };
      calls.push(recorded);
      return recorded;
    },
    /** Sums over calls served to their end, for one model or all. */
    served(model?: string): ServedTotals {
      const served = calls.filter((call) => call.outcome === "served" && (model === undefined || call.model === model));
      return {
        calls: served.length,
        inputTokens: served.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0),
        outputTokens: served.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0),
      };
    },
    forget: (): void => void calls.splice(0),
  };
}
