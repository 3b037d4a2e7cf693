import { retry } from "@turnpike/shared/concurrency/retry";
import { AppError } from "@turnpike/shared/errors/app-error";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { AccountDoc, LedgerDoc } from "../store/account-documents.ts";

export type Credit = {
  /** Derived from the event, so that a repeat is detected: `redemption:<code>:<user>` and the like. */
  readonly id: string;
  readonly userId: number;
  readonly kind: string;
  readonly amount: number;
  readonly reason: string;
};

type Deps = { readonly collections: Collections; readonly nowMs: () => number };

export type CreditAccount = ReturnType<typeof createAccountCredit>;

/**
 * Adds a credit (or a debit, below 0) to an account within the caller's transaction: the account and its ledger entry
 * change atomically. Returns the entry; for an existing id, the old entry, with nothing changed. Throws invalid_input if the
 * credits would exceed what is exact in MongoDB, Redis and JSON (2^53 − 1); the transaction then changes nothing.
 */
export function createAccountCredit({ collections, nowMs }: Deps) {
  const { accounts, ledger } = collections;
  return async function credit(
    { id, userId, kind, amount, reason }: Credit,
    session: ClientSession,
  ): Promise<{ entry: LedgerDoc; isNew: boolean }> {
    const known = await ledger.findOne({ _id: id }, { session });
    if (known) return { entry: known, isNew: false };
    const account = await accounts.findOneAndUpdate(
      { _id: userId },
      {
        $inc: { credits: amount, balance: amount, rev: 1 },
        $set: { changedAtMs: nowMs() },
        $setOnInsert: { spent: 0, requestCount: 0 },
      },
      { session, upsert: true, returnDocument: "after" },
    );
    if (!account) throw new Error(`no account ${userId} after an upsert`);
    if (!Number.isSafeInteger(account.credits)) throw creditsTooLarge(userId);
    const entry: LedgerDoc = {
      _id: id,
      userId,
      kind,
      amount,
      creditsAfter: account.credits,
      quotaAfter: getQuota(account),
      reason,
      createdAtMs: nowMs(),
    };
    await ledger.insertOne(entry, { session });
    return { entry, isNew: true };
  };
}

const creditsTooLarge = (userId: number): AppError =>
  new AppError("invalid_input", `the credits of user ${userId} would exceed ${Number.MAX_SAFE_INTEGER}`, {
    params: { detail: "amount" },
  });

const ATTEMPTS_MAX = 5;
const BACKOFF = { firstMs: 2, maxMs: 20 };

/** Runs a crediting step; two that create the same row concurrently collide, and the second retries. */
export const retryOnDuplicateKey = <Result>(run: () => Promise<Result>): Promise<Result> =>
  retry(run, { backoff: BACKOFF, attemptsMax: ATTEMPTS_MAX, isRetryable: isDuplicateKey });

export const getQuota = (account: Pick<AccountDoc, "credits" | "spent">): number => account.credits - account.spent;
