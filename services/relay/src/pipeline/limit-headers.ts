import type { Limit, LimitState } from "../accounting/holds/limits/limit-arguments.ts";
import type { LimitHeaders } from "../core/call/dialect.ts";
import type { Exchange } from "../core/call/exchange.ts";
import type { RelayCall } from "../core/call/relay-call.ts";

/** What a limit counts, by the providers' names; concurrent calls have none. */
const UNITS: Readonly<Record<Limit["counts"], "requests" | "tokens" | undefined>> = {
  starts: "requests",
  successes: "requests",
  tokens: "tokens",
  running: undefined,
};

/** A duration as OpenAI writes it: `120ms`, `6m0s`, `1h0m0s`. Source: OpenAI, "Rate limits", headers. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.ceil(ms)}ms`;
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ""}${hours > 0 || minutes > 0 ? `${minutes}m` : ""}${seconds % 60}s`;
}

const OPENAI_HEADERS: LimitHeaders = {
  toName: (unit, value) => `x-ratelimit-${value}-${unit}`,
  writeReset: formatDuration,
};

/** Reports the tightest limit of requests and that of tokens, in the headers of the dialect. */
export function setLimitHeaders(
  { dialect }: RelayCall,
  { response }: Exchange,
  states: readonly LimitState[],
  nowMs: number,
): void {
  const { toName, writeReset } = dialect.limitHeaders ?? OPENAI_HEADERS;
  for (const unit of ["requests", "tokens"] as const) {
    const [tightest] = states
      .filter(({ limit }) => UNITS[limit.counts] === unit)
      .toSorted((one, other) => one.remaining - other.remaining);
    if (!tightest || response.headersSent) continue;
    const { limit, remaining, resetMs } = tightest;
    response.setHeader(toName(unit, "limit"), String(limit.max));
    response.setHeader(toName(unit, "remaining"), String(remaining));
    response.setHeader(toName(unit, "reset"), writeReset(resetMs, nowMs));
  }
}
