import type { FetchModelsRequest as Account } from "@turnpike/proto/relay/v1/relay_service";
import type { FetchModelsRequest } from "@turnpike/proto/channel/v1/channel_service";
import type { RelayServiceServer } from "@turnpike/proto/relay/v1/relay_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import { checkTypeAndAddress, readBaseUrl } from "../channels/channel-fields.ts";
import { readChannelSetting } from "@turnpike/contract/channel-setting";
import { type KeyRing, keysInUse, splitKeys } from "../channels/channel-keys.ts";
import type { ChannelStore } from "../channels/channel-store.ts";

export type ModelLists = ReturnType<typeof createModelLists>;

const FETCH_TIMEOUT_MS = 30_000;

function readAccount({ type, baseUrl: typed, key: typedKey }: FetchModelsRequest): Account {
  const baseUrl = readBaseUrl(typed);
  checkTypeAndAddress(type, baseUrl);
  const [key] = splitKeys(type, typedKey);
  if (key === undefined) throw new AppError("channel_key_required", "no key");
  return { type, baseUrl, key, other: "", proxy: "" };
}

/** Reads the list of models from upstreams, through a relay. */
export function createModelLists(deps: {
  store: ChannelStore;
  keyRing: KeyRing;
  relay: Pick<GrpcClient<RelayServiceServer>, "fetchModels">;
}) {
  const { store, keyRing, relay } = deps;
  /** A stored key is sent to the stored address only, whatever else the request contains. */
  const readStored = async (id: number): Promise<Account> => {
    const { type, baseUrl, keys, other, setting } = await store.get(id);
    const [key = ""] = keyRing.open([...keysInUse(keys), ...keys].slice(0, 1));
    return { type, baseUrl, key, other, proxy: readChannelSetting(setting).proxy };
  };
  return {
    /** The distinct names. Throws fetch_models_failed, unavailable, or the account's validation error. */
    async fetch(request: FetchModelsRequest, requestId: string): Promise<string[]> {
      const account = request.id > 0 ? await readStored(request.id) : readAccount(request);
      const { models } = await relay.fetchModels(account, { requestId, timeoutMs: FETCH_TIMEOUT_MS });
      return [...new Set(models)];
    },
  };
}
