import { allocateIds, isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import type { KeyHashes } from "@turnpike/shared/crypto/token-key-hash";
import { AppError } from "@turnpike/shared/errors/app-error";
import { readSearchPage, SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { Connection, mongo } from "mongoose";
import { toSubstringPattern, type PageRange, QUERY_TIMEOUT_MS } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { TokenDoc } from "../store/account-documents.ts";
import type { TokenForm } from "./token-form.ts";

export type TokenStore = ReturnType<typeof createTokenStore>;
export type NewToken = Omit<TokenForm, "remaining"> &
  Pick<TokenDoc, "userId" | "keyBox" | "keyHash" | "status" | "createdAt" | "budget" | "changedAtMs" | "periodEndsAt">;
/** What is added to a token's remaining quota, once for each action id that is not empty. */
export type QuotaChange = { readonly amount: number; readonly actionId: string };
export type EditedToken = TokenForm & { readonly periodEndsAt: number; readonly change?: QuotaChange };

/** Action ids that are kept of a token: a repeat of an older change is none. */
const ACTIONS_MAX = 20;

/** The budget after a form, which contains the new remainder or the amount to add. */
function toBudget({ remaining, change }: EditedToken): Record<string, unknown> {
  if (!change) return { budget: { $add: [remaining, "$spent"] } };
  const { amount, actionId } = change;
  const changed = { $add: ["$budget", amount] };
  if (actionId === "") return { budget: changed };
  const known = { $ifNull: ["$quotaActions", []] };
  const isKnown = { $in: [{ $literal: actionId }, known] };
  const next = { $slice: [{ $concatArrays: [known, [{ $literal: actionId }]] }, -ACTIONS_MAX] };
  return {
    budget: { $cond: [isKnown, "$budget", changed] },
    quotaActions: { $cond: [isKnown, known, next] },
  };
}

/** What is deducted must be there, unless the token is unlimited or the change was made already. */
function coversChange({ change, unlimited }: EditedToken): mongo.Filter<TokenDoc> {
  if (!change || change.amount >= 0 || unlimited) return {};
  const isLeft = { $expr: { $gte: [{ $add: [{ $subtract: ["$budget", "$spent"] }, change.amount] }, 0] } };
  return change.actionId === "" ? isLeft : { $or: [isLeft, { quotaActions: change.actionId }] };
}

/** User input may look like pipeline operators; this keeps it literal. */
const literally = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));

const notFound = (id: number): AppError => new AppError("token_not_found", `no token ${id}`);
const bounded = { maxTimeMS: QUERY_TIMEOUT_MS };
const searching = { maxTimeMS: SEARCH_TIMEOUT_MS };

/** The steps that find a page of tokens by name, those with exactly this name, in any case, first. */
const toSearch = (which: mongo.Filter<TokenDoc>, keyword: string, range: PageRange): mongo.Document[] => [
  { $match: which },
  { $set: { isExact: { $eq: [{ $toLower: "$name" }, { $toLower: { $literal: keyword } }] } } },
  { $sort: { isExact: -1, _id: -1 } },
  { $skip: range.skip },
  { $limit: range.limit },
  { $unset: "isExact" },
];

/**
 * The user's token that has this key already; a deleted one is restored, with its spend. Throws token_key_taken when another user's
 * token has the key.
 */
async function restore(
  tokens: Collections["tokens"],
  { budget, createdAt: _createdAt, ...token }: NewToken,
): Promise<TokenDoc> {
  const set = {
    ...literally(token),
    budget: { $add: [budget, "$spent"] },
    rev: { $add: ["$rev", 1] },
    deletedAt: 0,
  };
  const { userId, keyHash } = token;
  const live = await tokens.findOne({ userId, keyHash, deletedAt: 0 }, bounded);
  if (live) return live;
  const which = { userId, keyHash, deletedAt: { $gt: 0 } };
  const after = await tokens.findOneAndUpdate(which, [{ $set: set }], { returnDocument: "after", ...bounded });
  if (!after) throw new AppError("token_key_taken", "another token has this key");
  return after;
}

/** The tokens of a group, of all users. */
const createGroupTokens = (tokens: Collections["tokens"]) => ({
  countOfGroup: (group: string): Promise<number> => tokens.countDocuments({ group, deletedAt: 0 }, bounded),
  /** Moves at most `limit` tokens of a group to another one; returns them. */
  async moveGroup(from: string, to: string, limit: number): Promise<TokenDoc[]> {
    const found = await tokens.find({ group: from, deletedAt: 0 }, bounded).limit(limit).toArray();
    const ids = found.map(({ _id }) => _id);
    await tokens.updateMany({ _id: { $in: ids }, group: from }, { $set: { group: to } }, bounded);
    return found;
  },
});

