import { REDEMPTION_STATUS } from "@turnpike/contract/api/redemption";
import { LOG_TYPE } from "@turnpike/contract/codes";
import { dropInvisible } from "@turnpike/contract/texts/typed-text";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RedeemRequest } from "@turnpike/proto/billing/v1/redemption_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { AccountChanges } from "../accounts/account-changes.ts";
import { type CreditAccount, retryOnDuplicateKey } from "../accounts/account-credit.ts";
import type { Rebates } from "../accounts/rebates.ts";
import type { Inviter } from "../auth-client/users.ts";
import { formatQuota } from "../accounts/log-amounts.ts";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { getAccountLock } from "../accounts/balance-transaction.ts";
import type { EventLog } from "../logs/event-log.ts";
import type { RedemptionDoc } from "../store/payment-documents.ts";
import type { RedemptionStore } from "./redemption-store.ts";
import type { RedemptionLimit } from "./redemption-limit.ts";

type Deps = {
  readonly connection: Connection;
  readonly store: RedemptionStore;
  readonly credit: CreditAccount;
  readonly changes: AccountChanges;
  readonly runExclusive: KeyedMutex;
  readonly eventLog: EventLog;
  readonly limit: RedemptionLimit;
  readonly rebates: Rebates;
  readonly options: () => OptionsInForce;
  readonly nowSeconds: () => number;
};

export type RedeemCode = ReturnType<typeof createCodeRedemption>;

/** Throws why a code cannot be used now; the user's own earlier uses are checked separately. */
export function checkRedeemable(code: RedemptionDoc, nowSeconds: number): void {
  const refuse = (
    reason: "redemption_invalid" | "redemption_used" | "redemption_exhausted" | "redemption_not_valid_now",
  ) => new AppError(reason, `code ${code._id} cannot be redeemed`);
  if (code.status === REDEMPTION_STATUS.disabled) throw refuse("redemption_invalid");
  if (code.status === REDEMPTION_STATUS.used) throw refuse(code.isGift ? "redemption_exhausted" : "redemption_used");
  if (code.maxUses !== -1 && code.usedCount >= code.maxUses) throw refuse("redemption_exhausted");
  const isEarly = code.validFrom > 0 && nowSeconds < code.validFrom;
  const isLate = code.validUntil > 0 && nowSeconds > code.validUntil;
  if (isEarly || isLate) throw refuse("redemption_not_valid_now");
}

/**
 * Credits a code's quota to a user: the use, the ledger entry, the balance and the log row in one transaction, so that
 * a code counts exactly once however many users enter it concurrently. Throws the reason when it cannot be used.
 */
export function createCodeRedemption(deps: Deps) {
  const { connection, store } = deps;

  /** Pasted codes carry invisible characters; an administrator may have chosen a key with some before they were dropped. */
  const findCode = async (typed: string, session?: ClientSession): Promise<RedemptionDoc | undefined> => {
    const key = dropInvisible(typed);
    const found = await store.findByKey(key, session);
    return found ?? (key === typed.trim() ? undefined : store.findByKey(typed.trim(), session));
  };
  const checkCode = async ({ key, userId }: RedeemRequest, session?: ClientSession): Promise<RedemptionDoc> => {
    const code = await findCode(key, session);
    if (!code) throw new AppError("redemption_invalid", "no such code");
    if (await store.hasUsed(code._id, userId, session))
      throw new AppError("redemption_used", `user ${userId} has used code ${code._id}`);
    checkRedeemable(code, deps.nowSeconds());
    return code;
  };
  const redeemWithin = async (
    request: RedeemRequest,
    { rowId, inviter }: { rowId: number; inviter: Inviter | undefined },
    session: ClientSession,
  ): Promise<RedemptionDoc> => {
    const { userId, username, address } = request;
    const code = await checkCode(request, session);
    await store.use(code, userId, deps.nowSeconds(), session);
    const id = `redemption:${code._id}:${userId}`;
    const reason = `通过${code.isGift ? "礼品码" : "兑换码"}充值 ${formatQuota(code.quota, deps.options())}，兑换码ID ${code._id}`;
    await deps.credit({ id, userId, kind: "redemption", amount: code.quota, reason }, session);
    const event = { type: LOG_TYPE.topUp, userId, username, quota: code.quota, content: reason, clientIp: address };
    await deps.eventLog.write(rowId, event, session);
    const cause = { id, quota: code.quota, payerName: username, inviter, rowId: rowId + 1 };
    await deps.rebates.give(cause, session);
    return code;
  };
  return async function redeem(request: RedeemRequest): Promise<{ quota: number; isGift: boolean }> {
    const { userId, key } = request;
    if (dropInvisible(key) === "") throw new AppError("redemption_required", "no code");
    const attempt = await deps.limit.count(request);
    try {
      const inviter = await deps.rebates.findInviter(userId);
      const transact = async (): Promise<RedemptionDoc> => {
        // Late requests for an exhausted code are refused without a transaction; another replica may still win the use
        // below.
        await checkCode(request);
        // The second number is for the rebate's row.
        const rowId = await deps.eventLog.takeId(2);
        return retryOnDuplicateKey(() =>
          inTransaction(connection, (session) => redeemWithin(request, { rowId, inviter }, session)),
        );
      };
      // Lock order: first the code, then the account, so that no deadlock occurs.
      const code = await deps.runExclusive(`code:${dropInvisible(key)}`, () =>
        deps.runExclusive(getAccountLock(userId), transact),
      );
      await attempt.undo();
      await deps.changes.account(userId);
      if (inviter) await deps.changes.account(inviter.id);
      return { quota: code.quota, isGift: code.isGift };
    } catch (error) {
      if (!(error instanceof AppError && error.code === "redemption_invalid")) await attempt.undo();
      throw error;
    }
  };
}
