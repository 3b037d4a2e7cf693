import { AppError } from "@turnpike/shared/errors/app-error";

const REASON_LENGTH_MAX = 200;

/** The reason of an administrator's decision about an order. Throws refund_reason_required and text_too_long. */
export function readReason(text: string): string {
  const reason = text.trim();
  if (reason === "") throw new AppError("refund_reason_required", "no reason");
  if (Array.from(reason).length <= REASON_LENGTH_MAX) return reason;
  const params = { field: "reason", max: String(REASON_LENGTH_MAX) };
  throw new AppError("text_too_long", "the reason is too long", { params });
}
