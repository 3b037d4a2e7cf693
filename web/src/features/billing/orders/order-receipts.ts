import type { Order } from "@turnpike/contract/api/payment";
import { parseCents } from "./pay-money.ts";

const OPEN_STATES: readonly string[] = ["pending", "expired", "failed", "mismatched"];

/** Whether an administrator can still credit an order. */
export const isOpen = ({ status }: Pick<Order, "status">): boolean => OPEN_STATES.includes(status);

/** The quota for what was paid: the order's share of it in the same currency, rounded down; the order's own otherwise. */
export function getPaidQuota({ quota, money, currency, receipts }: Order): number {
  const receipt = receipts.at(-1);
  const [paid, price] = [parseCents(receipt?.money ?? ""), parseCents(money)];
  if (receipt?.currency !== currency || !paid || !price) return quota;
  return Number((BigInt(quota) * BigInt(paid)) / BigInt(price));
}
