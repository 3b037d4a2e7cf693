import { MAX_CHARGE } from "../../core/call/charge-headers.ts";
import type { ChargeLimit, RelayCall } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asNumber } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { patchBody } from "../../core/call/call-body.ts";

const refuse = (needed: string): RelayError =>
  new RelayError("max_cost_exceeded", `${MAX_CHARGE} does not cover ${needed} after the prompt`, { param: MAX_CHARGE });

/** The top-level fields that limit the response to so many tokens. Throws max_cost_exceeded where the dialect needs more. */
function getFields({ dialect, body, model }: RelayCall, tokens: number): Json {
  const bound = dialect.boundOutput?.(body, tokens, model);
  if (bound && "needed" in bound) throw refuse(bound.needed);
  return bound?.fields ?? {};
}

/** The call with its response limited to what the caller's ceiling buys. Throws max_cost_exceeded. */
export function boundOutput(call: RelayCall, chargeLimit: ChargeLimit): RelayCall {
  const candidates = call.dialect.countCandidates ? call.dialect.countCandidates(call.body) : call.body["n"];
  const tokens = Math.floor(chargeLimit.completionTokens / Math.max(1, asNumber(candidates) ?? 1));
  const values = call.form ? {} : getFields(call, tokens);
  if (Object.keys(values).length === 0) return { ...call, chargeLimit };
  if (tokens < 1) throw refuse("a token of each response");
  const maxOutputTokens = Math.min(call.maxOutputTokens ?? tokens, tokens);
  return patchBody({ ...call, chargeLimit, maxOutputTokens }, values);
}
