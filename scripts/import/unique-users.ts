import { ROLE } from "@turnpike/contract/codes";
import { toNameKey } from "../../services/auth/src/users/user-input.ts";
import { type UserDoc, userModel } from "../../services/auth/src/users/user-model.ts";
import type { ImportContext } from "./tables/import-context.ts";

const IDENTITIES = ["githubId", "oidcId", "linuxDoId", "wechatId", "telegramId"] as const;
/** Fields that must be unique among users. */
const UNIQUE = ["usernameLower", "emailLower", "affCode", "accessTokenHash", ...IDENTITIES] as const;

/** Conflicts of a new user's unique fields. */
export type Taken = Map<(typeof UNIQUE)[number], Set<string>>;

/** The users here: their ids, unique fields and root. */
export async function readTaken(
  context: ImportContext,
): Promise<{ taken: Taken; ids: Set<number>; root: UserDoc | undefined }> {
  const taken: Taken = new Map(UNIQUE.map((field) => [field, new Set<string>()]));
  const ids = new Set<number>();
  let root: UserDoc | undefined;
  const fields = Object.fromEntries([...UNIQUE, "role"].map((field) => [field, 1]));
  for await (const doc of userModel(context.connection).find({}, fields).lean<UserDoc[]>().cursor()) {
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
export function makeUnique(context: ImportContext, doc: UserDoc, taken: Taken): UserDoc {
  const { report } = context;
  const unique = { ...doc };
  const isTaken = (field: (typeof UNIQUE)[number]): boolean => taken.get(field)?.has(unique[field] ?? "") ?? false;
  if (isTaken("usernameLower")) {
    unique.username = `${doc.username.slice(0, 12)}_${doc._id}`;
    unique.usernameLower = toNameKey(unique.username);
    report.note(`user ${doc.username}: the name is taken here, so they are ${unique.username}`);
  }
  if (isTaken("affCode")) {
    unique.affCode = `${doc._id.toString(36)}${doc.affCode}`.slice(0, 32);
    report.note(`user ${unique.username}: their invitation code is taken here, so it is a new one`);
  }
  for (const field of [...IDENTITIES, "emailLower"] as const) {
    if (unique[field] === "" || !isTaken(field)) continue;
    unique[field] = "";
    if (field === "emailLower") unique.email = "";
    report.note(
      `user ${unique.username}: another user here has the same ${field === "emailLower" ? "e-mail" : field}, so it is skipped`,
    );
  }
  if (unique.accessTokenHash !== undefined && isTaken("accessTokenHash")) delete unique.accessTokenHash;
  for (const field of UNIQUE) if (unique[field]) taken.get(field)?.add(unique[field]);
  return unique;
}
