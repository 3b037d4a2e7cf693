import { allocateIds } from "@turnpike/shared/mongo/mongo";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Connection, mongo } from "mongoose";
import { toSubstringPattern, type PageRange, QUERY_TIMEOUT_MS } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { TokenDoc } from "../store/documents.ts";
import type { TokenForm } from "./token-form.ts";

export type TokenStore = ReturnType<typeof createTokenStore>;
export type NewToken = Omit<TokenForm, "remaining"> &
  Pick<TokenDoc, "userId" | "keyBox" | "keyHash" | "status" | "createdAt" | "budget" | "changedAtMs" | "periodEndsAt">;
export type EditedToken = TokenForm & { readonly periodEndsAt: number };

/** User input may look like pipeline operators; this keeps it literal. */
const literally = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));

const notFound = (id: number): AppError => new AppError("token_not_found", `no token ${id}`);
const bounded = { maxTimeMS: QUERY_TIMEOUT_MS };

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
  return {
    findByHash: async (keyHash: string): Promise<TokenDoc | undefined> =>
      (await tokens.findOne({ keyHash, deletedAt: 0 }, bounded)) ?? undefined,
    /** A user's own token; throws token_not_found, also for another user's token. */
    async get(userId: number, id: number): Promise<TokenDoc> {
      const token = await tokens.findOne({ _id: id, userId, deletedAt: 0 }, bounded);
      if (!token) throw notFound(id);
      return token;
    },
    count: (userId: number): Promise<number> => tokens.countDocuments({ userId, deletedAt: 0 }, bounded),
    /** One page of a user's tokens, newest first, and the total number; filtered by name when there is a keyword. */
    async list(userId: number, keyword: string, range: PageRange): Promise<{ items: TokenDoc[]; total: number }> {
      const which = { userId, deletedAt: 0, ...(keyword === "" ? {} : { name: toSubstringPattern(keyword) }) };
      const [items, total] = await Promise.all([
        tokens.find(which, bounded).sort({ _id: -1 }).skip(range.skip).limit(range.limit).toArray(),
        tokens.countDocuments(which, bounded),
      ]);
      return { items, total };
    },
    async insert(token: NewToken): Promise<TokenDoc> {
      const _id = await allocateIds(connection, "tokens");
      const doc: TokenDoc = { _id, ...token, accessedAt: 0, spent: 0, rev: 1, deletedAt: 0 };
      await tokens.insertOne(doc);
      return doc;
    },
    /** Writes the form; sets the budget so that `remaining` is left, whatever is posted at this moment. */
    edit(userId: number, id: number, { remaining, ...form }: EditedToken, nowMs: number): Promise<TokenDoc> {
      const set = {
        ...literally(form),
        budget: { $add: [remaining, "$spent"] },
        rev: { $add: ["$rev", 1] },
        changedAtMs: nowMs,
      };
      return update({ _id: id, userId, deletedAt: 0 }, [{ $set: set }], id);
    },
    /** Changes the status of the user's own token. */
    setStatus: (userId: number, id: number, status: number): Promise<TokenDoc> =>
      update({ _id: id, userId, deletedAt: 0 }, { $set: { status } }, id),
    /** Deletes a token and its key; the row stays with its spend. */
    remove: (userId: number, id: number, nowSeconds: number): Promise<TokenDoc> =>
      update({ _id: id, userId, deletedAt: 0 }, { $set: { deletedAt: nowSeconds, keyBox: "" } }, id),
  };
}
