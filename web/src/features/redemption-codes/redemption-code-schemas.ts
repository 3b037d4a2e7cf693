import type { Redemption } from "@turnpike/contract/api/redemption";
import { isFlag, isNumber, isObjectOf, isText } from "../../lib/check.ts";

export const isRedemption = isObjectOf<Redemption>({
  id: isNumber,
  key: isText,
  name: isText,
  status: isNumber,
  quota: isNumber,
  created_time: isNumber,
  redeemed_time: isNumber,
  used_user_id: isNumber,
  is_gift: isFlag,
  max_uses: isNumber,
  used_count: isNumber,
  valid_from: isNumber,
  valid_until: isNumber,
});
