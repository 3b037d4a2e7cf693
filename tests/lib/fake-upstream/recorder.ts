import type { ServedUsage } from "./scenario.ts";
import type { FormatName, JsonObject } from "./wire-format.ts";

/** How a call ended, from the provider's side of the wire. */
export type Outcome =
  | "open"
  | "answered"
  | "refused"
  /** This double broke the answer off, as its scenario said. */
  | "broken"
  /** The caller went away first. */
  | "caller-left";

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
  /** What the answer said it cost; undefined when it said nothing, was refused or broke off before saying it. */
  usage: ServedUsage | undefined;
  framesSent: number;
  endedAtMs: number | undefined;
};

export type ServedTotals = { calls: number; inputTokens: number; outputTokens: number };

/** Remembers every call this double received. */
export function createRecorder() {
  const calls: RecordedCall[] = [];
  return {
    calls,
    add(call: Omit<RecordedCall, "number">): RecordedCall {
      const recorded = { ...call, number: calls.length };
      calls.push(recorded);
      return recorded;
    },
    /** Sums over calls answered to their end, for one model or all. */
    served(model?: string): ServedTotals {
      const answered = calls.filter(
        (call) => call.outcome === "answered" && (model === undefined || call.model === model),
      );
      return {
        calls: answered.length,
        inputTokens: answered.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0),
        outputTokens: answered.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0),
      };
    },
    forget: (): void => void calls.splice(0),
  };
}
