import type { Token } from "@turnpike/contract/api/token";
import { TOKEN_STATUS } from "@turnpike/contract/codes";

type Ending = Pick<Token, "status" | "expired_time" | "unlimited_quota" | "remain_quota">;

/** Whether a token is still expired or exhausted. Once an edit has changed that, it may be enabled. */
export function isExpiredOrExhausted(
  { status, expired_time, unlimited_quota, remain_quota }: Ending,
  now: number,
): boolean {
  if (status !== TOKEN_STATUS.expired && status !== TOKEN_STATUS.exhausted) return false;
  return (expired_time > 0 && expired_time <= now) || (!unlimited_quota && remain_quota <= 0);
}
