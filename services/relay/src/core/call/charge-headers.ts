import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Exchange } from "./exchange.ts";

/** The dollars that a call was charged: a header of non-streaming responses, a trailer of streams (RFC 9110, section 6.5). */
export const CHARGE_HEADER = "x-turnpike-cost";
/** The same under LiteLLM's name (option `LiteLLMHeadersEnabled`). */
const LITELLM_CHARGE_HEADER = "x-litellm-response-cost";
/** The header of a request with the most that it may be charged, in dollars. */
export const MAX_CHARGE = "x-turnpike-max-cost";

/** The header of a response that runs on in the background, and is charged at its end: its call is not repeated either. */
export const BACKGROUND_HEADER = "x-turnpike-background";

/** Announces the trailers of a stream. */
export const CHARGE_TRAILERS = { trailer: CHARGE_HEADER } as const;

/** The headers that report a charge in dollars; none for a call that was not charged. */
export function getChargeHeaders(
  charge: string | undefined,
  options: OptionsInForce,
): Readonly<Record<string, string>> {
  if (charge === undefined) return {};
  return options.flag("LiteLLMHeadersEnabled")
    ? { [CHARGE_HEADER]: charge, [LITELLM_CHARGE_HEADER]: charge }
    : { [CHARGE_HEADER]: charge };
}

/** LiteLLM's names for a call's id and the model that its caller requested, on every response of the call. */
export function setLiteLlmHeaders(
  { response, requestId }: Exchange,
  { model }: { readonly model: string },
  options: OptionsInForce,
): void {
  if (!options.flag("LiteLLMHeadersEnabled") || response.headersSent) return;
  response.setHeader("x-litellm-call-id", requestId);
  response.setHeader("x-litellm-model-group", encodeURIComponent(model));
}
