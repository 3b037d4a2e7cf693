import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHiddenReasoning } from "../../../services/relay/src/accounting/tokens/hidden-reasoning.ts";
import { createSharedReasoning } from "../../../services/relay/src/accounting/tokens/shared-reasoning.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";

const { redisUrl: url, namespace } = testBacking();
const redis = connectRedis({ url, namespace, log: createLogger("test", "silent") });
beforeAll(async () => void (await waitForRedis(redis, 5_000)));
afterAll(() => redis.disconnect());

function openRelay() {
  const hidden = createHiddenReasoning();
  return { hidden, ...createSharedReasoning({ redis, hidden }) };
}

it("shares with a started relay what another one has learned, and skips what it cannot read", async () => {
  await redis.hset("reasoning", "broken", "{", "odd", '{"share":7}');
  const before = openRelay();
  before.hidden.learn("o3", { completionTokens: 1_000, reasoningTokens: 800 }, { visibleTokens: 200, tookMs: 4_000 });
  await before.share();
  const after = openRelay();
  expect(after.hidden.get("o3")).toBeUndefined();
  await after.share();
  expect(after.hidden.get("o3")).toEqual({ share: 0.8, tokens: 800, tookMs: 4_000 });
  for (const model of ["broken", "odd"]) expect(after.hidden.get(model)).toBeUndefined();
});
