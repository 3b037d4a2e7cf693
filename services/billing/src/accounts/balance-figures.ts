import type { Collections } from "../store/collections.ts";
import type { AccountDoc, TokenDoc } from "../store/account-documents.ts";

export type AccountFigures = Pick<AccountDoc, "credits" | "rev" | "spent" | "lowered">;
export type TokenFigures = Pick<TokenDoc, "_id" | "userId" | "budget" | "rev" | "spent" | "lowered">;

const READ_TIMEOUT_MS = 5_000;
const ACCOUNT = { projection: { credits: 1, rev: 1, spent: 1, lowered: 1 }, maxTimeMS: READ_TIMEOUT_MS };
const TOKEN = { projection: { userId: 1, budget: 1, rev: 1, spent: 1, lowered: 1 }, maxTimeMS: READ_TIMEOUT_MS };
/** Queries the other members first: a primary that was replaced and has not noticed would return older figures. */
const LATEST = { readConcern: { level: "linearizable" } } as const;

/** Reads the figures of accounts and tokens that Redis also has, by id. */
export function createBalanceFigures({ accounts, tokens }: Pick<Collections, "accounts" | "tokens">) {
  const readAccounts = async (userIds: readonly number[]): Promise<Map<number, AccountFigures>> => {
    const docs = await accounts.find({ _id: { $in: [...userIds] } }, ACCOUNT).toArray();
    return new Map(docs.map((doc) => [doc._id, doc]));
  };
  const readTokens = async (ids: readonly number[]): Promise<Map<number, TokenFigures>> => {
    if (ids.length === 0) return new Map();
    const docs = await tokens.find({ _id: { $in: [...ids] } }, TOKEN).toArray();
    return new Map(docs.map((doc) => [doc._id, doc]));
  };
  return {
    readAccounts,
    readTokens,
    /** The latest figures of one account; for an account that Redis does not have. */
    readAccount: (userId: number): Promise<AccountFigures | null> =>
      accounts.findOne({ _id: userId }, { ...ACCOUNT, ...LATEST }),
    readToken: (id: number): Promise<TokenFigures | null> => tokens.findOne({ _id: id }, { ...TOKEN, ...LATEST }),
  };
}
