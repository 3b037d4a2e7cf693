import type { FinishReason } from "./chat.ts";

/** The detail of responses without a finish reason: with content, they are complete. */
export const NO_REASON = "no finish reason";

/** Reasons whose meaning depends on the provider's own words. */
const needsDetail = (reason: FinishReason, detail: string): boolean =>
  reason === "failed" || reason === "other" || detail === NO_REASON;

/** The end of a non-streaming response; `detail` is the provider's own reason. */
export const toFinish = (finishReason: FinishReason, detail: string) =>
  needsDetail(finishReason, detail) ? { finishReason, finishDetail: detail } : { finishReason };

/** The same for the last part of a stream. */
export const toFinishPart = (reason: FinishReason, detail: string) =>
  needsDetail(reason, detail) ? { reason, detail } : { reason };
