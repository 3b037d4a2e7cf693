import { findRoute } from "../../services/relay/src/http/routes/route-table.ts";
import type { JsonSchema } from "./contract-schemas.ts";
import type { ModelOperation } from "./model-operations.ts";

type Header = { readonly description: string; readonly schema: JsonSchema };

const text = (description: string): Header => ({ description, schema: { type: "string" } });
const integer = (description: string): Header => ({ description, schema: { type: "integer" } });

const COST = text("What the call was charged, in dollars. After a stream it is a trailer.");
const REPLAYED = text("`true`: the response of an earlier call with this `Idempotency-Key`; it is not charged again.");
const MODEL = text(
  "The model that responded, percent-encoded: of an alias, or of several models, the one that was called.",
);
const ATTEMPTS = integer("How many attempts the call took, over all its models and channels.");
const CACHE = text("`hit`: the response comes from the site's response cache.");

/** What is left of a limit, as OpenAI and Anthropic report it; only where the token or the site has such a limit. */
function listLimitHeaders(isAnthropic: boolean): Record<string, Header> {
  const entries = ["requests", "tokens"].flatMap((unit): [string, Header][] => {
    const toName = (value: string): string =>
      isAnthropic ? `anthropic-ratelimit-${unit}-${value}` : `x-ratelimit-${value}-${unit}`;
    const reset = isAnthropic
      ? "Time at which the limit is full again (RFC 3339)."
      : "Time until the limit is full again, as `6m0s`.";
    return [
      [toName("limit"), integer(`The tightest limit of ${unit}, where one is set.`)],
      [toName("remaining"), integer(`What is left of that limit of ${unit}.`)],
      [toName("reset"), text(reset)],
    ];
  });
  return Object.fromEntries(entries);
}

const ANTHROPIC_LIMITS = listLimitHeaders(true);
const OPENAI_LIMITS = listLimitHeaders(false);

/** Every header of responses, for the components of the document. */
export const RESPONSE_HEADERS: Readonly<Record<string, Header>> = {
  "x-request-id": text("Id of the call in the log."),
  "x-turnpike-cost": COST,
  "x-turnpike-model": MODEL,
  "x-turnpike-attempts": ATTEMPTS,
  "x-turnpike-cache": CACHE,
  "idempotent-replayed": REPLAYED,
  "Retry-After": integer("Seconds to wait."),
  "x-should-retry": text("`false`: the balance does not cover the call, so a repeat fails too. OpenAI's SDKs read it."),
  ...OPENAI_LIMITS,
  ...ANTHROPIC_LIMITS,
};

/** References to headers of the components. */
export const toHeaders = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Whether an operation passes the pipeline of charged calls, according to the relay's routes. */
export function isCharged({ method, path }: ModelOperation): boolean {
  const route = findRoute(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x"));
  return route?.kind === "call" || route?.kind === "playground";
}

/** Whether an operation submits an image or music task. */
export const isSubmission = ({ tag, method }: ModelOperation): boolean => tag === "Tasks" && method === "post";

/** The headers of a successful response. */
export function listSuccessHeaders(operation: ModelOperation): string[] {
  if (isSubmission(operation)) return ["x-request-id", "x-turnpike-cost", "idempotent-replayed"];
  if (!isCharged(operation)) return ["x-request-id"];
  const limits = operation.errors === "AnthropicError" ? ANTHROPIC_LIMITS : OPENAI_LIMITS;
  const ofCalls = ["x-turnpike-cost", "x-turnpike-model", "x-turnpike-attempts", "x-turnpike-cache"];
  return ["x-request-id", ...ofCalls, "idempotent-replayed", ...Object.keys(limits)];
}

/** Request headers of charged calls; submissions of tasks read `IdempotencyKey` only. */
export const CALL_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Runs the call once: a repeat with the same key and body within 24 hours joins the running call or gets its response, and is not charged again. The call runs to its end although its client disconnects.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  },
  MaxCost: {
    name: "x-turnpike-max-cost",
    in: "header",
    required: false,
    description:
      "The most that the call may be charged, in dollars. The response is limited to what that buys; a prompt that costs more is refused.",
    schema: { type: "string", pattern: String.raw`^\d{1,9}(\.\d{1,12})?$` },
  },
  SessionId: {
    name: "x-session-id",
    in: "header",
    required: false,
    description: "Names the conversation in the log and, where the site enables it, keeps it on one channel.",
    schema: { type: "string", maxLength: 256, pattern: "^[!-~]*$" },
  },
};
