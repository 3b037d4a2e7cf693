import { describe, expect, it } from "vitest";
import { RelayError } from "../core/errors/relay-error.ts";
import { createActivity } from "./activity.ts";
import type { Choice } from "../core/call/channel.ts";
import { createChannelBreakers } from "./channel-breakers.ts";

const getChoice = (id: number, key: string): Choice => ({ channel: { id } as Choice["channel"], key });
const failure = (message: string) => new RelayError("upstream_error", message, { status: 500 });

function world() {
  const clock = { ms: 1_000 };
  const now = (): number => clock.ms;
  const health = createChannelBreakers(now);
  return { clock, health, activity: createActivity({ health, hash: (key) => `#${key}`, now }) };
}

describe("channel activity", () => {
  it("is counted per channel until it is collected", () => {
    const { clock, activity } = world();
    const [stream, complete, bad] = [getChoice(1, "sk-1"), getChoice(1, "sk-1"), getChoice(1, "sk-secret")];
    for (const choice of [stream, complete, bad]) activity.chosen(choice);
    clock.ms = 3_000;
    activity.succeeded(stream, 1_200);
    activity.succeeded(complete);
    activity.failed(bad, failure("no such key: sk-secret"));
    const errors = [{ message: "no such key: [key]", status: 500, atMs: 3_000 }];
    expect(activity.take()).toEqual([
      { channelId: 1, calls: 3, failures: 1, latencyMs: 2_200, errors, openKeys: 0, trialKeys: 0, keys: [] },
    ]);
    expect(activity.take()).toEqual([]);
  });

  it("keeps the last five errors, newest first", () => {
    const { activity } = world();
    for (let index = 1; index <= 7; index++) activity.failed(getChoice(1, ""), failure(`error ${index}`));
    expect(activity.take()[0]?.errors.map(({ message }) => message)).toEqual([7, 6, 5, 4, 3].map((n) => `error ${n}`));
  });

  it("reports open breakers without calls, half-open probes, and once more after they closed", () => {
    const { clock, health, activity } = world();
    for (let index = 0; index < 5; index++) health.failed(7, "a/b");
    const take = () => activity.take();
    const keys = () => take().map(({ channelId, openKeys, trialKeys }) => [channelId, openKeys, trialKeys]);
    expect(take()[0]).toMatchObject({ channelId: 7, openKeys: 1, keys: [{ hash: "#a/b", isOpen: true }] });
    clock.ms += 16_000;
    expect(keys()).toEqual([[7, 0, 1]]);
    health.started(7, "a/b");
    health.succeeded(7, "a/b");
    expect(keys()).toEqual([[7, 0, 0]]);
    expect(keys()).toEqual([]);
  });
});
