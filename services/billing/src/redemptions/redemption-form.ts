import { REDEMPTION_COUNT_MAX, REDEMPTION_NAME_LENGTH_MAX, REDEMPTION_STATUS } from "@turnpike/contract/api/redemption";
import { dropInvisible } from "@turnpike/contract/texts/typed-text";
import type { CreateRedemptionsRequest } from "@turnpike/proto/billing/v1/redemption_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { RedemptionDoc } from "../store/payment-documents.ts";

/** The fields of a code that an admin sets and may change later. */
export type RedemptionDetails = Pick<RedemptionDoc, "name" | "quota" | "validFrom" | "validUntil">;

const QUOTA_MAX = 1e15;
const SECONDS_MAX = 253_402_300_799;
const KEY_LENGTH_MAX = 64;

const invalid = (detail: string): AppError =>
  new AppError("invalid_input", `invalid ${detail}`, { params: { detail } });

function checkTime(seconds: number, name: string): void {
  if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > SECONDS_MAX) throw invalid(name);
}

/** Parses the fields of a code; throws when one is invalid. An empty name becomes the given default. */
export function readDetails(form: RedemptionDetails, nameOfQuota: (quota: number) => string): RedemptionDetails {
  const { quota, validFrom, validUntil } = form;
  if (!Number.isSafeInteger(quota) || quota < 1 || quota > QUOTA_MAX)
    throw new AppError("redemption_quota_invalid", `quota ${quota}`);
  checkTime(validFrom, "valid_from");
  checkTime(validUntil, "valid_until");
  if (validFrom > 0 && validUntil > 0 && validFrom >= validUntil)
    throw new AppError("redemption_window_invalid", `${validFrom} is not before ${validUntil}`);
  const name = form.name.trim() === "" ? nameOfQuota(quota) : form.name.trim();
  if (Array.from(name).length > REDEMPTION_NAME_LENGTH_MAX)
    throw new AppError("redemption_name_invalid", "the name is too long");
  return { name, quota, validFrom, validUntil };
}

/** How many codes to create: one when the key is given. */
export function readCount({ count, key }: Pick<CreateRedemptionsRequest, "count" | "key">): number {
  if (dropInvisible(key) !== "") return 1;
  if (count < 1 || count > REDEMPTION_COUNT_MAX) throw new AppError("redemption_count_invalid", `count ${count}`);
  return count;
}

/** The key an admin chose, "" for none. */
export function readCustomKey(text: string): string {
  const key = dropInvisible(text);
  if (key.length > KEY_LENGTH_MAX || /\s/.test(key)) throw invalid("key");
  return key;
}

/** How often a code may be used: gift codes as the form specifies, with 0 also meaning unlimited; others once. */
export function readMaxUses({ isGift, maxUses }: Pick<CreateRedemptionsRequest, "isGift" | "maxUses">): number {
  if (!isGift) return 1;
  if (!Number.isSafeInteger(maxUses) || maxUses < -1) throw invalid("max_uses");
  return maxUses === 0 ? -1 : maxUses;
}

/** The status an admin may set manually. */
export function readStatus(status: number): number {
  if (status !== REDEMPTION_STATUS.unused && status !== REDEMPTION_STATUS.disabled)
    throw new AppError("redemption_status_invalid", `status ${status}`);
  return status;
}
