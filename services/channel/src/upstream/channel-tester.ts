import type { RelayServiceServer } from "@turnpike/proto/relay/v1/relay_service";
import type { TestChannelResponse } from "@turnpike/proto/channel/v1/channel_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import { type KeyRing, keysInUse } from "../channels/channel-keys.ts";
import type { ChannelDoc } from "../channels/channel-model.ts";
import type { ChannelStore } from "../channels/channel-store.ts";
import { toChannel } from "../channels/channel-view.ts";

export type ChannelTester = ReturnType<typeof createChannelTester>;

const TEST_TIMEOUT_MS = 60_000;

/** The model to test by: the one asked for, else the channel's own, else its first. */
export const testModelOf = (asked: string, { testModel, models }: Pick<ChannelDoc, "testModel" | "models">): string =>
  [asked.trim(), testModel, models[0] ?? ""].find((model) => model !== "") ?? "";

/** Tests channels by one small call through a relay. */
export function createChannelTester(deps: {
  store: ChannelStore;
  keyRing: KeyRing;
  relay: Pick<GrpcClient<RelayServiceServer>, "testChannel">;
  nowSeconds: () => number;
}) {
  const { store, keyRing, relay, nowSeconds } = deps;
  return {
    /**
     * The outcome, whose time is stored with the channel, good or bad. Throws channel_not_found, and unavailable when no relay
     * could try.
     */
    async test(id: number, model: string, requestId: string): Promise<TestChannelResponse> {
      const doc = await store.get(id);
      const inUse = keysInUse(doc.keys);
      const keys = keyRing.open(inUse.length > 0 ? inUse : doc.keys);
      const request = { channel: { channel: toChannel(doc), keys }, model: testModelOf(model, doc) };
      const outcome = await relay.testChannel(request, { requestId, timeoutMs: TEST_TIMEOUT_MS });
      await store.update(id, { responseTimeMs: outcome.timeMs, testedAtSeconds: nowSeconds() });
      return {
        success: outcome.success,
        message: keyRing.mask(outcome.message, doc),
        timeSeconds: outcome.timeMs / 1000,
      };
    },
  };
}
