import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { LOG_TYPE } from "@turnpike/contract/codes";
import type { OpenAccountRequest, SetQuotaRequest } from "@turnpike/proto/billing/v1/account_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { RecordAudit } from "@turnpike/shared/audit/audit-recorder";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import type { EventLog } from "../logs/event-log.ts";
import type { Collections } from "../store/collections.ts";
import type { AccountDoc } from "../store/account-documents.ts";
import type { AccountChanges } from "./account-changes.ts";
import { type CreditAccount, retryOnDuplicateKey, getQuota } from "./account-credit.ts";
import { runBalanceTransaction } from "./balance-transaction.ts";
import { formatQuota } from "./log-amounts.ts";

type Deps = {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly credit: CreditAccount;
  readonly changes: AccountChanges;
  readonly runExclusive: KeyedMutex;
  readonly eventLog: EventLog;
  readonly audit: RecordAudit;
  readonly options: () => OptionsInForce;
  /** A user's name for the log; "" when it cannot be read. */
  readonly getUsername: (userId: number) => Promise<string>;
};

export type AccountService = ReturnType<typeof createAccountService>;

const OPENING_KINDS = ["gift", "admin"];
/** Far above any real balance, and far below the largest safe integer. */
const QUOTA_MAX = 1e15;
const NOTE_LENGTH_MAX = 200;

function checkAmount(quota: number): void {
  if (!Number.isSafeInteger(quota) || quota < 0 || quota > QUOTA_MAX)
    throw new AppError("invalid_input", `quota ${quota}`, { params: { detail: "quota" } });
}

async function findAccount(
  { accounts }: Pick<Collections, "accounts">,
  userId: number,
  session?: ClientSession,
): Promise<AccountDoc> {
  const account = await accounts.findOne({ _id: userId }, session ? { session } : {});
  if (!account) throw new AppError("account_not_found", `no account of user ${userId}`);
  return account;
}

/** Opens accounts, with or without an initial credit; a repeat changes nothing. */
function createAccountOpening(deps: Deps) {
  const { connection, collections, credit, eventLog, changes } = deps;
  const { accounts, ledger } = collections;

  const openEmpty = (userId: number): Promise<unknown> =>
    accounts.updateOne(
      { _id: userId },
      { $setOnInsert: { credits: 0, spent: 0, balance: 0, requestCount: 0, rev: 0, changedAtMs: 0 } },
      { upsert: true },
    );
  const openWithCredit = async (request: OpenAccountRequest): Promise<void> => {
    const { userId, credit: amount, kind, reason } = request;
    const id = `gift:open:${userId}`;
    if (await ledger.findOne({ _id: id })) return;
    const [rowId, username] = await Promise.all([eventLog.takeId(), deps.getUsername(userId)]);
    const row = { type: LOG_TYPE.system, userId, username, quota: amount, clientIp: "" };
    const content = `${reason === "" ? "新用户注册赠送" : reason} ${formatQuota(amount, deps.options())}`;
    await inTransaction(connection, async (session) => {
      const { isNew } = await credit({ id, userId, kind, amount, reason }, session);
      if (isNew) await eventLog.write(rowId, { ...row, content }, session);
    });
    await changes.account(userId);
  };
  return async function open(request: OpenAccountRequest): Promise<AccountDoc> {
    const { userId, credit: amount, kind } = request;
    checkAmount(amount);
    if (userId <= 0) throw new AppError("invalid_input", "no user", { params: { detail: "user_id" } });
    if (!OPENING_KINDS.includes(kind))
      throw new AppError("invalid_input", `kind ${kind}`, { params: { detail: "kind" } });
    await retryOnDuplicateKey(() => (amount === 0 ? openEmpty(userId) : openWithCredit(request)));
    return findAccount(collections, userId);
  };
}

/** The sentence of the ledger and the log, which the user reads. */
function describeChange(
  { quota, change, note = "" }: SetQuotaRequest,
  before: number,
  options: OptionsInForce,
): string {
  const written = note === "" ? "" : `，备注：${note}`;
  if (change === undefined)
    return `管理员将用户额度从 ${formatQuota(before, options)}修改为 ${formatQuota(quota, options)}${written}`;
  return `管理员${change < 0 ? "扣除" : "增加"}额度 ${formatQuota(Math.abs(change), options)}${written}`;
}

/**
 * Sets balances to a figure, or changes them by one: the difference at commit time is one ledger entry. A repeated action
 * changes nothing.
 */
function createQuotaChange(deps: Deps) {
  const { collections, credit, eventLog, changes } = deps;

  const changeTo = async (request: SetQuotaRequest, rowId: number, session: ClientSession) => {
    const { userId, username, actionId } = request;
    const id = `admin:${actionId}`;
    const before = await findAccount(collections, userId, session);
    const known = await collections.ledger.findOne({ _id: id }, { session });
    if (known) return { account: before, change: known.amount, before: undefined };
    const change = request.change ?? request.quota - getQuota(before);
    if (change === 0) return { account: before, change, before: undefined };
    // What is deducted must be there; a balance below 0 may be raised by any amount.
    if (change < 0 && request.allowNegative !== true) checkAmount(getQuota(before) + change);
    const reason = describeChange(request, getQuota(before), deps.options());
    await credit({ id, userId, kind: "admin", amount: change, reason }, session);
    const event = { type: LOG_TYPE.manage, userId, username, quota: 0, content: reason, clientIp: "" };
    await eventLog.write(rowId, event, session);
    return { account: await findAccount(collections, userId, session), change, before: getQuota(before) };
  };

  return async function setQuota(
    actor: Actor,
    request: SetQuotaRequest,
  ): Promise<{ account: AccountDoc; change: number }> {
    const { userId, quota, actionId, note = "" } = request;
    checkAmount(request.change === undefined ? quota : Math.abs(request.change));
    if (note.length > NOTE_LENGTH_MAX)
      throw new AppError("invalid_input", "note too long", { params: { detail: "note" } });
    if (actionId === "") throw new AppError("invalid_input", "no action id", { params: { detail: "action_id" } });
    const rowId = await eventLog.takeId();
    const { account, change, before } = await runBalanceTransaction(deps, userId, (session) =>
      changeTo(request, rowId, session),
    );
    // Also after a repeat: the first attempt may have crashed between its commit and this point.
    await changes.account(userId);
    if (before !== undefined) {
      const target = `user:${userId}`;
      const after = { quota: before + change, ...(note === "" ? {} : { note }) };
      await deps.audit(actor, { action: "user.quota", target, before: { quota: before }, after });
    }
    return { account, change };
  };
}

/** Balance rules: an account is opened once, and an admin's figure becomes one ledger entry. */
export const createAccountService = (deps: Deps) => ({
  open: createAccountOpening(deps),
  setQuota: createQuotaChange(deps),
});
