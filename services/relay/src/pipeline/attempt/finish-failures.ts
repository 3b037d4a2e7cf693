import type { ChatResponse, FinishReason, ReportedUsage } from "../../core/chat/chat.ts";
import { NO_REASON } from "../../core/chat/finish-reasons.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { getFailure } from "../../providers/shared/upstream-failure.ts";

type Finish = {
  readonly reason: FinishReason;
  readonly detail: string | undefined;
  readonly usage: ReportedUsage;
  /** The response has text, media or tool calls. */
  readonly hasOutput: boolean;
};

/**
 * The failure of a response that ended by one: the provider dropped what the model wrote, or gave up before it wrote
 * anything. Callers of other formats would take it for a complete, empty response. It has the usage, since the provider
 * bills it.
 */
export function findFinishFailure({ reason, detail, usage, hasOutput }: Finish): StreamFailure | undefined {
  const isUnclear = reason === "other" || detail === NO_REASON;
  if (reason !== "failed" && (!isUnclear || hasOutput)) return undefined;
  const word = detail || NO_REASON;
  const message = `the provider ended the response without a result: ${word}`;
  const code = word === NO_REASON ? "no_finish_reason" : /^\w+/.exec(word)?.[0];
  const failure = getFailure(message, { type: "upstream_error", code });
  return new StreamFailure(reason === "failed" ? { ...failure, isOfModel: true } : failure, 502, usage);
}

/** Throws StreamFailure if a non-streaming response ended by a failure. */
export function checkFinish({ parts, finishReason: reason, finishDetail: detail, usage }: ChatResponse): void {
  const hasOutput = parts.some((part) => (part.type === "text" ? part.text !== "" : !part.type.includes("reasoning")));
  const failure = findFinishFailure({ reason, detail, usage, hasOutput });
  if (failure) throw failure;
}
