import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { measurePromotedBytes } from "@turnpike/shared/telemetry/heap-promotion";
import { expect, it } from "vitest";
import { readRelayCall } from "../../../pipeline/prepare/read/call-reader.ts";
import { openAiChat } from "../../../dialects/openai-chat/openai-chat.ts";
import { AccountClient } from "../account-client.ts";
import type { GeneratedTokens } from "./call-meter.ts";
import { HeldCallMeter } from "./held-call-meter.ts";
import { createHighBalanceCache } from "../high-balance-cache.ts";
import { createMetering } from "./metering.ts";
import { DeferredHolds } from "../deferred-holds.ts";
import { createUsageEstimator } from "../../tokens/usage-estimator.ts";
import { createPlaceHold } from "../hold-placement.ts";
import type { ProgressReport } from "./progress-reports.ts";

type Admitted = Parameters<typeof readRelayCall>[0]["admitted"];
type Redis = ConstructorParameters<typeof AccountClient>[0]["redis"];

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
    Promise.resolve(
      String(args[0]).includes("least") ? ["ok", BALANCE, 1, -1, Date.now()] : [BALANCE, -1, Date.now(), 0],
    );
  const accounts = new AccountClient({
    redis: { options: {}, sendCommand } as unknown as Redis,
    relayId: "relay",
    reportLost: () => undefined,
  });
  const highBalances = createHighBalanceCache(now);
  const log = { warn: () => undefined } as never;
  const loadAccount = (): Promise<void> => Promise.resolve();
  const receipt = { unconfirmed: 0 };
  const writeAheadLog = {
    append: () => receipt,
    appendBatched: () => Promise.resolve(receipt),
    acknowledge: () => undefined,
  };
  return createMetering({
    accounts,
    highBalances,
    writeAheadLog,
    loadAccount,
    log,
    now,
    options: () => options,
    usageEstimator: createUsageEstimator(),
    publisher: { add: () => undefined, hasRoom: () => true } as never,
    placeHold: createPlaceHold({ accounts, highBalances, loadAccount, failOpen: { admits: () => false } }),
    deferred: new DeferredHolds({ accounts, highBalances, writeAheadLog, loadAccount, log }),
  });
}
const options = optionsInForce([{ key: "ModelRatio", value: '{"gpt-4":15}' }]);

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

it("lets one report of the progress wait at a time, written from what was generated until it is sent", () => {
  const reports: (() => string)[] = [];
  const accounts = { reportProgress: (_: unknown, { toJson }: ProgressReport) => void reports.push(toJson) };
  const body = { model: "gpt-4", messages: [{ role: "user", content: "x" }] };
  const call = readRelayCall({
    requestId: "call",
    startedAtMs: 0,
    address: "127.0.0.1",
    admitted,
    dialect: openAiChat,
    headers: {},
    bodyText: JSON.stringify(body),
  });
  const held = {
    call,
    request: { least: 1, amount: 1 },
    isInRedis: true,
    price: { mode: "tokens" },
    tables: {},
    promptTokens: 1,
    estimatedTokens: 1_000,
    quotaFor: (tokens: number) => tokens,
    iterationsQuota: 0,
  };
  const [deps, facts] = [{ accounts, now: () => 0 }, held] as unknown as ConstructorParameters<typeof HeldCallMeter>;
  const meter = new HeldCallMeter(deps, facts);
  let generated = 0;
  const produce = (tokens: number): void => {
    generated += tokens;
    const counted = { estimateTokens: () => generated, length: () => generated, refine: () => undefined };
    expect(meter.produced(counted as unknown as GeneratedTokens)).toBe(true);
  };
  for (let piece = 0; piece < 20; piece++) produce(5);
  expect(reports).toHaveLength(1);
  expect(JSON.parse(reports[0]?.() ?? "")).toMatchObject({ o: 100 });
  produce(4);
  expect(reports).toHaveLength(1);
  produce(1);
  expect(reports).toHaveLength(2);
});
