import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { TOKEN_STATUS } from "@turnpike/contract/codes";
import type { ListTokensRequest, Token } from "@turnpike/proto/billing/v1/token_service";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { KeyHashes } from "@turnpike/shared/crypto/token-key-hash";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Bus } from "@turnpike/shared/events/bus";
import type { AccountChanges } from "../accounts/account-changes.ts";
import { toPageRange } from "../store/query.ts";
import { createTokenChanges, TOKENS_PER_USER_MAX } from "./token-changes.ts";
import { createTokenKeySearch } from "./token-key-search.ts";
import { isExhausted, isExpired, type TokenStatusUpdater } from "./token-status.ts";
import type { TokenDoc } from "../store/account-documents.ts";
import type { TokenStore } from "./token-store.ts";
import { createTokenView, toToken } from "./token-view.ts";

type Deps = {
  readonly store: TokenStore;
  readonly statuses: TokenStatusUpdater;
  readonly changes: AccountChanges;
  readonly secretBox: SecretBox;
  readonly hashKey: (key: string) => string;
  readonly bus: Bus;
  /** The effective options; throws `unavailable` while none are known. */
  readonly options: () => OptionsInForce;
  readonly nowMs: () => number;
};

export type TokenService = ReturnType<typeof createTokenService>;

/** A user's tokens, and the token of a call's key. */
export function createTokenService(deps: Deps) {
  const { store } = deps;
  const nowSeconds = (): number => Math.floor(deps.nowMs() / 1000);
  const toView = createTokenView({ ...deps, nowSeconds });
  const filterByKey = createTokenKeySearch(deps);
  const isDue = (token: TokenDoc): boolean =>
    token.status === TOKEN_STATUS.enabled && (isExpired(token, nowSeconds()) || isExhausted(token));
  return {
    ...createTokenChanges({ ...deps, toView, nowSeconds }),
    async list(request: ListTokensRequest): Promise<{ items: Token[]; total: number }> {
      const { userId } = request;
      const range = toPageRange(request, 0);
      const keyword = request.keyword.trim();
      if (request.token.trim() === "") {
        const { items, total } = await store.list(userId, keyword, range);
        return { items: items.map(toView), total };
      }
      const all = await store.list(userId, keyword, { skip: 0, limit: TOKENS_PER_USER_MAX });
      const found = filterByKey(all.items, request.token);
      return { items: found.slice(range.skip, range.skip + range.limit).map(toView), total: found.length };
    },
    countOfGroup: store.countOfGroup,
    get: async (userId: number, id: number): Promise<Token> => toView(await store.get(userId, id)),
    /**
     * The token of a key, for the relay; throws token_not_found. An expired or exhausted one is returned with that
     * status.
     */
    async resolve(hashes: KeyHashes): Promise<Token> {
      const token = await store.findByKey(hashes);
      if (!token) throw new AppError("token_not_found", "no token of this key");
      if (!isDue(token)) return toToken(token, "");
      await deps.statuses.settle([token._id]);
      return toToken((await store.findByKey(hashes)) ?? token, "");
    },
    /** The user's tokens of a name, for the relay: at most two, without keys, each with the status that applies now. */
    async findByName(userId: number, name: string): Promise<Token[]> {
      const found = await store.findByName(userId, name);
      const due = found.filter(isDue);
      if (due.length === 0) return found.map((token) => toToken(token, ""));
      await deps.statuses.settle(due.map(({ _id }) => _id));
      return (await store.findByName(userId, name)).map((token) => toToken(token, ""));
    },
  };
}
