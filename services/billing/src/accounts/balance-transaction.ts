import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import { accountTurn, type KeyedTurns } from "../edge/keyed-turns.ts";
import { retryOnDuplicateKey } from "./account-credit.ts";

type Deps = { readonly connection: Connection; readonly inTurn: KeyedTurns };

/** Moves money of one account: in its turn, in one transaction, and once more where another replica made the same row meanwhile. */
export const runBalanceTransaction = <Result>(
  { connection, inTurn }: Deps,
  userId: number,
  step: (session: ClientSession) => Promise<Result>,
): Promise<Result> => inTurn(accountTurn(userId), () => retryOnDuplicateKey(() => inTransaction(connection, step)));
