import type { RelayCall } from "../../core/call/relay-call.ts";
import { findCatalogueEntry } from "../../core/vendors/catalogue-entry.ts";
import { asNumber } from "../../core/chat/json.ts";
import type { Provider } from "../../providers/contract/provider.ts";

/** Whether the response is streamed as it arrives. False if the provider post-processes the complete response. */
export const isStreamed = (call: RelayCall, provider: Provider): boolean =>
  call.stream && provider.responses?.returnsBytesOnly !== true;

/** Whether a stream may be generated from a non-streaming response. */
export const canSynthesizeStream = ({ stream, dialect: { endpoint } }: RelayCall): boolean =>
  stream && (endpoint === undefined || endpoint.isServedByChat);

/** The number of requested candidates: only pass-through calls may request more than one. */
export function countCandidates({ body, dialect }: RelayCall): { candidateCount?: number } {
  const count = asNumber(dialect.countCandidates ? dialect.countCandidates(body) : body["n"]);
  return count === undefined ? {} : { candidateCount: count };
}

/** Ends the names of models with reasoning enabled (option `claude.thinking_adapter_enabled`). */
const THINKING = /-thinking$/;

/** The model's maximum output, for callers of an API whose responses are as long as the model allows unless a limit is set. */
export function getOutputMax(
  { dialect, model, maxOutputTokens }: RelayCall,
  upstreamModel: string,
): number | undefined {
  if (dialect.name !== "openai-responses" || maxOutputTokens !== undefined) return undefined;
  return findCatalogueEntry([upstreamModel, model].map((name) => name.replace(THINKING, "")))?.max_output;
}
