import type { RelayServiceServer } from "@turnpike/proto/relay/v1/relay_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import { readChannelSetting } from "@turnpike/contract/channel-setting";
import { type KeyRing, keysInUse } from "../channels/channel-keys.ts";
import type { ChannelDoc } from "../channels/channel-model.ts";
import type { ChannelStore } from "../channels/channel-store.ts";

export type BalanceReader = ReturnType<typeof createBalanceReader>;

const READ_TIMEOUT_MS = 30_000;
/** Of a channel with more keys, only the first are read. */
const KEYS_MAX = 20;

/** Reads account balances from upstreams, through a relay. */
export function createBalanceReader(deps: {
  store: ChannelStore;
  keyRing: KeyRing;
  relay: Pick<GrpcClient<RelayServiceServer>, "fetchBalance">;
  nowSeconds: () => number;
}) {
  const { store, keyRing, relay, nowSeconds } = deps;
  return {
    /**
     * The total balance of the keys' accounts, which is stored with the channel. Throws fetch_balance_failed when one
     * cannot be read, unavailable when no relay is available.
     */
    async read(doc: ChannelDoc, requestId?: string): Promise<number> {
      const inUse = keysInUse(doc.keys);
      const keys = keyRing.open((inUse.length > 0 ? inUse : doc.keys).slice(0, KEYS_MAX));
      const { type, baseUrl, other } = doc;
      const proxy = readChannelSetting(doc.setting).proxy;
      try {
        const balances = await Promise.all(
          keys.map((key) =>
            relay.fetchBalance({ type, baseUrl, other, key, proxy }, { requestId, timeoutMs: READ_TIMEOUT_MS }),
          ),
        );
        const balance = balances.reduce((sum, each) => sum + each.balance, 0);
        await store.update(doc._id, { balance, balanceAtSeconds: nowSeconds() });
        return balance;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "fetch_balance_failed") throw error;
        const detail = keyRing.mask(error.params["detail"] ?? "", doc);
        throw new AppError("fetch_balance_failed", detail, { params: { detail }, cause: error });
      }
    },
  };
}
