import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHoldAudit, createRunningHolds } from "../../../services/relay/src/accounting/holds/hold-audit.ts";
import type { Held } from "../../../services/relay/src/accounting/holds/hold-releases.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { createRelayDouble } from "../billing/relay-double.ts";

const log = createLogger("test", "silent");
const { redisUrl: url, namespace } = testBacking();
const redis = connectRedis({ url, namespace, log });
beforeAll(async () => void (await waitForRedis(redis, 5_000)));
afterAll(() => redis.disconnect());

it("releases holds that no call of this relay has, at the second look, and no others", async () => {
  const userId = 71;
  const relay = createRelayDouble(redis, "mine");
  await redis.hset(`acct:{${userId}}`, { credits: 1_000, rev: 1, spent: 0, held: 0 });
  for (const id of ["lost", "running", "settled"]) await relay.hold({ id, userId, amount: 10 });
  await relay.settle({ id: "settled", userId, amount: 5 });
  await createRelayDouble(redis, "another").hold({ id: "theirs", userId, amount: 10 });
  const running = createRunningHolds();
  for (const id of ["lost", "running", "settled"]) running.began(userId, id);
  for (const id of ["lost", "settled"]) running.ended(userId, id);
  const released: Held[] = [];
  const audit = createHoldAudit({ redis, relayId: "mine", running, release: (hold) => void released.push(hold), log });
  await audit.checkOnce();
  expect(released).toEqual([]);
  await audit.checkOnce();
  expect(released).toEqual([{ userId, requestId: "lost", tokenId: 0, limits: [] }]);
});
