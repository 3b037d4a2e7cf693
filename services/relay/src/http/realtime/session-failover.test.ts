import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Choice } from "../../core/call/channel.ts";
import { createChannelBreakers } from "../../routing/channel-breakers.ts";
import { createUpstreamOpening } from "./session-failover.ts";

type Deps = Parameters<typeof createUpstreamOpening>[0];

it("ends a half-open probe when an internal error ended its call", async () => {
  let nowMs = 0;
  const health = createChannelBreakers(() => nowMs);
  for (let failure = 0; failure < 5; failure++) health.failed(1, "key");
  nowMs += 3_600_000;
  expect(health.isHealthy(1, "key")).toBe(true);
  const options = () => ({
    number: () => 0,
    text: () => {
      throw new TypeError("internal failure");
    },
    flag: () => {
      throw new TypeError("internal failure");
    },
    json: () => {
      throw new TypeError("internal failure");
    },
  });
  const open = createUpstreamOpening({ options, health, now: () => nowMs } as unknown as Deps);
  const call = { admitted: {}, tried: [{ channel: { id: 1 }, key: "key" } as Choice], model: "m", clientHeaders: {} };
  await expect(open(call as unknown as RelayCall, [], new PassThrough())).rejects.toThrow(TypeError);
  expect(health.isHealthy(1, "key")).toBe(true);
});
