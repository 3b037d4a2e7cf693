import { ROLE, USER_STATUS } from "@turnpike/contract/codes";
import { AppError } from "@turnpike/shared/errors/app-error";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { type PageRange, readPartedPage, toSubstringPattern, QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import { SEARCH_TIMEOUT_MS, withSearchTimeout } from "@turnpike/shared/mongo/search";
import type { ClientSession, QueryFilter } from "mongoose";
import type { UserDoc, UserModel } from "./user-model.ts";
import { toNameKey } from "./user-input.ts";

/** List filters; "" and 0 match any. Status 3 are deregistered users. */
export type UserFilter = {
  readonly keyword: string;
  readonly group: string;
  readonly role: number;
  readonly status: number;
  /** Only these users, when there are any. */
  readonly ids?: readonly number[];
  /** Below root, e-mail addresses of users of this role or above are not searched. */
  readonly viewerRole: number;
};
/** A write on one user. With `endsSessions` the user's sessions end, except the survivor ("" for none). */
export type UserWrite = {
  readonly set: Partial<Omit<UserDoc, "_id" | "sessionEpoch" | "survivingSessionHash">>;
  readonly endsSessions?: { readonly survivorHash: string } | undefined;
};
export type UserStore = ReturnType<typeof createUserStore>;

const inSession = (session: ClientSession | undefined) => (session === undefined ? {} : { session });

const IDENTITY_FIELDS = ["githubId", "oidcId", "linuxDoId", "wechatId", "telegramId"] as const;
/** The user field that holds a third-party identity. */
export type IdentityField = (typeof IDENTITY_FIELDS)[number];

/**
 * Maps a unique index violation to what is taken: the name, the e-mail, a third-party account; rethrows anything else.
 */
function asTaken(error: unknown, username: string): unknown {
  if (!isDuplicateKey(error)) return error;
  const { keyPattern } = error as { keyPattern: object };
  if (Object.hasOwn(keyPattern, "usernameLower"))
    return new AppError("username_taken", "the user name is taken", { params: { username }, cause: error });
  if (Object.hasOwn(keyPattern, "emailLower"))
    return new AppError("email_taken", "the e-mail address is in use", { cause: error });
  const field = IDENTITY_FIELDS.find((name) => Object.hasOwn(keyPattern, name));
  if (!field) return error;
  return new AppError("oauth_already_bound", `${field} is bound`, {
    params: { provider: field.replace("Id", "") },
    cause: error,
  });
}

const DEREGISTERED = 3;

function toStatusQuery(status: number): QueryFilter<UserDoc> {
  if (status === 0) return {};
  return status === DEREGISTERED ? { deletedAtSeconds: { $gt: 0 } } : { status, deletedAtSeconds: 0 };
}

function toQuery({ keyword, group, role, status, ids = [], viewerRole }: UserFilter): QueryFilter<UserDoc> {
  const pattern = toSubstringPattern(keyword);
  const id = Number(keyword);
  const anyOf: QueryFilter<UserDoc>[] = [
    { username: pattern },
    { email: pattern, ...(viewerRole >= ROLE.root ? {} : { role: { $lt: viewerRole } }) },
    { displayName: pattern },
    ...(Number.isSafeInteger(id) ? [{ _id: id }] : []),
  ];
  return {
    ...(ids.length === 0 ? {} : { _id: { $in: [...ids] } }),
    ...(group === "" ? {} : { group }),
    ...(role === 0 ? {} : { role }),
    ...toStatusQuery(status),
    ...(keyword === "" ? {} : { $or: anyOf }),
  };
}

/** A name and an id can be those of two users. */
const EXACT_MAX = 2;

/** The users whose name or id is the keyword; undefined without a keyword. */
function toExactQuery(keyword: string): QueryFilter<UserDoc> | undefined {
  if (keyword === "") return undefined;
  const id = Number(keyword);
  return { $or: [{ usernameLower: toNameKey(keyword) }, ...(Number.isSafeInteger(id) ? [{ _id: id }] : [])] };
}

/** Lookups of single users, and lists. */
function createUserQueries(model: UserModel) {
  const findOne = (filter: QueryFilter<UserDoc>, session?: ClientSession): Promise<UserDoc | undefined> =>
    model
      .findOne(filter, undefined, inSession(session))
      .maxTimeMS(QUERY_TIMEOUT_MS)
      .lean<UserDoc | null>()
      .exec()
      .then((doc) => doc ?? undefined);
  return {
    findById: (id: number, session?: ClientSession) => findOne({ _id: id }, session),
    findRoot: (session?: ClientSession) => findOne({ role: ROLE.root }, session),
    findByAccessTokenHash: (accessTokenHash: string) => findOne({ accessTokenHash }),
    /** The user with a user name, in any case and width, including deregistered users. */
    findByName: (username: string) => findOne({ usernameLower: toNameKey(username) }),
    /** The user with an e-mail address, including deregistered users: their addresses stay reserved. */
    findByEmail: (emailLower: string) => findOne({ emailLower }),
    /** The user with a third-party account, including deregistered users. */
    findByIdentity: (field: IdentityField, id: string) => findOne({ [field]: id }),
    findByAffCode: (affCode: string) => findOne({ affCode }),
    /** Selected fields of several users, in no order. */
    findMany: <Field extends keyof UserDoc>(
      ids: readonly number[],
      fields: readonly Field[],
    ): Promise<Pick<UserDoc, Field | "_id">[]> =>
      model
        .find({ _id: { $in: ids } }, Object.fromEntries(fields.map((field) => [field, 1])))
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<Pick<UserDoc, Field | "_id">[]>()
        .exec(),
    /** By user name or e-mail; input that looks like an address is tried as an address first. */
    async findBySignIn(name: string): Promise<UserDoc | undefined> {
      const key = toNameKey(name.trim());
      if (key === "") return undefined;
      const byEmail = key.includes("@") ? await findOne({ emailLower: key }) : undefined;
      return byEmail ?? findOne({ usernameLower: key });
    },
  };
}

/** Lists of users, and of their ids. */
function createUserLists(model: UserModel) {
  return {
    /** The ids of at most `limit` matching users, newest first. */
    async listIds(filter: UserFilter, limit: number): Promise<number[]> {
      const docs = await withSearchTimeout(() =>
        model
          .find(toQuery(filter), { _id: 1 })
          .sort({ _id: -1 })
          .limit(limit)
          .maxTimeMS(SEARCH_TIMEOUT_MS)
          .lean<{ _id: number }[]>()
          .exec(),
      );
      return docs.map(({ _id }) => _id);
    },
    /** One page, the user with exactly this name or id first, then newest first, including deregistered users, with the total number of matches. */
    list(filter: UserFilter, range: PageRange) {
      const query = toQuery(filter);
      const find = (which: QueryFilter<UserDoc>, { skip, limit }: PageRange) =>
        model
          .find(which)
          .sort({ _id: -1 })
          .skip(skip)
          .limit(limit)
          .maxTimeMS(SEARCH_TIMEOUT_MS)
          .lean<UserDoc[]>()
          .exec();
      const exactly = toExactQuery(filter.keyword);
      return readPartedPage(
        {
          exact: async () => (exactly ? find({ $and: [query, exactly] }, { skip: 0, limit: EXACT_MAX }) : []),
          rest: (part) => find(exactly ? { $and: [query, { $nor: [exactly] }] } : query, part),
          count: () => model.countDocuments(query).maxTimeMS(SEARCH_TIMEOUT_MS).exec(),
        },
        range,
      );
    },
  };
}

/** Changes of users. */
function createUserWrites(model: UserModel) {
  return {
    /** Stores a new user; throws username_taken, email_taken or oauth_already_bound. */
    async insert(doc: UserDoc, session: ClientSession): Promise<void> {
      try {
        await model.create([doc], { session });
      } catch (error) {
        throw asTaken(error, doc.username);
      }
    },
    /**
     * Updates one user and returns the updated user; throws user_not_found, username_taken, email_taken or
     * oauth_already_bound.
     */
    async update(id: number, { set, endsSessions }: UserWrite, session?: ClientSession): Promise<UserDoc> {
      const write = endsSessions
        ? { $set: { ...set, survivingSessionHash: endsSessions.survivorHash }, $inc: { sessionEpoch: 1 } }
        : { $set: set };
      try {
        const after = await model
          .findOneAndUpdate({ _id: id, deletedAtSeconds: 0 }, write, { returnDocument: "after", ...inSession(session) })
          .maxTimeMS(QUERY_TIMEOUT_MS)
          .lean<UserDoc | null>();
        if (!after) throw new AppError("user_not_found", `no user ${id}`);
        return after;
      } catch (error) {
        throw asTaken(error, set.username ?? "");
      }
    },
    /** Counts an invitation for its inviter; a deregistered inviter earns nothing. */
    async addInvitation(id: number, earned: number, session: ClientSession): Promise<void> {
      await model.updateOne(
        { _id: id, deletedAtSeconds: 0 },
        { $inc: { affCount: 1, affQuota: earned, affHistoryQuota: earned } },
        { session },
      );
    },
    /**
     * Deducts from a user's earnings and returns the remainder; undefined when the earnings are too low or there is no
     * such user.
     */
    async takeEarnings(id: number, amount: number, session: ClientSession): Promise<number | undefined> {
      const after = await model
        .findOneAndUpdate(
          { _id: id, deletedAtSeconds: 0, status: USER_STATUS.active, affQuota: { $gte: amount } },
          { $inc: { affQuota: -amount } },
          { session, returnDocument: "after" },
        )
        .lean<UserDoc | null>();
      return after?.affQuota;
    },
  };
}

/** The only file that accesses stored users. */
export const createUserStore = (model: UserModel) => ({
  ...createUserQueries(model),
  ...createUserLists(model),
  ...createUserWrites(model),
});
