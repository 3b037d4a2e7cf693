import { createLogger } from "@turnpike/shared/log/log";
import { type Counted, createRedisRateLimiter, hashSubject } from "@turnpike/shared/rate-limit/redis-rate-limiter";
import { connectRedis, type Redis, waitForRedis } from "@turnpike/shared/redis/redis";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";

const log = createLogger("rate-limiter-test", "silent");
const { redisUrl, namespace } = testBacking();

let redis: Redis;
beforeAll(async () => {
  redis = connectRedis({ url: redisUrl, namespace, log });
  await waitForRedis(redis, 3_000);
});
afterAll(() => redis.disconnect());

let subjects = 0;
const counted = (over: Partial<Counted> = {}): Counted => ({
  prefix: "failures",
  subject: `s${++subjects}`,
  max: 3,
  windowSeconds: 600,
  ...over,
});
const take = (...limits: Counted[]) =>
  createRedisRateLimiter(redis).take(limits, (seconds) => new Error(`wait ${seconds}`));
const outcomes = async (count: number, limit: Counted) =>
  (await Promise.allSettled(Array.from({ length: count }, () => take(limit)))).map(({ status }) => status);

it("allows exactly the limit to concurrent attempts of many replicas", async () => {
  const limit = counted({ max: 10 });
  expect((await outcomes(50, limit)).filter((status) => status === "fulfilled")).toHaveLength(10);
  await expect(take(limit)).rejects.toThrow("wait 600");
});

it("counts in the key and the form of earlier versions", async () => {
  const limit = counted();
  await take(limit);
  const key = `failures:${limit.subject}`;
  expect([await redis.get(key), (await redis.pttl(key)) > 590_000]).toEqual(["1", true]);
  await redis.set(key, "3", "PX", 5_000);
  await expect(take(limit)).rejects.toThrow("wait 5");
});

it("frees the slot of an undone attempt, which a refused attempt does not use up", async () => {
  const limit = counted();
  const [first] = [await take(limit), await take(limit), await take(limit)];
  await outcomes(20, limit);
  await first?.undo();
  await take(limit);
  await expect(take(limit)).rejects.toThrow("wait");
});

it("does not count an undo of an attempt whose window has ended", async () => {
  const limit = counted({ max: 1 });
  const attempt = await take(limit);
  await redis.del(`failures:${limit.subject}`);
  await attempt.undo();
  expect(await redis.exists(`failures:${limit.subject}`)).toBe(0);
  await take(limit);
  await expect(take(limit)).rejects.toThrow("wait");
});

it("begins a new window after the last one ended", async () => {
  const limit = counted({ max: 1, windowSeconds: 1 });
  await take(limit);
  await expect(take(limit)).rejects.toThrow("wait 1");
  await vi.waitFor(() => take(limit), { timeout: 5_000, interval: 50 });
});

it("counts none of several subjects when one of them has no attempt left", async () => {
  const [user, address] = [counted(), counted({ max: 1 })];
  await take(user, address);
  await expect(take(user, address)).rejects.toThrow("wait");
  expect(await redis.get(`failures:${user.subject}`)).toBe("1");
});

it("applies a changed limit to attempts counted before", async () => {
  const limit = counted();
  await take(limit);
  await expect(take({ ...limit, max: 1 })).rejects.toThrow("wait");
  await take({ ...limit, max: 2 });
});

it("throws unavailable while Redis is down, so that nothing passes uncounted", async () => {
  const down = connectRedis({ url: "redis://127.0.0.1:1", namespace, log });
  const limiter = createRedisRateLimiter(down);
  await expect(limiter.take([counted()], () => new Error("refused"))).rejects.toMatchObject({ code: "unavailable" });
  down.disconnect();
});

it("hides a subject behind its hash", () => {
  expect(hashSubject("ada@mail.example")).toMatch(/^[0-9a-f]{32}$/);
  expect(hashSubject("a")).not.toBe(hashSubject("b"));
});
