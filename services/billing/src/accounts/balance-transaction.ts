import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import { retryOnDuplicateKey } from "./account-credit.ts";

type Deps = { readonly connection: Connection; readonly runExclusive: KeyedMutex };

/**
 * The lock of an account. Transactions on one hot row that begin together abort and retry each other, the more so the more there are;
 * those of one process run in order instead.
 */
export const getAccountLock = (userId: number): string => `account:${userId}`;

/**
 * Changes the balance of one account: under its lock, in one transaction, and once more when another replica wrote the same row
 * meanwhile.
 */
export const runBalanceTransaction = <Result>(
  { connection, runExclusive }: Deps,
  userId: number,
  run: (session: ClientSession) => Promise<Result>,
): Promise<Result> =>
  runExclusive(getAccountLock(userId), () => retryOnDuplicateKey(() => inTransaction(connection, run)));
