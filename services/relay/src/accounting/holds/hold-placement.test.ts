import { expect, it } from "vitest";
import { AccountClient } from "./account-client.ts";
import type { HoldRequest } from "./account-requests.ts";
import { createHighBalanceCache } from "./high-balance-cache.ts";
import { createPlaceHold } from "./hold-placement.ts";
import type { Limit } from "./limits/limit-arguments.ts";

type Redis = ConstructorParameters<typeof AccountClient>[0]["redis"];

/** Places holds with a Redis that replies with these values to each one, before the time. */
function openPlacement(values: readonly unknown[]) {
  const sendCommand = (): Promise<unknown> => Promise.resolve([...values, Date.now()]);
  const redis = { options: {}, sendCommand } as unknown as Redis;
  const accounts = new AccountClient({ redis, relayId: "relay", reportLost: () => undefined });
  const placeHold = createPlaceHold({
    accounts,
    highBalances: createHighBalanceCache(() => Date.now()),
    failOpen: { admits: () => false },
    loadAccount: () => Promise.resolve(),
  });
  return { accounts, placeHold };
}
const limit: Limit = { name: "t5", max: 1, periodMs: 60_000, counts: "starts" };
const hold = (requestId: string, limits: readonly Limit[] = []): HoldRequest => ({
  requestId,
  userId: 7,
  tokenId: 0,
  amount: 10,
  least: 10,
  limits,
  json: () => "{}",
});

it.each([
  ["a limit", ["limited", 0, 1_000, 0, 0], [limit]],
  ["the balance", ["user_quota", 3, 0, 0], []],
  ["the token's budget", ["token_quota", 3, 0, 0], []],
  ["an account that cannot be loaded", ["account_missing"], []],
])("forgets a call that %s refused: nothing settles it later", async (_, values, limits) => {
  const { accounts, placeHold } = openPlacement(values);
  const ids = Array.from({ length: 100 }, (_call, index) => `call-${index}`);
  const placed = await Promise.allSettled(ids.map((id) => placeHold(hold(id, limits))));
  expect(placed.filter(({ status }) => status === "rejected")).toHaveLength(100);
  expect(ids.filter((id) => accounts.running.has(id))).toEqual([]);
});

it("knows a call that holds until it is settled or released", async () => {
  const { accounts, placeHold } = openPlacement(["ok", 90, 10, -1]);
  await placeHold(hold("call"));
  expect(accounts.running.has("call")).toBe(true);
  accounts.releaseHold(hold("call"));
  expect(accounts.running.has("call")).toBe(false);
});
