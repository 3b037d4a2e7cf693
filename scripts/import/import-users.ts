import { ROLE } from "@turnpike/contract/limits";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession } from "mongoose";
import { setupModel } from "../../services/auth/src/setup/setup-model.ts";
import { toNameKey } from "../../services/auth/src/users/user-input.ts";
import { type UserDoc, userModel } from "../../services/auth/src/users/user-model.ts";
import { addOpening, readBalances } from "./opening.ts";
import { createNumbers, importedId, type ImportPlace, inBatches, knownTargets } from "./place.ts";
import { type ReadUser, readUser } from "./user-row.ts";

const USERS_A_TRANSACTION = 200;
const IDENTITIES = ["githubId", "oidcId", "linuxDoId", "wechatId", "telegramId"] as const;
/** Fields that must be unique among users. */
const UNIQUE = ["usernameLower", "emailLower", "affCode", "accessTokenHash", ...IDENTITIES] as const;

type NewUser = { readonly user: ReadUser; readonly doc: UserDoc };
/** Conflicts of a new user's unique fields. */
type Taken = Map<(typeof UNIQUE)[number], Set<string>>;

async function readTaken(place: ImportPlace): Promise<{ taken: Taken; ids: Set<number>; root: UserDoc | undefined }> {
  const taken: Taken = new Map(UNIQUE.map((field) => [field, new Set<string>()]));
  const ids = new Set<number>();
  let root: UserDoc | undefined;
  const fields = Object.fromEntries([...UNIQUE, "role"].map((field) => [field, 1]));
  for await (const doc of userModel(place.connection).find({}, fields).lean<UserDoc[]>().cursor()) {
    ids.add(doc._id);
    if (doc.role === ROLE.root) root = doc;
    for (const field of UNIQUE) if (doc[field]) taken.get(field)?.add(doc[field]);
  }
  return { taken, ids, root };
}

/**
 * Resolves conflicts with existing users: a duplicate of a unique field is renamed, regenerated or left out, with a
 * note.
 */
function makeUnique(place: ImportPlace, doc: UserDoc, taken: Taken): UserDoc {
  const { report } = place;
  const fitting = { ...doc };
  const isTaken = (field: (typeof UNIQUE)[number]): boolean => taken.get(field)?.has(fitting[field] ?? "") ?? false;
  if (isTaken("usernameLower")) {
    fitting.username = `${doc.username.slice(0, 12)}_${doc._id}`;
    fitting.usernameLower = toNameKey(fitting.username);
    report.note(`user ${doc.username}: the name is taken here, so they are ${fitting.username}`);
  }
  if (isTaken("affCode")) {
    fitting.affCode = `${doc._id.toString(36)}${doc.affCode}`.slice(0, 32);
    report.note(`user ${fitting.username}: their invitation code is taken here, so it is a new one`);
  }
  for (const field of [...IDENTITIES, "emailLower"] as const) {
    if (fitting[field] === "" || !isTaken(field)) continue;
    fitting[field] = "";
    if (field === "emailLower") fitting.email = "";
    report.note(
      `user ${fitting.username}: somebody here has the same ${field === "emailLower" ? "e-mail" : field}, so it is left out`,
    );
  }
  if (fitting.accessTokenHash !== undefined && isTaken("accessTokenHash")) delete fitting.accessTokenHash;
  for (const field of UNIQUE) if (fitting[field]) taken.get(field)?.add(fitting[field]);
  return fitting;
}

/** Maps the source's root to root: the root user here keeps their password and receives the balance. */
const isSameRoot = (user: ReadUser, root: UserDoc | undefined): boolean =>
  root !== undefined && user.doc.role === ROLE.root && user.doc.usernameLower === root.usernameLower;

/** Imports users and balances; returns the new ids by source id. */
export async function importUsers(place: ImportPlace): Promise<Map<number, number>> {
  const { connection, source, report, imported, label, nowSeconds } = place;
  const secretBox = createSecretBox(place.masterKey);
  const lookupHash = createLookupHash(place.masterKey);
  const known = await knownTargets(place, "users");
  const { taken, ids, root } = await readTaken(place);
  const numbers = createNumbers(place, "users", ids);
  const targets = new Map<number, number>();
  const fresh: NewUser[] = [];
  const merged: ReadUser[] = [];
  let hasRoot = root !== undefined;
  for (const row of source.rows("users", "id")) {
    const user = readUser(row, place.dialect, nowSeconds);
    report.source("users", { rows: 1, balance: user.quota, used: user.used, earnings: user.doc.affQuota });
    const before = known.get(String(user.sourceId));
    if (before) {
      targets.set(user.sourceId, before.target);
      report.target("users", before.figures);
    } else if (isSameRoot(user, root) && root) {
      targets.set(user.sourceId, root._id);
      merged.push(user);
    } else {
      const isSecondRoot = user.doc.role === ROLE.root && hasRoot;
      hasRoot ||= user.doc.role === ROLE.root;
      if (isSecondRoot) report.note(`user ${user.doc.username}: there is one root here, so they are an administrator`);
      const id = numbers.take(user.sourceId);
      targets.set(user.sourceId, id);
      const doc = makeUnique(
        place,
        {
          ...user.doc,
          _id: id,
          ...(isSecondRoot ? { role: ROLE.admin } : {}),
          ...(user.accessToken === "" ? {} : { accessTokenHash: lookupHash(user.accessToken) }),
          webhookSecretBox: user.webhookSecret === "" ? "" : secretBox.seal(user.webhookSecret),
        },
        taken,
      );
      fresh.push({ user, doc });
    }
  }
  if (place.isDryRun) {
    report.note(`${fresh.length} users are new, ${targets.size - fresh.length} are here already`);
    return targets;
  }
  const mark = (user: ReadUser, target: number, figures: Record<string, number>, session: ClientSession) =>
    imported.insertOne(
      { _id: importedId(place, "users", user.sourceId), label, table: "users", target, figures },
      { session },
    );
  for (const batch of inBatches(fresh, USERS_A_TRANSACTION))
    await inTransaction(connection, async (session) => {
      const docs = batch.map(({ user, doc }) => ({ ...doc, inviterId: targets.get(user.inviterSourceId) ?? 0 }));
      await userModel(connection).insertMany(docs, { session });
      for (const { user, doc } of batch) {
        await addOpening(place, { ...user, userId: doc._id }, session);
        await mark(user, doc._id, { rows: 1, balance: user.quota, used: user.used, earnings: doc.affQuota }, session);
      }
      await numbers.keep(session);
    });
  for (const user of merged)
    await inTransaction(connection, async (session) => {
      const userId = targets.get(user.sourceId) ?? 0;
      await addOpening(
        place,
        { userId, sourceId: user.sourceId, quota: user.quota, used: 0, requestCount: 0 },
        session,
      );
      const figures = { rows: 1, balance: user.quota, used: user.used, earnings: user.doc.affQuota };
      await mark(user, userId, figures, session);
      report.note(
        `user ${user.doc.username} is root here: the balance is added, the password and what was used stay as they are here`,
      );
      report.target("users", figures);
    });
  if (hasRoot)
    await setupModel(connection).updateOne(
      { _id: "site" },
      { $setOnInsert: { doneAtSeconds: nowSeconds } },
      { upsert: true },
    );
  const written = await readBalances(
    place,
    fresh.map(({ doc }) => doc._id),
  );
  report.target("users", written);
  return targets;
}
