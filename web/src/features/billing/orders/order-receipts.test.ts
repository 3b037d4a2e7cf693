import type { Order } from "@turnpike/contract/api/payment";
import { describe, expect, it } from "vitest";
import { getPaidQuota, isOpen } from "./order-receipts.ts";

const order = (receipts: Order["receipts"] = [], status = "mismatched"): Order => ({
  id: 1,
  user_id: 2,
  username: "ada",
  trade_no: "T",
  provider: "epay",
  payment_method: "zfb",
  amount: 10,
  quota: 5_000_000,
  money: "73.00",
  currency: "cny",
  status,
  create_time: 1,
  complete_time: 0,
  refund_time: 0,
  refund_quota: 0,
  refund_reason: "",
  provider_reference: "",
  receipts,
  settle_reason: "",
});
const paid = (money: string, currency = "cny") => [{ reference: "EP", money, currency, time: 2 }];

describe("quota for what was paid", () => {
  it.each([
    [paid("80.00"), 5_479_452],
    [paid("0.01"), 684],
    [paid("80.00", "usd"), 5_000_000],
    [[], 5_000_000],
    [[...paid("1.00"), ...paid("36.50")], 2_500_000],
  ])("of %j is %d", (receipts, quota) => expect(getPaidQuota(order(receipts))).toBe(quota));
});

it("can be credited until it is paid or closed", () => {
  const states = ["pending", "expired", "failed", "mismatched", "paid", "refunded", "returned"];
  expect(states.filter((status) => isOpen(order([], status)))).toEqual(states.slice(0, 4));
});
