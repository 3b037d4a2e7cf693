import { isGroupUsable } from "@turnpike/contract/options/options-in-force";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { TOKEN_STATUS } from "@turnpike/contract/limits";
import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/price-unit";
import {
  type CreateTokenRequest,
  type ListTokensRequest,
  type Token,
  TokenInput,
  type UpdateTokenRequest,
} from "@turnpike/proto/billing/v1/token_service";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import { tokenChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { AccountChanges } from "../accounts/account-changes.ts";
import { toPageRange } from "../store/query.ts";
import type { TokenDoc } from "../store/documents.ts";
import { type BudgetPeriod, getPeriodEnd } from "./budget-period.ts";
import { type TokenForm, readTokenForm } from "./token-form.ts";
import { generateTokenKey, toKeySearchText, parseTokenKey } from "./token-key.ts";
import { isExhausted, isExpired, getEffectiveStatus, type TokenStatusUpdater } from "./token-status.ts";
import type { TokenStore } from "./token-store.ts";

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

/** More tokens than any user needs, few enough to scan. */
const TOKENS_PER_USER_MAX = 1_000;

/** The token that registration creates: no expiry, unlimited, and its quota if a limit is set later. */
const FIRST_TOKEN = { expiredTime: -1, remainQuota: QUOTA_PER_UNIT_DEFAULT, unlimitedQuota: true };

/** A token as the service returns it; the key only where it is revealed. */
export const toToken = (doc: TokenDoc, key: string): Token => ({
  id: doc._id,
  userId: doc.userId,
  key,
  name: doc.name,
  status: doc.status,
  createdTime: doc.createdAt,
  accessedTime: doc.accessedAt,
  expiredTime: doc.expiresAt,
  remainQuota: doc.budget - doc.spent,
  unlimitedQuota: doc.unlimited,
  usedQuota: doc.spent,
  modelLimitsEnabled: doc.modelLimitsEnabled,
  modelLimits: doc.modelLimits,
  allowIps: doc.allowIps,
  group: doc.group,
  rateLimitEnabled: doc.rateLimitEnabled,
  rateLimitPeriod: doc.rateLimitPeriod,
  rateLimitCount: doc.rateLimitCount,
  rateLimitSuccess: doc.rateLimitSuccess,
  budgetPeriod: doc.budgetPeriod ?? "",
  periodQuota: doc.periodQuota ?? 0,
  budgetResetsAt: doc.periodEndsAt ?? 0,
  tokensPerMinute: doc.tokensPerMinute ?? 0,
  concurrentCalls: doc.concurrentCalls ?? 0,
  responseCache: doc.responseCache ?? false,
});

function checkStatusChange(token: TokenDoc, status: number, nowSeconds: number): void {
  if (status !== TOKEN_STATUS.enabled && status !== TOKEN_STATUS.disabled)
    throw new AppError("token_status_invalid", `status ${status}`);
  if (status === TOKEN_STATUS.disabled) return;
  if (isExpired(token, nowSeconds)) throw new AppError("token_expired_cannot_enable", `token ${token._id} has expired`);
  if (isExhausted(token)) throw new AppError("token_exhausted_cannot_enable", `token ${token._id} is used up`);
}

/** Token rules: allowed groups, enabling and disabling, and who sees keys. */
export function createTokenService(deps: Deps) {
  const { store, secretBox, options } = deps;
  const nowSeconds = (): number => Math.floor(deps.nowMs() / 1000);

  const endOf = (period: BudgetPeriod | ""): number => (period === "" ? 0 : getPeriodEnd(period, nowSeconds()));
  const shown = (token: TokenDoc): Token => ({
    ...toToken(token, options().flag("TokenKeysHidden") ? "" : secretBox.open(token.keyBox)),
    status: getEffectiveStatus(token, nowSeconds()),
  });
  const tell = ({ _id, userId, keyHash }: TokenDoc): void =>
    deps.bus.notify(tokenChanged, { tokenId: _id, userId, keyHash });
  const readForm = (input: UpdateTokenRequest["input"], userGroup: string): TokenForm => {
    if (!input) throw new AppError("invalid_input", "no form", { params: { detail: "input" } });
    const form = readTokenForm(input);
    if (form.group !== "" && !isGroupUsable(options(), userGroup, form.group))
      throw new AppError("group_not_usable", `group ${form.group}`, { params: { group: form.group } });
    return form;
  };
  /** Keys are encrypted, so a search for a part of one decrypts them all; a user has few enough. */
  const findByKeyPart = async (userId: number, keyword: string, text: string): Promise<TokenDoc[]> => {
    const { items } = await store.list(userId, keyword, { skip: 0, limit: TOKENS_PER_USER_MAX });
    const whole = parseTokenKey(text.trim());
    if (whole !== undefined) {
      const keyHash = deps.hashKey(whole);
      return items.filter((token) => token.keyHash === keyHash);
    }
    // Where keys are hidden, a substring search must not reveal them character by character.
    if (options().flag("TokenKeysHidden")) return [];
    const part = toKeySearchText(text);
    return items.filter((token) => secretBox.open(token.keyBox).includes(part));
  };

  const create = async ({ userId, userGroup, input }: CreateTokenRequest): Promise<Token> => {
    const { remaining, ...form } = readForm(input, userGroup);
    if ((await store.count(userId)) >= TOKENS_PER_USER_MAX) {
      const max = String(TOKENS_PER_USER_MAX);
      throw new AppError("token_limit_reached", `user ${userId} has ${max} tokens`, { params: { max } });
    }
    const key = generateTokenKey();
    const token = await store.insert({
      ...form,
      periodEndsAt: endOf(form.budgetPeriod),
      userId,
      keyBox: secretBox.seal(key),
      keyHash: deps.hashKey(key),
      status: TOKEN_STATUS.enabled,
      createdAt: nowSeconds(),
      budget: remaining,
      changedAtMs: deps.nowMs(),
    });
    tell(token);
    return toToken(token, key);
  };

  return {
    async list(request: ListTokensRequest): Promise<{ items: Token[]; total: number }> {
      const { userId } = request;
      const range = toPageRange(request, 0);
      const keyword = request.keyword.trim();
      if (request.token.trim() === "") {
        const { items, total } = await store.list(userId, keyword, range);
        return { items: items.map(shown), total };
      }
      const found = await findByKeyPart(userId, keyword, request.token);
      const items = found.slice(range.skip, range.skip + range.limit).map(shown);
      return { items, total: found.length };
    },
    get: async (userId: number, id: number): Promise<Token> => shown(await store.get(userId, id)),
    /** Creates a token; its key is in the response, and nowhere else where keys are hidden. */
    create,
    /**
     * Creates a user's first token: unlimited and without expiry. A user who has a token gets none, so that a repeat
     * changes nothing.
     */
    async giveFirst(userId: number, name: string): Promise<void> {
      if ((await store.count(userId)) > 0) return;
      const input = TokenInput.fromPartial({ ...FIRST_TOKEN, name });
      await create({ userId, userGroup: "", input });
    },
    /** Edits every user-set field, or only the status. A full edit leaves the status unchanged. */
    async update({ userId, userGroup, id, input, statusOnly }: UpdateTokenRequest): Promise<Token> {
      if (statusOnly !== undefined) {
        checkStatusChange(await store.get(userId, id), statusOnly, nowSeconds());
        const token = await store.setStatus(userId, id, statusOnly);
        tell(token);
        return shown(token);
      }
      const form = readForm(input, userGroup);
      const token = await store.edit(userId, id, { ...form, periodEndsAt: endOf(form.budgetPeriod) }, deps.nowMs());
      await deps.changes.budget(userId, id);
      tell(token);
      return shown(token);
    },
    async remove(userId: number, id: number): Promise<void> {
      tell(await store.remove(userId, id, nowSeconds()));
    },
    /**
     * The token of a key, for the relay; throws token_not_found. An expired or exhausted one is returned with that
     * status.
     */
    async resolve(keyHash: string): Promise<Token> {
      const token = await store.findByHash(keyHash);
      if (!token) throw new AppError("token_not_found", "no token of this key");
      const isDue = token.status === TOKEN_STATUS.enabled && (isExpired(token, nowSeconds()) || isExhausted(token));
      if (!isDue) return toToken(token, "");
      await deps.statuses.settle([token._id]);
      return toToken((await store.findByHash(keyHash)) ?? token, "");
    },
  };
}
