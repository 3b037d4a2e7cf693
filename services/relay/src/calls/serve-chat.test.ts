import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { Channel } from "@turnpike/proto/channel/v1/channel_service";
import { describe, expect, it } from "vitest";
import { watchCall } from "../metrics-calls.ts";
import { createChooser } from "../routing/choose.ts";
import { createHealth } from "../routing/health.ts";
import { createRoutingTable } from "../routing/routing-table.ts";
import type { ChatCall } from "./chat-call.ts";
import type { Exchange } from "./exchange.ts";
import { createServeChat } from "./serve-chat.ts";

const COOL_DOWN_MS = 15_000;
const channel = Channel.fromPartial({ id: 1, type: 1, models: "gpt-4o", group: "default" });

describe("a trial of a key whose breaker was open", () => {
  it("is over, and told nothing of upstream, when the call fails by a fault of our own", async () => {
    let nowMs = 1_000_000;
    const health = createHealth(() => nowMs);
    for (let failure = 0; failure < 5; failure++) health.failed(1, "key");
    nowMs += COOL_DOWN_MS;
    let released = 0;
    const serve = createServeChat({
      table: () => createRoutingTable([{ channel, keys: ["key"] }]),
      options: () => optionsInForce([]),
      chooser: createChooser({ health, random: () => 0 }),
      health,
      accessTokens: {
        of: () => {
          throw new TypeError("a fault of ours");
        },
      },
      openMeter: async () => ({ release: () => released++ }),
      observer: {},
      cache: { entryFor: () => undefined },
    } as unknown as Parameters<typeof createServeChat>[0]);
    const known = { token: { group: "" }, allowsModel: () => true };
    const call = { model: "gpt-4o", group: "default", dialect: { name: "openai-chat" }, tried: [], watch: watchCall() };
    const admitted = { caller: { known }, pinnedChannelId: undefined };
    await expect(serve({ ...call, admitted } as unknown as ChatCall, {} as Exchange)).rejects.toThrow(
      "a fault of ours",
    );
    expect([health.isHealthy(1, "key"), released]).toEqual([true, 1]);
  });
});
