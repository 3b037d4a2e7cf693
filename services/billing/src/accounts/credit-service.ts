import { LOG_TYPE } from "@turnpike/contract/codes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { AddCreditRequest } from "@turnpike/proto/billing/v1/credit_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { getAccountLock } from "./balance-transaction.ts";
import type { EventLog } from "../logs/event-log.ts";
import type { Collections } from "../store/collections.ts";
import type { LedgerDoc } from "../store/account-documents.ts";
import type { AccountChanges } from "./account-changes.ts";
import { type CreditAccount, retryOnDuplicateKey, getQuota } from "./account-credit.ts";
import { formatQuota } from "./log-amounts.ts";

type Deps = {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly credit: CreditAccount;
  readonly changes: AccountChanges;
  readonly runExclusive: KeyedMutex;
  readonly eventLog: EventLog;
  readonly options: () => OptionsInForce;
  /** A user's name for the log; "" when it cannot be read. */
  readonly getUsername: (userId: number) => Promise<string>;
};

export type CreditService = ReturnType<typeof createCreditService>;

/**
 * Each kind's name in the ledger, and its row in the user's log; a transfer adds no row because it only moves logged
 * earnings.
 */
const KINDS: Readonly<Record<string, { readonly ledger: string; readonly logType?: number }>> = {
  gift: { ledger: "gift", logType: LOG_TYPE.system },
  "check-in": { ledger: "check_in", logType: LOG_TYPE.checkIn },
  invitation: { ledger: "invitation", logType: LOG_TYPE.system },
  rebate: { ledger: "rebate", logType: LOG_TYPE.system },
  transfer: { ledger: "transfer" },
};
const AMOUNT_MAX = 1e15;
const REFERENCE = /^[\w:.@-]{1,128}$/;
const REASON_LENGTH_MAX = 500;

const invalid = (detail: string): AppError =>
  new AppError("invalid_input", `invalid ${detail}`, { params: { detail } });

function readKind({ reference, userId, kind, amount, reason }: AddCreditRequest) {
  if (!REFERENCE.test(reference)) throw invalid("reference");
  if (!Number.isSafeInteger(userId) || userId <= 0) throw invalid("user_id");
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > AMOUNT_MAX) throw invalid("amount");
  if (reason.length > REASON_LENGTH_MAX) throw invalid("reason");
  const found = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!found) throw invalid("kind");
  return found;
}

/**
 * Credits that other services grant. The entry, the balance and the log row are one transaction; a reference that is
 * already posted changes nothing, whatever amount the repeat names. Throws invalid_input when the reference belongs to
 * another user or purpose.
 */
export function createCreditService(deps: Deps) {
  const { connection, eventLog } = deps;
  const { accounts, ledger } = deps.collections;

  const checkSame = (entry: Pick<LedgerDoc, "userId" | "kind">, userId: number, kind: string): void => {
    if (entry.userId !== userId || entry.kind !== kind) throw invalid("reference");
  };
  const isKnown = async (reference: string, userId: number, kind: string): Promise<boolean> => {
    const entry = await ledger.findOne({ _id: reference });
    if (entry) checkSame(entry, userId, kind);
    return entry !== null;
  };
  const post = async (request: AddCreditRequest, logType: number | undefined, kind: string): Promise<boolean> => {
    const { reference: id, userId, amount, reason } = request;
    // Repeats arrive in bursts: most of them are detected without a transaction.
    if (await isKnown(id, userId, kind)) return false;
    const [rowId, username] = await Promise.all([logType ? eventLog.takeId() : 0, deps.getUsername(userId)]);
    const content = `${reason} ${formatQuota(amount, deps.options())}`.trim();
    const write = async (session: ClientSession): Promise<boolean> => {
      const { entry, isNew } = await deps.credit({ id, userId, kind, amount, reason }, session);
      checkSame(entry, userId, kind);
      if (isNew && logType)
        await eventLog.write(rowId, { type: logType, userId, username, quota: amount, content, clientIp: "" }, session);
      return isNew;
    };
    return retryOnDuplicateKey(() => inTransaction(connection, write));
  };
  return async function addCredit(request: AddCreditRequest): Promise<{ applied: boolean; quota: number }> {
    const { ledger: kind, logType } = readKind(request);
    const { userId } = request;
    const applied = await deps.runExclusive(getAccountLock(userId), () => post(request, logType, kind));
    // Also after a repeat: the first attempt may have crashed between its commit and this point.
    await deps.changes.account(userId);
    const account = await accounts.findOne({ _id: userId });
    return { applied, quota: account ? getQuota(account) : 0 };
  };
}
