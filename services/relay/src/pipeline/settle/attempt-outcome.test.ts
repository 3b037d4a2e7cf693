import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { Channel } from "@turnpike/proto/channel/v1/channel_service";
import { describe, expect, it } from "vitest";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { Choice } from "../../core/call/channel.ts";
import { createChannelBreakers } from "../../routing/channel-breakers.ts";
import { toRoutedChannel } from "../../routing/routing-table.ts";
import { hasTimeToRetry } from "../../routing/routing-preferences.ts";
import { createAttemptOutcomes } from "./attempt-outcome.ts";
import { hideUpstreamError } from "./hidden-errors.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";

type Deps = Parameters<typeof createAttemptOutcomes>[0];

const KEYS = ["a", "b"];
const call = { model: "gpt-4o", body: {}, startedAtMs: 1_000 } as unknown as RelayCall;
const refusal = (status: number, retryAfterSeconds?: number): RelayError =>
  new RelayError("upstream_error", "no", {
    status,
    upstream: { message: "no", type: undefined, code: undefined, param: undefined },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
const withOptions = (values: Record<string, string>) =>
  optionsInForce(Object.entries(values).map(([key, value]) => ({ key, value })));

function setUp(keys: readonly string[] = KEYS, values: Record<string, string> = {}) {
  const channel = toRoutedChannel({ channel: Channel.fromPartial({ id: 1, type: 1 }), keys: [...keys] });
  if (!channel) throw new Error("no channel");
  const health = createChannelBreakers(() => 0);
  const reported: string[] = [];
  const options = withOptions(values);
  const begin: Deps["cooldowns"]["begin"] = ({ key, model }, seconds) =>
    void reported.push(`${key} rests ${seconds} s for ${model}`);
  const reportChannel: Deps["reportChannel"] = ({ key }, { status }, isWhole) =>
    void reported.push(`unfit: ${isWhole === true ? "all" : key} by ${status}`);
  const observer = createAttemptOutcomes({
    options: () => options,
    health,
    activity: { succeeded: () => undefined, failed: () => reported.push("failure"), waitedMs: () => 0 },
    cooldowns: { begin },
    latencies: { note: () => undefined },
    reportChannel,
  } as unknown as Deps);
  const fail = (error: RelayError, times = 1, key = keys[0] ?? ""): string[] => {
    const choice: Choice = { channel, key };
    for (let time = 0; time < times; time++) observer.failed(call, choice, error);
    return reported.splice(0).filter((each) => each !== "failure");
  };
  return { fail, health };
}

describe("failed attempt", () => {
  it("counts against a channel only if upstream is at fault", () => {
    for (const error of [refusal(400), refusal(404), refusal(422), new RelayError("insufficient_user_quota", "no")]) {
      const { fail, health } = setUp();
      expect([fail(error, 20), health.isHealthy(1, "a")]).toEqual([[], true]);
    }
    const { fail, health } = setUp();
    fail(refusal(403), 5);
    expect([health.isHealthy(1, "a"), health.isHealthy(1, "b")]).toEqual([false, true]);
  });

  it("does not count against a channel whose model failed at the call", () => {
    const upstream = { message: "no", type: undefined, code: undefined, param: undefined, isOfModel: true } as const;
    const { fail, health } = setUp();
    const malformed = new RelayError("upstream_error", "no", { status: 502, upstream });
    expect([fail(malformed, 20), health.isHealthy(1, "a")]).toEqual([[], true]);
  });

  it("requests disabling at once for a refused key, for errors when they open the breaker, and never for a busy upstream", () => {
    expect(setUp().fail(refusal(401))).toEqual(["unfit: a by 401"]);
    expect(setUp().fail(refusal(500), 4)).toEqual([]);
    expect(setUp().fail(refusal(500), 6)).toEqual(["unfit: a by 500"]);
    const { fail } = setUp();
    expect([...fail(refusal(500), 3, "a"), ...fail(refusal(500), 3, "b")]).toEqual(["unfit: all by 500"]);
    expect(setUp(["only"]).fail(refusal(500), 6)).toEqual(["unfit: only by 500"]);
    expect(setUp().fail(refusal(429), 20)).toEqual([]);
  });

  it("puts its key in cooldown for the time upstream requests, up to the option's bound", () => {
    expect(setUp().fail(refusal(429, 7))).toEqual(["a rests 7 s for gpt-4o"]);
    expect(setUp().fail(refusal(503, 900))).toEqual(["a rests 60 s for gpt-4o"]);
    expect(setUp(KEYS, { RetryAfterMaxSeconds: "0" }).fail(refusal(429, 7))).toEqual([]);
    expect(setUp().fail(refusal(429))).toEqual([]);
  });

  it("is retried within the option's time, or at any time if the option is 0", () => {
    const may = (seconds: string, nowMs: number, tried = 2) =>
      hasTimeToRetry({ ...call, tried: Array(tried) }, withOptions({ RetryBudgetSeconds: seconds }), nowMs);
    expect([may("5", 5_999), may("5", 6_000), may("0", 9_000_000)]).toEqual([true, false, true]);
    // One attempt without any response may have taken longer.
    expect(may("5", 9_000_000, 1)).toBe(true);
  });
});

describe("hideUpstream", () => {
  const hidden = withOptions({ "global.hide_upstream_error_enabled": "true" });
  it("keeps only the status and Retry-After", () => {
    expect(hideUpstreamError(refusal(503, 7), hidden)).toMatchObject({ status: 503, retryAfterSeconds: 7 });
    expect(hideUpstreamError(refusal(503, 7), hidden).message).toBe("upstream responded with status 503");
    expect(hideUpstreamError(refusal(429, 7), hidden).message).toContain("saturated");
    expect(hideUpstreamError(refusal(429), withOptions({})).message).toBe("no");
    const own = new RelayError("rate_limit_exceeded", "the request limit is reached");
    expect(hideUpstreamError(own, hidden)).toBe(own);
  });
});
