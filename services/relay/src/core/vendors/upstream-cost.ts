import { tidy } from "@turnpike/contract/pricing/rules/rule-rates";
import type { TokenUsage } from "@turnpike/contract/pricing/usage";
import type { Json, ReportedUsage } from "../chat/chat.ts";
import { asNumber, asObject } from "../chat/json.ts";
import { parseExactJson } from "../chat/exact-json.ts";

/** xAI's unit of cost. Source: xAI developer documentation, "Cost Tracking". */
const TICKS_PER_DOLLAR = 10_000_000_000;
/** More than any call costs: such a report is an error. */
const DOLLARS_MAX = 100_000;

/** OpenRouter's fee, and with keys of one's own what the provider bills besides. Source: OpenRouter, "Usage Accounting". */
function readOpenRouterCost(usage: Json): number | undefined {
  const fee = asNumber(usage["cost"]);
  if (fee === undefined || usage["is_byok"] !== true) return fee;
  return tidy(fee + (asNumber(asObject(usage["cost_details"])?.["upstream_inference_cost"]) ?? 0));
}

/**
 * The cost of a call in dollars, as a usage object of upstream's reports it: OpenRouter's `cost`, xAI's `cost_in_usd_ticks`,
 * DeepInfra's `estimated_cost`, Perplexity's `cost.total_cost`. Undefined where it reports none, or one that cannot be true.
 */
export function readReportedDollars(usage: Json): number | undefined {
  const ticks = asNumber(usage["cost_in_usd_ticks"]);
  const dollars =
    ticks === undefined
      ? (readOpenRouterCost(usage) ??
        asNumber(usage["estimated_cost"]) ??
        asNumber(asObject(usage["cost"])?.["total_cost"]))
      : ticks / TICKS_PER_DOLLAR;
  return dollars !== undefined && dollars >= 0 && dollars <= DOLLARS_MAX ? dollars : undefined;
}

/** A usage with the cost that its usage object reports. */
export function withReportedCost<Usage extends ReportedUsage>(usage: Usage, reported: unknown): Usage | TokenUsage {
  const object = asObject(reported);
  const reportedDollars = object && readReportedDollars(object);
  return usage === undefined || reportedDollars === undefined ? usage : { ...usage, reportedDollars };
}

const COST = "cost";
/** A property whose name contains the word: quotes inside of texts are escaped. */
const COST_PROPERTY = /"\w*cost\w*"\s*:/;
const COST_NAME = /cost|^is_byok$/;
/** Objects of responses and events that hold a usage object. */
const WRAPPERS = ["response", "message"] as const;

function withoutCost(body: Json): Json | undefined {
  const usage = asObject(body["usage"]);
  const kept = usage && Object.entries(usage).filter(([name]) => !COST_NAME.test(name));
  let changed =
    usage && kept && kept.length < Object.keys(usage).length ? { usage: Object.fromEntries(kept) } : undefined;
  for (const name of WRAPPERS) {
    const inner = asObject(body[name]);
    const without = inner && withoutCost(inner);
    if (without) changed = { ...changed, [name]: without } as typeof changed;
  }
  return changed && { ...body, ...changed };
}

/**
 * The JSON of a response or an event without what upstream charges the operator, which no caller may see; undefined if it holds
 * none. Texts without the word are not parsed.
 */
export function removeReportedCost(text: string): string | undefined {
  if (!text.includes(COST) || !COST_PROPERTY.test(text)) return undefined;
  const body = asObject(parseExactJson(text));
  const without = body && withoutCost(body);
  return without && JSON.stringify(without);
}

/** The same for the bytes of a response: the same bytes if they hold none. */
export function withoutReportedCost(raw: Buffer): Buffer {
  if (!raw.includes(COST)) return raw;
  const text = removeReportedCost(raw.toString("utf8"));
  return text === undefined ? raw : Buffer.from(text);
}
