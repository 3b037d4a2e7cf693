import type { FinishReason } from "./chat.ts";

/** The detail of responses without a finish reason: with content, they are complete. */
export const NO_REASON = "no finish reason";

/** Reasons whose meaning depends on the provider's own words. */
const needsDetail = (reason: FinishReason, detail: string): boolean =>
  reason === "failed" || reason === "other" || detail === NO_REASON;

/** The ends after which a response is complete. */
const COMPLETE: ReadonlySet<FinishReason> = new Set(["stop", "stop-sequence", "tool-calls", "refusal"]);

/** Whether a finish reason means that the response is incomplete. */
export const isIncomplete = (reason: FinishReason): boolean => !COMPLETE.has(reason);

/** The end of a non-streaming response; `detail` is the provider's own reason. */
export const toFinish = (finishReason: FinishReason, detail: string) =>
  needsDetail(finishReason, detail) ? { finishReason, finishDetail: detail } : { finishReason };

/** The same for the last part of a stream. */
export const toFinishPart = (reason: FinishReason, detail: string) =>
  needsDetail(reason, detail) ? { reason, detail } : { reason };
