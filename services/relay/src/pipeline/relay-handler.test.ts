import type { TokenUsage } from "@turnpike/contract/pricing/usage";
import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { Channel } from "@turnpike/proto/channel/v1/channel_service";
import { describe, expect, it } from "vitest";
import { createHiddenReasoning } from "../accounting/tokens/hidden-reasoning.ts";
import { watchCall } from "../core/telemetry/call-metrics.ts";
import { ChannelChooser } from "../routing/channel-chooser.ts";
import { createChannelBreakers } from "../routing/channel-breakers.ts";
import { createRoutingTable } from "../routing/routing-table.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { RelayCall } from "../core/call/relay-call.ts";
import type { Exchange } from "../core/call/exchange.ts";
import { findTiers } from "./candidates.ts";
import { createCallHandler } from "./relay-handler.ts";

const COOL_DOWN_MS = 15_000;
const channel = Channel.fromPartial({ id: 1, type: 1, models: "gpt-4o", group: "default" });

describe("half-open probe of a key", () => {
  it("ends without an effect on the breaker when the call fails by an internal error", async () => {
    let nowMs = 1_000_000;
    const health = createChannelBreakers(() => nowMs);
    for (let failure = 0; failure < 5; failure++) health.failed(1, "key");
    nowMs += COOL_DOWN_MS;
    let released = 0;
    const serve = createCallHandler({
      table: () => createRoutingTable([{ channel, keys: ["key"] }]),
      options: () => optionsInForce([]),
      chooser: new ChannelChooser({ health, random: () => 0 }),
      health,
      accessTokens: {
        of: () => {
          throw new TypeError("internal failure");
        },
      },
      openMeter: async () => ({ release: () => released++ }),
      observer: {},
      hiddenReasoning: createHiddenReasoning(),
      cache: { entryFor: () => undefined },
      bindState: (call: unknown, tiers: unknown) => ({ call, tiers }),
    } as unknown as Parameters<typeof createCallHandler>[0]);
    const known = { token: { group: "" }, allowsModel: () => true };
    const call = { model: "gpt-4o", group: "default", dialect: { name: "openai-chat" }, tried: [], watch: watchCall() };
    const admitted = { caller: { known, principal: { group: "default" } }, pinnedChannelId: undefined };
    const exchange = { response: { setHeader: () => undefined } } as unknown as Exchange;
    await expect(serve({ ...call, admitted } as unknown as RelayCall, exchange)).rejects.toThrow("internal failure");
    expect([health.isHealthy(1, "key"), released]).toEqual([true, 1]);
  });
});

describe("failure that may pass soon", () => {
  /** How often a call is attempted that always fails with this status. */
  async function countAttempts(isBound: boolean, status: number): Promise<number> {
    let attempts = 0;
    const upstream = { message: "no", type: undefined, code: undefined, param: undefined };
    const serve = createCallHandler({
      table: () => createRoutingTable([{ channel, keys: ["key"] }]),
      options: () => optionsInForce([{ key: "RetryTimes", value: "2" }]),
      chooser: new ChannelChooser({ health: createChannelBreakers(() => 1), random: () => 0 }),
      health: createChannelBreakers(() => 1),
      accessTokens: {
        of: () => {
          attempts++;
          throw new RelayError("upstream_error", "no", { status, upstream });
        },
      },
      openMeter: async () => ({ release: () => undefined }),
      observer: { failed: () => undefined },
      failures: { attempt: () => undefined },
      hiddenReasoning: createHiddenReasoning(),
      cache: { entryFor: () => undefined },
      bindState: (call: object, tiers: unknown) => ({ call: { ...call, isBound }, tiers }),
      now: () => 1,
    } as unknown as Parameters<typeof createCallHandler>[0]);
    const known = { token: { group: "" }, allowsModel: () => true };
    const admitted = { caller: { known, principal: { group: "default" } } };
    const call = { model: "gpt-4o", group: "default", dialect: { name: "openai-responses" }, tried: [], admitted };
    const response = { setHeader: () => undefined };
    const exchange = { response, isDisconnected: () => false, onDisconnect: () => () => undefined };
    const served = serve({ ...call, startedAtMs: 1, watch: watchCall() } as unknown as RelayCall, exchange as never);
    await expect(served).rejects.toMatchObject({ status });
    return attempts;
  }

  it("is retried at the account that alone can serve the call, as often as other channels would be", async () => {
    expect(await countAttempts(true, 500)).toBe(3);
    expect(await countAttempts(true, 429)).toBe(3);
    expect(await countAttempts(true, 404)).toBe(1);
    expect(await countAttempts(false, 500)).toBe(1);
  });
});

