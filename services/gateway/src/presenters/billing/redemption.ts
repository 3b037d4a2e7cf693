import type { Redemption } from "@turnpike/contract/api/redemption";
import type { Redemption as StoredRedemption } from "@turnpike/proto/billing/v1/redemption_service";

/** A code as administrators see it. */
export const toRedemption = (code: StoredRedemption): Redemption => ({
  id: code.id,
  key: code.key,
  name: code.name,
  status: code.status,
  quota: code.quota,
  created_time: code.createdTime,
  redeemed_time: code.redeemedTime,
  used_user_id: code.usedUserId,
  is_gift: code.isGift,
  max_uses: code.maxUses,
  used_count: code.usedCount,
  valid_from: code.validFrom,
  valid_until: code.validUntil,
});
