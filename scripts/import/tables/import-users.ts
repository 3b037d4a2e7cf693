import { ROLE } from "@turnpike/contract/codes";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession } from "mongoose";
import { setupModel } from "../../../services/auth/src/setup/setup-model.ts";
import { type UserDoc, userModel } from "../../../services/auth/src/users/user-model.ts";
import {
  createNumbers,
  type ImportContext,
  inBatches,
  type Numbers,
  readImported,
  recordImported,
} from "./import-context.ts";
import type { ReadUser, SourceId } from "../source/install-reader.ts";
import { addOpening, readBalances } from "../source/opening.ts";
import { makeUnique, readTaken, type Taken } from "../unique-users.ts";

const USERS_A_TRANSACTION = 200;

type NewUser = { readonly user: ReadUser; readonly doc: UserDoc };

/** What the source's users become: new users, or additions to the root user here; `targets` are the ids of all by source id. */
type UserPlan = {
  readonly targets: Map<SourceId, number>;
  readonly added: NewUser[];
  readonly merged: ReadUser[];
  readonly hasRoot: boolean;
};

/** Maps the source's root to root: the root user here keeps their password and receives the balance. */
const isSameRoot = (user: ReadUser, root: UserDoc | undefined): boolean =>
  root !== undefined && user.doc.role === ROLE.root && user.doc.usernameLower === root.usernameLower;

const getFigures = ({ quota, used, doc }: ReadUser, earnings = doc.affQuota) => ({
  rows: 1,
  balance: quota,
  used,
  earnings,
});

/** Creates documents of new users, each unique among the users here. */
function createUserDocs(context: ImportContext, taken: Taken, numbers: Numbers) {
  const secretBox = createSecretBox(context.masterKey);
  const lookupHash = createLookupHash(context.masterKey);
  return (user: ReadUser, role: number): UserDoc => {
    const doc = {
      ...user.doc,
      _id: numbers.take(user.sourceId),
      role,
      ...(user.accessToken === "" ? {} : { accessTokenHash: lookupHash(user.accessToken) }),
      webhookSecretBox: user.webhookSecret === "" ? "" : secretBox.seal(user.webhookSecret),
    };
    return makeUnique(context, doc, taken);
  };
}

/** Reads the users of the source; those of an earlier run are only reported. */
async function planUsers(context: ImportContext): Promise<UserPlan & { readonly numbers: Numbers }> {
  const { reader, report, groups } = context;
  const known = await readImported(context, "users");
  const { taken, ids, root } = await readTaken(context);
  const numbers = createNumbers(context, "users", ids);
  const toUserDoc = createUserDocs(context, taken, numbers);
  const targets = new Map<SourceId, number>();
  const added: NewUser[] = [];
  const merged: ReadUser[] = [];
  let hasRoot = root !== undefined;
  for (const user of reader.readUsers()) {
    report.source("users", getFigures(user));
    groups.add("user", user.doc.group);
    const before = known.get(String(user.sourceId));
    if (before) {
      targets.set(user.sourceId, before.target);
      report.target("users", before.figures);
    } else if (isSameRoot(user, root) && root) {
      targets.set(user.sourceId, root._id);
      merged.push(user);
    } else {
      const isRoot = user.doc.role === ROLE.root;
      const isSecondRoot = isRoot && hasRoot;
      hasRoot ||= isRoot;
      if (isSecondRoot) report.note(`user ${user.doc.username}: there is one root here, so they are an administrator`);
      const doc = toUserDoc(user, isSecondRoot ? ROLE.admin : user.doc.role);
      targets.set(user.sourceId, doc._id);
      added.push({ user, doc });
    }
  }
  return { targets, added, merged, hasRoot, numbers };
}

/** Stores a batch of new users with their opening balances. */
async function storeUsers(
  context: ImportContext,
  batch: readonly NewUser[],
  targets: ReadonlyMap<SourceId, number>,
  session: ClientSession,
): Promise<void> {
  const docs = batch.map(({ user, doc }) => ({ ...doc, inviterId: targets.get(user.inviterSourceId) ?? 0 }));
  await userModel(context.connection).insertMany(docs, { session });
  for (const { user, doc } of batch) await addOpening(context, { ...user, userId: doc._id }, session);
  const rows = batch.map(({ user, doc }) => ({
    sourceId: user.sourceId,
    target: doc._id,
    figures: getFigures(user, doc.affQuota),
  }));
  await recordImported(context, { table: "users", rows }, session);
}

/** Adds the balance of the source's root to the root user here. */
async function mergeRoot(context: ImportContext, user: ReadUser, userId: number): Promise<void> {
  const { sourceId, quota, doc } = user;
  const figures = getFigures(user);
  await inTransaction(context.connection, async (session) => {
    await addOpening(context, { userId, sourceId, quota, used: 0, requestCount: 0 }, session);
    await recordImported(context, { table: "users", rows: [{ sourceId, target: userId, figures }] }, session);
  });
  context.report.note(
    `user ${doc.username} is root here: the balance is added, the password and what was used stay as they are here`,
  );
  context.report.target("users", figures);
}

/** Imports users and balances; returns the new ids by source id. */
export async function importUsers(context: ImportContext): Promise<Map<SourceId, number>> {
  const { connection, report, nowSeconds } = context;
  const { targets, added, merged, hasRoot, numbers } = await planUsers(context);
  if (context.isDryRun) {
    report.note(`${added.length} users are new, ${targets.size - added.length} are here already`);
    return targets;
  }
  for (const batch of inBatches(added, USERS_A_TRANSACTION))
    await inTransaction(connection, async (session) => {
      await storeUsers(context, batch, targets, session);
      await numbers.store(session);
    });
  for (const user of merged) await mergeRoot(context, user, targets.get(user.sourceId) ?? 0);
  if (hasRoot)
    await setupModel(connection).updateOne(
      { _id: "site" },
      { $setOnInsert: { doneAtSeconds: nowSeconds } },
      { upsert: true },
    );
  const ids = added.map(({ doc }) => doc._id);
  report.target("users", await readBalances(context, ids));
  return targets;
}