describe("failed call", () => {
  /** What the meter did with a call whose only attempt fails with this usage. */
  async function settle(usage: TokenUsage | undefined, isRetried = false): Promise<unknown[]> {
    const done: unknown[] = [];
    const upstream = { message: "no", type: undefined, code: undefined, param: undefined };
    const serve = createCallHandler({
      table: () => createRoutingTable([{ channel, keys: ["key"] }]),
      options: () => optionsInForce([]),
      chooser: new ChannelChooser({ health: createChannelBreakers(() => 1), random: () => 0 }),
      health: createChannelBreakers(() => 1),
      accessTokens: {
        of: () => {
          throw new RelayError("upstream_error", "no", { status: 502, upstream, usage });
        },
      },
      openMeter: async () => ({
        release: () => done.push("release"),
        charge: async (outcome: { usage: unknown }) => void done.push(outcome.usage),
        getCharge: () => "0.18",
      }),
      observer: { failed: () => undefined },
      failures: { attempt: () => undefined },
      hiddenReasoning: createHiddenReasoning(),
      cache: { entryFor: () => undefined },
      bindState: (call: object, tiers: unknown) => ({ call, tiers }),
      now: () => 1,
    } as unknown as Parameters<typeof createCallHandler>[0]);
    const known = { token: { group: "" }, allowsModel: () => true };
    const admitted = { caller: { known, principal: { group: "default" } } };
    const facts = { model: "gpt-4o", group: "default", dialect: { name: "openai-chat" }, tried: [], admitted };
    const route = { requestedModel: "gpt-4o", earlierAttempts: 0, isRetried: () => isRetried };
    const call = { ...facts, route, startedAtMs: 1, watch: watchCall() } as unknown as RelayCall;
    const exchange = {
      isDisconnected: () => false,
      onDisconnect: () => () => undefined,
      response: { setHeader: (name: string, value: unknown) => name === "x-turnpike-cost" && done.push(value) },
    };
    await expect(serve(call, exchange as never)).rejects.toMatchObject({ status: 502 });
    return done;
  }
  const usage = {
    promptTokens: 90_000,
    completionTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };

  it("costs what upstream reports for the failed response, as a header reports, and nothing if it reports none", async () => {
    expect(await settle(usage)).toEqual([usage, "0.18"]);
    expect(await settle(undefined)).toEqual(["release"]);
    expect(await settle({ ...usage, promptTokens: 0 })).toEqual(["release"]);
  });

  it("costs nothing if another model serves it", async () => {
    expect(await settle(usage, true)).toEqual(["release"]);
  });
});

describe("call without an available channel", () => {
  const table = createRoutingTable([{ channel, keys: ["key"] }], [{ id: 2, models: ["o1"] }]);
  const findFor = (model: string, pinnedChannelId?: number) => () =>
    findTiers(
      {
        model,
        group: "default",
        admitted: { pinnedChannelId, caller: { known: { allowsModel: () => true } } },
      } as unknown as RelayCall,
      table,
      optionsInForce([]),
    );

  it("is retryable if a disabled channel serves the model, and fails as unknown model otherwise", () => {
    expect(findFor("o1")).toThrow(expect.objectContaining({ code: "no_available_channel", status: 503 }));
    expect(findFor("o9")).toThrow(expect.objectContaining({ code: "model_not_found", status: 404 }));
  });

  it("is forbidden for a pinned channel that is disabled, and invalid for one that does not exist", () => {
    expect(findFor("gpt-4o", 2)).toThrow(expect.objectContaining({ status: 403 }));
    expect(findFor("gpt-4o", 3)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
