import { describe, expect, it } from "vitest";
import type { RoutingChannel } from "@turnpike/proto/channel/v1/channel_service";
import { RelayError } from "../core/errors/relay-error.ts";
import { createChooser } from "./channel-chooser.ts";
import { canCallModel } from "../admission/model-access.ts";
import { createHealth } from "./health.ts";
import { shouldDisableChannel, parseDisablingKeywords, isChannelFailure, isRetryable } from "./retry-rules.ts";
import { createRoutingTable, toRoutedChannel } from "./routing-table.ts";
import { getUpstreamModel } from "../core/call/channel.ts";

type Fields = {
  id: number;
  models?: string;
  group?: string;
  priority?: number;
  weight?: number;
  keys?: string[];
  prefix?: string;
  mapping?: string;
};

function channel(fields: Fields): RoutingChannel {
  return {
    keys: fields.keys ?? ["key"],
    channel: {
      id: fields.id,
      name: `channel ${fields.id}`,
      type: 1,
      keyHint: "",
      keyCount: 1,
      openaiOrganization: "",
      maxInputTokens: 0,
      baseUrl: "http://upstream/",
      other: "",
      modelMapping: fields.mapping ?? "",
      statusCodeMapping: "",
      models: fields.models ?? "gpt-4o",
      group: fields.group ?? "default",
      autoBan: 1,
      testModel: "",
      priority: fields.priority ?? 0,
      weight: fields.weight ?? 0,
      tag: "",
      modelPrefix: fields.prefix ?? "",
      setting: "",
      paramOverride: "",
      status: 1,
      responseTime: 0,
      balance: 0,
      expiredTime: 0,
      otherInfo: "",
      createdTime: 0,
      testTime: 0,
      balanceUpdatedTime: 0,
      health: undefined,
    },
  };
}

function chooserFor(channels: RoutingChannel[], random = 0.5) {
  let nowMs = 1_000_000;
  const health = createHealth(() => nowMs);
  const chooser = createChooser({ health, random: () => random });
  const tiers = createRoutingTable(channels).tiers("default", "gpt-4o");
  return { health, chooser, tiers, pass: (ms: number) => (nowMs += ms) };
}

