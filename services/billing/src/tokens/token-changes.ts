import { isGroupUsable, type OptionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { findGroupRatio } from "@turnpike/contract/pricing/price-tables";
import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/dollars";
import {
  type CreateTokenRequest,
  type Token,
  TokenInput,
  type UpdateTokenRequest,
} from "@turnpike/proto/billing/v1/token_service";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import { tokenChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { AccountChanges } from "../accounts/account-changes.ts";
import type { TokenDoc } from "../store/account-documents.ts";
import { type BudgetPeriod, getPeriodEnd } from "./budget-period.ts";
import { QUOTA_MAX, type TokenForm, readTokenForm } from "./token-form.ts";
import { generateTokenKey, sealTokenKey } from "./token-key.ts";
import { checkRouteCycles } from "./token-model-routes.ts";
import { isExhausted, isExpired } from "./token-status.ts";
import type { QuotaChange, TokenStore } from "./token-store.ts";
import { toToken } from "./token-view.ts";

type Deps = {
  readonly store: TokenStore;
  readonly changes: AccountChanges;
  readonly secretBox: SecretBox;
  readonly hashKey: (key: string) => string;
  readonly bus: Pick<Bus, "notify">;
  /** The effective options; throws `unavailable` while none are known. */
  readonly options: () => OptionsInForce;
  readonly toView: (token: TokenDoc) => Token;
  readonly nowMs: () => number;
  readonly nowSeconds: () => number;
};

/** More tokens than any user needs, few enough to scan. */
export const TOKENS_PER_USER_MAX = 1_000;

/** Tokens that one call moves to another group. */
const MOVED_MAX = 1_000;

/** The token that registration creates: no expiry, unlimited, and its quota if a limit is set later. */
const FIRST_TOKEN = { expiredTime: -1, remainQuota: QUOTA_PER_UNIT_DEFAULT, unlimitedQuota: true };

/** Whether calls of a group have a price. */
const hasRatio = (options: OptionsInForce, group: string, userGroup: string): boolean =>
  findGroupRatio(toPriceTables(options), group, userGroup) !== undefined;

/** Parses the form of a token; throws invalid_input or group_not_usable. */
function readForm(
  { input, userGroup }: Pick<UpdateTokenRequest, "input" | "userGroup">,
  options: OptionsInForce,
): TokenForm {
  if (!input) throw new AppError("invalid_input", "no form", { params: { detail: "input" } });
  const form = readTokenForm(input);
  const isUsable = isGroupUsable(options, userGroup, form.group) && hasRatio(options, form.group, userGroup);
  if (form.group !== "" && !isUsable)
    throw new AppError("group_not_usable", `group ${form.group}`, { params: { group: form.group } });
  return form;
}

/** The change of the remaining quota, in place of the form's figure; undefined where the form sets it. */
function readQuotaChange({ quotaChange, actionId = "" }: UpdateTokenRequest): QuotaChange | undefined {
  if (quotaChange === undefined) return undefined;
  if (!Number.isSafeInteger(quotaChange) || Math.abs(quotaChange) > QUOTA_MAX)
    throw new AppError("invalid_input", "the change is too large", { params: { detail: "quota_change" } });
  return { amount: quotaChange, actionId };
}

function checkStatusChange(token: TokenDoc, status: number, nowSeconds: number): void {
  if (status !== TOKEN_STATUS.enabled && status !== TOKEN_STATUS.disabled)
    throw new AppError("token_status_invalid", `status ${status}`);
  if (status === TOKEN_STATUS.disabled) return;
  if (isExpired(token, nowSeconds)) throw new AppError("token_expired_cannot_enable", `token ${token._id} has expired`);
  if (isExhausted(token)) throw new AppError("token_exhausted_cannot_enable", `token ${token._id} is used up`);
}

/** Moves at most `limit` tokens of a group to one that has a ratio; throws group_unknown. */
const createGroupMove =
  ({ store, options }: Pick<Deps, "store" | "options">, announce: (token: TokenDoc) => void) =>
  async (from: string, to: string, limit: number): Promise<number> => {
    if (!hasRatio(options(), to, "")) throw new AppError("group_unknown", `group ${to}`, { params: { group: to } });
    const moved = await store.moveGroup(from, to, Math.min(Math.max(1, limit), MOVED_MAX));
    moved.forEach(announce);
    return moved.length;
  };

/** Creates, edits and removes a user's tokens; relays are notified of each change. */
export function createTokenChanges(deps: Deps) {
  const { store, options, toView, nowSeconds } = deps;

  const toPeriodEnd = (period: BudgetPeriod | ""): number => (period === "" ? 0 : getPeriodEnd(period, nowSeconds()));
  const announce = ({ _id, userId, keyHash }: TokenDoc): void =>
    deps.bus.notify(tokenChanged, { tokenId: _id, userId, keyHash });
  const create = async (request: CreateTokenRequest, declaredKey = ""): Promise<Token> => {
    const { userId } = request;
    const { remaining, ...form } = readForm(request, options());
    checkRouteCycles(form, options());
    if ((await store.count(userId)) >= TOKENS_PER_USER_MAX) {
      const max = String(TOKENS_PER_USER_MAX);
      throw new AppError("token_limit_reached", `user ${userId} has ${max} tokens`, { params: { max } });
    }
    const key = declaredKey === "" ? generateTokenKey() : declaredKey;
    const token = await store.insert({
      ...form,
      periodEndsAt: toPeriodEnd(form.budgetPeriod),
      userId,
      ...sealTokenKey(key, deps),
      status: TOKEN_STATUS.enabled,
      createdAt: nowSeconds(),
      budget: remaining,
      changedAtMs: deps.nowMs(),
    });
    // A restored token has a budget in the accounts already.
    if (token.rev > 1) await deps.changes.budget(userId, token._id);
    announce(token);
    return toToken(token, key);
  };

  return {
    /** Creates a token, with a key that callers have already or a new one; the key is in the response, and nowhere else where keys are hidden. */
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
    async update(request: UpdateTokenRequest): Promise<Token> {
      const { userId, id, statusOnly } = request;
      if (statusOnly !== undefined) {
        checkStatusChange(await store.get(userId, id), statusOnly, nowSeconds());
        const token = await store.setStatus(userId, id, statusOnly);
        announce(token);
        return toView(token);
      }
      const form = readForm(request, options());
      // Routes that the form leaves out stay as they are.
      checkRouteCycles({ ...(await store.get(userId, id)), ...form }, options());
      const change = readQuotaChange(request);
      const edited = { ...form, periodEndsAt: toPeriodEnd(form.budgetPeriod) };
      const token = await store.edit(userId, id, { ...edited, ...(change && { change }) }, deps.nowMs());
      await deps.changes.budget(userId, id);
      announce(token);
      return toView(token);
    },
    moveGroup: createGroupMove(deps, announce),
    async remove(userId: number, id: number): Promise<void> {
      announce(await store.remove(userId, id, nowSeconds()));
    },
  };
}
