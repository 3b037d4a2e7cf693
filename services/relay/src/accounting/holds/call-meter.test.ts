import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { measurePromotedBytes } from "@turnpike/shared/telemetry/heap-promotion";
import { expect, it } from "vitest";
import { readRelayCall } from "../../pipeline/prepare/call-reader.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { createAccountClient } from "./account-client.ts";
import { createHighBalanceCache } from "./high-balance-cache.ts";
import { createMetering } from "./call-meter.ts";
import { createDeferredHolds } from "./deferred-holds.ts";
import { createUsageEstimator } from "../tokens/usage-estimator.ts";
import { createPlaceHold } from "./hold-placement.ts";

type Admitted = Parameters<typeof readRelayCall>[0]["admitted"];
type Redis = Parameters<typeof createAccountClient>[0];

const BALANCE = 1e12;
const USAGE = { promptTokens: 10, completionTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
const admitted = {
  pinnedChannelId: undefined,
  caller: {
    known: { token: { id: 5, userId: 7, name: "t", group: "", unlimitedQuota: true } },
    principal: { group: "default", username: "ann" },
  },
} as unknown as Admitted;

/** Metering with a Redis that grants everything at once. */
function openMeters(now: () => number) {
  const sendCommand = ({ args }: { args: unknown[] }): Promise<unknown> =>
    Promise.resolve(String(args[0]).includes("least") ? ["ok", BALANCE, 1, -1] : [BALANCE, -1]);
  const accounts = createAccountClient({ options: {}, sendCommand } as unknown as Redis, "relay", now);
  const highBalances = createHighBalanceCache(now);
  const log = { warn: () => undefined } as never;
  const loadAccount = (): Promise<void> => Promise.resolve();
  const note = { unconfirmed: 0 };
  const writeAheadLog = { note: () => note, appendBatched: () => Promise.resolve(note), confirm: () => undefined };
  return createMetering({
    accounts,
    highBalances,
    writeAheadLog,
    log,
    now,
    options: () => options,
    usageEstimator: createUsageEstimator(),
    publisher: { add: () => undefined, hasRoom: () => true } as never,
    placeHold: createPlaceHold({ accounts, highBalances, loadAccount, failOpen: { admits: () => false } }),
    deferred: createDeferredHolds({ accounts, highBalances, writeAheadLog, loadAccount, log }),
  });
}
const options = optionsInForce([]);

it("leaves no objects of a call behind that only a full garbage collection frees", async () => {
  const now = (): number => Date.now();
  const openMeter = openMeters(now);
  const messages = [{ role: "user", content: "x".repeat(400) }];
  const run = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) {
      const call = readRelayCall({
        requestId: `call-${index}`,
        startedAtMs: now(),
        address: "127.0.0.1",
        admitted,
        dialect: openAiChat,
        headers: {},
        bodyText: JSON.stringify({ model: "gpt-4", messages, user: `u${index}` }),
      });
      const meter = await openMeter(call);
      meter.secure();
      await meter.charge({ usage: USAGE, estimated: false, error: undefined });
      await new Promise((done) => setImmediate(done));
    }
  };
  // A getter in the hold request once retained each call with its body: some 3 KB.
  expect((await measurePromotedBytes(() => run(5_000))) / 5_000).toBeLessThan(400);
});