describe("routing table", () => {
  it("finds models of prefixed channels by their names without prefix, which token limits may use", () => {
    const table = createRoutingTable([channel({ id: 1, prefix: "az/" }), channel({ id: 2 })]);
    expect([table.bareNames("az/gpt-4o"), table.bareNames("gpt-4o")]).toEqual([["gpt-4o"], []]);
    const allowsModel = (model: string): boolean => model === "gpt-4o";
    expect(["az/gpt-4o", "gpt-4o", "az/o1"].map((model) => canCallModel({ allowsModel }, table, model))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("lists the channels of a model per group in tiers of descending priority", () => {
    const table = createRoutingTable([
      channel({ id: 1 }),
      channel({ id: 2, priority: 5, group: "default,vip" }),
      channel({ id: 3, models: "o1, gpt-4o" }),
    ]);
    expect(table.tiers("default", "gpt-4o").map((tier) => tier.map(({ id }) => id))).toEqual([[2], [1, 3]]);
    expect(table.models("vip")).toEqual(["gpt-4o"]);
    expect(table.tiers("vip", "o1")).toEqual([]);
  });

  it("serves models of a prefixed channel only under the prefixed name", () => {
    const table = createRoutingTable([channel({ id: 1, prefix: "az/" })]);
    expect(table.tiers("default", "gpt-4o")).toEqual([]);
    expect(table.tiers("default", "az/gpt-4o")).toHaveLength(1);
  });

  it.each([
    ['{"az/gpt-4o":"deployed"}', "deployed"],
    ['{"gpt-4o":"deployed"}', "deployed"],
    ["", "gpt-4o"],
    ["not json", "gpt-4o"],
  ])("maps names written with or without the prefix: %s", (mapping, expected) => {
    const routed = toRoutedChannel(channel({ id: 1, prefix: "az/", mapping }));
    expect(routed && getUpstreamModel(routed, "az/gpt-4o")).toBe(expected);
  });
});

it("maps a channel test without the prefix like a call", () => {
  const routed = toRoutedChannel(channel({ id: 1, prefix: "az/", mapping: '{"az/gpt-4o":"deployed"}' }));
  expect(routed && getUpstreamModel(routed, "gpt-4o")).toBe("deployed");
});

describe("channel chooser", () => {
  it("tries the other key of the only channel although its breaker is open", () => {
    const { chooser, tiers, health } = chooserFor([channel({ id: 1, keys: ["bad", "good"] })]);
    const bad = chooser.choose(tiers, []);
    for (let failures = 0; failures < 20 && bad; failures++) {
      health.started(1, bad.key);
      health.failed(1, bad.key, ["bad", "good"]);
    }
    const next = chooser.choose(tiers, bad ? [bad] : []);
    expect(new Set([bad?.key, next?.key])).toEqual(new Set(["bad", "good"]));
    expect(chooser.choose(tiers, bad && next ? [bad, next] : [])).toBeUndefined();
  });

  it("chooses by weight within the highest tier, including weight 0", () => {
    const channels = [channel({ id: 1, weight: 90 }), channel({ id: 2, weight: 0 }), channel({ id: 3, priority: -1 })];
    const picks = [0.05, 0.5, 0.95].map((random) => {
      const { chooser, tiers } = chooserFor(channels, random);
      return chooser.choose(tiers, [])?.channel.id;
    });
    expect(picks).toEqual([1, 1, 2]);
  });

  it("never picks a tried channel while another is available, then falls back to the next tier", () => {
    const { chooser, tiers } = chooserFor([channel({ id: 1, priority: 9 }), channel({ id: 2 })]);
    const first = chooser.choose(tiers, []);
    const second = chooser.choose(tiers, first ? [first] : []);
    expect([first?.channel.id, second?.channel.id]).toEqual([1, 2]);
    expect(
      chooser.choose(
        tiers,
        [first, second].filter((choice) => choice !== undefined),
      ),
    ).toBeUndefined();
  });

  it("uses the keys of a channel round-robin, and another of its keys before giving up", () => {
    const { chooser, tiers } = chooserFor([channel({ id: 1, keys: ["a", "b"] })]);
    const first = chooser.choose(tiers, []);
    expect(first?.key).toBe("a");
    expect(chooser.choose(tiers, [])?.key).toBe("b");
    expect(chooser.choose(tiers, first ? [first] : [])?.key).toBe("b");
    expect(chooser.choose(tiers, [])?.key).toBe("a");
  });

  it("skips an open breaker, and tries it if nothing else is left", () => {
    const { chooser, tiers, health } = chooserFor([channel({ id: 1, priority: 9 }), channel({ id: 2 })]);
    for (let failure = 0; failure < 5; failure++) health.failed(1, "key");
    const first = chooser.choose(tiers, []);
    expect(first?.channel.id).toBe(2);
    expect(chooser.choose(tiers, first ? [first] : [])?.channel.id).toBe(1);
  });
});

describe("circuit breaker", () => {
  it("stays with its key if another key of the channel is removed", () => {
    const { health, chooser } = chooserFor([]);
    for (let call = 0; call < 5; call++) health.failed(1, "a");
    const pick = (keys: string[]) =>
      chooser.choose(createRoutingTable([channel({ id: 1, keys })]).tiers("default", "gpt-4o"), [])?.key;
    expect(pick(["a", "b", "c"])).toBe("b");
    expect(pick(["b", "c"])).toBe("b");
    expect(pick(["a", "c"])).toBe("c");
  });

  it("opens for a whole channel on failures independent of the key, and closes for all keys after one success", () => {
    const { health, chooser, pass } = chooserFor([]);
    const keys = ["a", "b", "c", "d", "e", "f"];
    const table = createRoutingTable([channel({ id: 1, keys, priority: 9 }), channel({ id: 2 })]);
    const pick = () => chooser.choose(table.tiers("default", "gpt-4o"), [])?.channel.id;
    expect(keys.slice(0, 5).map((key) => health.failed(1, key, keys))).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      "channel",
    ]);
    expect([pick(), health.openCount()]).toEqual([2, 6]);
    expect(health.breakers().get(1)).toEqual({ open: keys, halfOpen: [] });
    pass(15_000);
    expect(pick()).toBe(1);
    health.started(1, "f");
    expect(pick()).toBe(2);
    health.succeeded(1, "f");
    expect([pick(), health.breakers().size]).toEqual([1, 0]);
  });

  it("stays closed for a channel whose keys are refused one by one, or that has only one key", () => {
    const { health } = chooserFor([]);
    const keys = ["a", "b", "c", "d", "e", "f"];
    for (const key of keys) health.failed(1, key);
    expect(keys.every((key) => health.isHealthy(1, key))).toBe(true);
    const told = Array.from({ length: 5 }, () => health.failed(2, "key", ["key"]));
    expect([told.at(-1), health.openCount()]).toEqual(["key", 1]);
  });

  it("of a single failing key leaves the channel's other keys in use", () => {
    const { health } = chooserFor([]);
    const keys = ["a", "b"];
    const told = Array.from({ length: 6 }, () => {
      health.succeeded(1, "b");
      return health.failed(1, "a", keys);
    });
    expect(told).toEqual([undefined, undefined, undefined, undefined, "key", undefined]);
    expect(keys.map((key) => health.isHealthy(1, key))).toEqual([false, true]);
    expect([health.failed(1, "b", keys), health.failed(1, "b", keys)]).toEqual([undefined, "channel"]);
  });

  it("opens at five failures that are half of the calls, not at one", () => {
    const { health } = chooserFor([]);
    for (let call = 0; call < 4; call++) health.failed(1, "key");
    expect(health.isHealthy(1, "key")).toBe(true);
    for (let call = 0; call < 20; call++) health.succeeded(1, "key");
    health.failed(1, "key");
    expect(health.isHealthy(1, "key")).toBe(true);
  });

  it("lets one half-open probe through after its open interval and closes if that succeeds", () => {
    const { health, pass } = chooserFor([]);
    for (let call = 0; call < 5; call++) health.failed(1, "key");
    expect(health.isHealthy(1, "key")).toBe(false);
    pass(15_000);
    expect(health.isHealthy(1, "key")).toBe(true);
    health.started(1, "key");
    expect(health.isHealthy(1, "key")).toBe(false);
    health.succeeded(1, "key");
    expect(health.isHealthy(1, "key")).toBe(true);
  });

  it("waits longer after a failed half-open probe", () => {
    const { health, pass } = chooserFor([]);
    for (let call = 0; call < 5; call++) health.failed(1, "key");
    pass(15_000);
    health.started(1, "key");
    health.failed(1, "key");
    pass(15_000);
    expect(health.isHealthy(1, "key")).toBe(false);
    pass(15_000);
    expect(health.isHealthy(1, "key")).toBe(true);
  });
});

const refusal = (status: number, code?: string, type?: string, message = "no"): RelayError =>
  new RelayError("upstream_error", message, { status, upstream: { message, type, code, param: undefined } });

describe("retry rules", () => {
  it.each([
    [429, 1, true],
    [500, 1, true],
    [503, 1, true],
    [401, 1, true],
    [404, 1, true],
    [504, 1, false],
    [524, 1, false],
    [408, 1, false],
    [400, 1, false],
    [400, 14, true],
  ])("status %d of a type %d channel: %s", (status, type, expected) => {
    expect(isRetryable(refusal(status), type)).toBe(expected);
  });

  it.each([
    [24, refusal(400, "API_KEY_INVALID", "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")],
    [48, refusal(400, undefined, undefined, "Incorrect API key provided: [key]. You can obtain one at [address].")],
    [17, refusal(400, "Arrearage", undefined, "Access denied, please make sure your account is in good standing.")],
  ])("retries if a 400 is about the channel's key or account (type %i)", (type, error) => {
    expect(isRetryable(error, type)).toBe(true);
    expect(shouldDisableChannel(error, type, [])).toBe(true);
  });

  it("ignores the caller's text quoted in a refusal", () => {
    const quoted = refusal(400, "invalid_value", "invalid_request_error", "Invalid value: 'Incorrect API key'.");
    expect([isRetryable(quoted, 1), shouldDisableChannel(quoted, 1, [])]).toEqual([false, false]);
  });

  it.each([
    [refusal(500), true],
    [refusal(504, "no_answer"), true],
    [refusal(429), false],
    [refusal(401), false],
    [refusal(503, "account_deactivated"), false],
    [new RelayError("internal_error", "ours"), false],
  ])("detects failures independent of the key (%#)", (error, expected) => {
    expect(isChannelFailure(error)).toBe(expected);
  });

  it("retries if there was no response at all, and never for the relay's own refusals", () => {
    expect(isRetryable(refusal(504, "no_answer"), 1)).toBe(true);
    expect(isRetryable(new RelayError("insufficient_user_quota", "no"), 1)).toBe(false);
  });
});

describe("automatic disabling", () => {
  it.each([
    [refusal(401), 1, true],
    [refusal(403), 1, false],
    [refusal(403), 24, true],
    [refusal(400, "account_deactivated"), 1, true],
    [refusal(429, undefined, "insufficient_quota"), 1, true],
    [refusal(400, undefined, undefined, "Your CREDIT balance is too low to go on"), 1, true],
    [refusal(500), 1, false],
    [new RelayError("invalid_api_key", "ours"), 1, false],
  ])("is requested only on definite signals (%#)", (error, type, expected) => {
    expect(shouldDisableChannel(error, type, ["your credit balance is too low"])).toBe(expected);
  });

  it("ignores a phrase of the caller's text that the refusal quotes", () => {
    const message = "Invalid value: 'Permission Denied'. Supported values are: 'system', 'user'.";
    const asks = (content: string, keywords: string[]) =>
      shouldDisableChannel(refusal(400, undefined, undefined, message), 1, keywords, {
        messages: [{ role: content, content: "hi" }],
      });
    expect(asks("permission DENIED", ["permission denied"])).toBe(false);
    expect(asks("user", ["permission denied"])).toBe(true);
    expect(asks("permission denied", ["permission denied", "supported values"])).toBe(true);
  });

  it("parses phrases line by line and trims them", () => {
    expect(parseDisablingKeywords("Credit balance\r\n\n  Permission denied \n")).toEqual([
      "credit balance",
      "permission denied",
    ]);
  });
});
