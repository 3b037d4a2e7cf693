import type { RelayServiceServer } from "@turnpike/proto/relay/v1/relay_service";
import type { TestChannelResponse } from "@turnpike/proto/channel/v1/channel_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import { type KeyRing, keysInUse } from "../channels/channel-keys.ts";
import type { ChannelDoc, ChannelKey } from "../channels/channel-model.ts";
import type { ChannelStore } from "../channels/channel-store.ts";
import { toChannel } from "../channels/channel-view.ts";

/** The result of testing one key of a channel. */
export type Verdict = {
  readonly success: boolean;
  /** The failure means that the key is rejected, out of balance or closed. */
  readonly isUnfit: boolean;
  readonly timeMs: number;
  readonly message: string;
  readonly keyHash: string;
};

export type ChannelTester = ReturnType<typeof createChannelTester>;

const TEST_TIMEOUT_MS = 60_000;

/** The model to test with: the requested one, else the channel's own, else its first. */
export const getTestModel = (asked: string, { testModel, models }: Pick<ChannelDoc, "testModel" | "models">): string =>
  [asked.trim(), testModel, models[0] ?? ""].find((model) => model !== "") ?? "";

/** The keys that a test of the channel may use: the enabled ones, or all when none is. */
const keysToTest = ({ keys }: ChannelDoc): ChannelKey[] => {
  const inUse = keysInUse(keys);
  return inUse.length > 0 ? inUse : keys;
};

/** Tests channels by one small call through a relay. */
export function createChannelTester(deps: {
  store: ChannelStore;
  keyRing: KeyRing;
  relay: Pick<GrpcClient<RelayServiceServer>, "testChannel">;
  nowSeconds: () => number;
}) {
  const { store, keyRing, relay, nowSeconds } = deps;
  type Asked = { readonly model: string; readonly requestId?: string; readonly keys?: readonly ChannelKey[] };
  /**
   * The result of a test with the first of these keys; its time is stored with the channel, whether or not it
   * succeeded. Throws unavailable when no relay is available, channel_type_unsupported when none supports the type.
   */
  const examine = async (doc: ChannelDoc, asked: Asked): Promise<Verdict> => {
    const keys = asked.keys ?? keysToTest(doc);
    const channel = { channel: toChannel(doc), keys: keyRing.open(keys) };
    const request = { channel, model: getTestModel(asked.model, doc) };
    const outcome = await relay.testChannel(request, { requestId: asked.requestId, timeoutMs: TEST_TIMEOUT_MS });
    await store.update(doc._id, { responseTimeMs: outcome.timeMs, testedAtSeconds: nowSeconds() });
    return {
      success: outcome.success,
      isUnfit: outcome.unfit,
      timeMs: outcome.timeMs,
      message: keyRing.mask(outcome.message, doc),
      keyHash: keys[0]?.lookupHash ?? "",
    };
  };
  return {
    examine,
    /** The outcome of a requested test; throws as `examine` does, and channel_not_found. */
    async test(id: number, model: string, requestId: string): Promise<TestChannelResponse> {
      const { success, message, timeMs } = await examine(await store.get(id), { model, requestId });
      return { success, message, timeSeconds: timeMs / 1000 };
    },
  };
}
