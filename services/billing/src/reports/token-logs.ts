import { TOKEN_KEY_PREFIX } from "@turnpike/contract/limits";
import { getKeyHashes, isOwnKey } from "@turnpike/shared/crypto/token-key-hash";
import type { LogRow } from "@turnpike/proto/billing/v1/log_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";
import { ANY_LOG } from "../logs/log-filter.ts";
import type { Collections } from "../store/collections.ts";
import type { ScanLogs } from "./log-scan.ts";

export type ListTokenLogs = ReturnType<typeof createTokenLogs>;

const ROWS_MAX = 1_000;

/** The newest rows of a user's token by its key; throws token_not_found, also for another user's key. */
export function createTokenLogs(deps: {
  collections: Pick<Collections, "tokens">;
  hashKey: (key: string) => string;
  scan: ScanLogs;
}) {
  return async function listTokenLogs(key: string, userId: number): Promise<readonly LogRow[]> {
    const bare = key.startsWith(TOKEN_KEY_PREFIX) ? key.slice(TOKEN_KEY_PREFIX.length) : key;
    const { own, foreign } = getKeyHashes(deps.hashKey, isOwnKey(bare) ? bare : key);
    const query = { keyHash: { $in: [own, foreign] }, userId, deletedAt: 0 };
    const token = await deps.collections.tokens.findOne(query, { maxTimeMS: QUERY_TIMEOUT_MS });
    if (!token) throw new AppError("token_not_found", "no such key of this user");
    return (await deps.scan({ ...ANY_LOG, userId, tokenId: token._id }, undefined, ROWS_MAX)).items;
  };
}