/** The only file that accesses stored tokens. Every read of a user's tokens filters by user id. */
export function createTokenStore({ connection, tokens }: { connection: Connection } & Pick<Collections, "tokens">) {
  const update = async (
    which: mongo.Filter<TokenDoc>,
    change: mongo.UpdateFilter<TokenDoc> | mongo.Document[],
    id: number,
  ): Promise<TokenDoc> => {
    const after = await tokens.findOneAndUpdate(which, change, { returnDocument: "after", ...bounded });
    if (!after) throw notFound(id);
    return after;
  };
  const findByHash = async (keyHash: string): Promise<TokenDoc | null> =>
    keyHash === "" ? null : tokens.findOne({ keyHash, deletedAt: 0 }, bounded);
  return {
    /** A token by its key; one that was imported without its key only if no other has it. */
    findByKey: async ({ own, foreign }: KeyHashes): Promise<TokenDoc | undefined> =>
      (await findByHash(own)) ?? (await findByHash(foreign)) ?? undefined,
    /** The user's tokens of exactly this name, the oldest first, at most two: enough to see that it is not unique. */
    findByName: (userId: number, name: string): Promise<TokenDoc[]> =>
      tokens.find({ userId, deletedAt: 0, name }, bounded).sort({ _id: 1 }).limit(2).toArray(),
    /** A user's own token; throws token_not_found, also for another user's token. */
    async get(userId: number, id: number): Promise<TokenDoc> {
      const token = await tokens.findOne({ _id: id, userId, deletedAt: 0 }, bounded);
      if (!token) throw notFound(id);
      return token;
    },
    count: (userId: number): Promise<number> => tokens.countDocuments({ userId, deletedAt: 0 }, bounded),
    /**
     * One page of a user's tokens, newest first, and the total number. A keyword filters by name; tokens with exactly
     * that name are first.
     */
    async list(userId: number, keyword: string, range: PageRange): Promise<{ items: TokenDoc[]; total: number }> {
      const which = { userId, deletedAt: 0, ...(keyword === "" ? {} : { name: toSubstringPattern(keyword) }) };
      const find = (): Promise<TokenDoc[]> =>
        keyword === ""
          ? tokens.find(which, searching).sort({ _id: -1 }).skip(range.skip).limit(range.limit).toArray()
          : tokens.aggregate<TokenDoc>(toSearch(which, keyword, range), searching).toArray();
      return readSearchPage({ items: find, count: () => tokens.countDocuments(which, searching) }, range);
    },
    async insert(token: NewToken): Promise<TokenDoc> {
      const _id = await allocateIds(connection, "tokens");
      const doc: TokenDoc = { _id, ...token, accessedAt: 0, spent: 0, rev: 1, deletedAt: 0 };
      try {
        await tokens.insertOne(doc);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return restore(tokens, token);
      }
      return doc;
    },
    /**
     * Writes the form; sets the budget so that `remaining` is left, or changes it, whatever is posted at this moment. Throws
     * token_quota_negative where less is left than is deducted.
     */
    async edit(userId: number, id: number, edited: EditedToken, nowMs: number): Promise<TokenDoc> {
      const { remaining: _remaining, change: _change, ...form } = edited;
      const set = { ...literally(form), ...toBudget(edited), rev: { $add: ["$rev", 1] }, changedAtMs: nowMs };
      const which = { _id: id, userId, deletedAt: 0, ...coversChange(edited) };
      const after = await tokens.findOneAndUpdate(which, [{ $set: set }], { returnDocument: "after", ...bounded });
      if (after) return after;
      if (await tokens.findOne({ _id: id, userId, deletedAt: 0 }, bounded))
        throw new AppError("token_quota_negative", `less is left of token ${id} than is deducted`);
      throw notFound(id);
    },
    ...createGroupTokens(tokens),
    /** Changes the status of the user's own token. */
    setStatus: (userId: number, id: number, status: number): Promise<TokenDoc> =>
      update({ _id: id, userId, deletedAt: 0 }, { $set: { status } }, id),
    /** Deletes a token and its key; the row stays with its spend. */
    remove: (userId: number, id: number, nowSeconds: number): Promise<TokenDoc> =>
      update({ _id: id, userId, deletedAt: 0 }, { $set: { deletedAt: nowSeconds, keyBox: "" } }, id),
  };
}
