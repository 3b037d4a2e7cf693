import { afterAll, beforeAll, expect, it } from "vitest";
import { actor, admin, type BillingWorld, hashKey, startBillingWorld, tokenInput } from "./billing-world.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld({});
});
afterAll(() => world.stop());

const KEY = "k".repeat(48);
const ROOT = actor(1, 100);
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
const openAccount = (userId: number) =>
  world.accounts.openAccount({ userId, credit: 100_000, kind: "gift", reason: "" });

const declare = async (userId: number, key: string, context = ROOT) =>
  (await world.tokens.declareToken({ userId, userGroup: "default", input: tokenInput, key }, context)).token;
const resolve = async (key: string) =>
  (await world.tokens.resolveToken({ keyHash: hashKey(key), foreignKeyHash: "" })).token;

it("lets root declare a token of a user with a key, again with the same result, and restores a deleted one with its spend", async () => {
  await openAccount(7);
  const token = await declare(7, `sk-${KEY}`);
  expect(token).toMatchObject({ userId: 7, key: "", status: 1 });
  expect(await resolve(KEY)).toMatchObject({ id: token?.id, userId: 7 });
  expect(await declare(7, KEY)).toMatchObject({ id: token?.id });
  await world.tokens.deleteToken({ userId: 7, id: token?.id ?? 0 }, ROOT);
  await expect(resolve(KEY)).rejects.toEqual(code("token_not_found"));
  expect(await declare(7, KEY)).toMatchObject({ id: token?.id, remainQuota: tokenInput.remainQuota });
  expect(await resolve(KEY)).toMatchObject({ id: token?.id, status: 1 });
});

it("refuses a key of another user, a text that is no key, and every caller but root", async () => {
  await openAccount(8);
  await expect(declare(8, KEY)).rejects.toEqual(code("token_key_taken"));
  await expect(declare(8, "short")).rejects.toEqual(code("token_key_invalid"));
  await expect(declare(8, "", actor(8))).rejects.toEqual(code("permission_denied"));
  await expect(declare(8, "", admin)).rejects.toEqual(code("permission_denied"));
});
