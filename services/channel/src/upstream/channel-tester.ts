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
const ERROR_LENGTH_MAX = 1_000;

/** The model to test with: the requested one, else the channel's own, else its first. */
export const getTestModel = (
  requested: string,
  { testModel, models }: Pick<ChannelDoc, "testModel" | "models">,
): string => [requested.trim(), testModel, models[0] ?? ""].find((model) => model !== "") ?? "";

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
  type TestRequest = { readonly model: string; readonly requestId?: string; readonly keys?: readonly ChannelKey[] };
  /**
   * The result of a test with the first of these keys; its time and error are stored with the
   * channel. Throws unavailable when no relay is available, channel_type_unsupported when none supports the type.
   */
  const examine = async (doc: ChannelDoc, requested: TestRequest): Promise<Verdict> => {
    const keys = requested.keys ?? keysToTest(doc);
    const channel = { channel: toChannel(doc), keys: keyRing.open(keys) };
    const request = { channel, model: getTestModel(requested.model, doc) };
    const outcome = await relay.testChannel(request, { requestId: requested.requestId, timeoutMs: TEST_TIMEOUT_MS });
    const message = keyRing.mask(outcome.message, doc);
    await store.update(doc._id, {
      responseTimeMs: outcome.timeMs,
      testedAtSeconds: nowSeconds(),
      testError: outcome.success ? "" : message.slice(0, ERROR_LENGTH_MAX),
    });
    return {
      success: outcome.success,
      isUnfit: outcome.unfit,
      timeMs: outcome.timeMs,
      message,
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
