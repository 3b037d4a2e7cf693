import { ROLE, USER_STATUS } from "@turnpike/contract/codes";
import type { User } from "@turnpike/proto/auth/v1/auth_service";
import { shownSetting } from "./user-setting.ts";
import type { UserDoc } from "./user-model.ts";

/** A user as visible to other services, without secrets. */
export const toUser = (doc: UserDoc): User => ({
  id: doc._id,
  username: doc.username,
  displayName: doc.displayName,
  role: doc.role,
  status: doc.status,
  group: doc.group,
  email: doc.email,
  githubId: doc.githubId,
  oidcId: doc.oidcId,
  wechatId: doc.wechatId,
  telegramId: doc.telegramId,
  linuxDoId: doc.linuxDoId,
  affCode: doc.affCode,
  inviterId: doc.inviterId,
  settingJson: shownSetting(doc.settingJson, doc.webhookSecretBox !== ""),
  createdAtSeconds: doc.createdAtSeconds,
  deletedAtSeconds: doc.deletedAtSeconds,
  mustChangePassword: doc.mustChangePassword,
  // Absent on users created before invitations were counted.
  affCount: doc.affCount ?? 0,
  affQuota: doc.affQuota ?? 0,
  affHistoryQuota: doc.affHistoryQuota ?? 0,
});

/** A user as shown to an administrator, with the administrators' note; users never see the note about themselves. */
export const toAdministeredUser = (doc: UserDoc, viewerId: number): User =>
  doc._id === viewerId ? toUser(doc) : { ...toUser(doc), adminNote: doc.adminNote ?? "" };

/** A user as shown in a list to a role: for users of that role and above only name, status and group. Root sees all. */
export function toListedUser(doc: UserDoc, viewer: { readonly role: number; readonly userId: number }): User {
  const user = toUser(doc);
  if (viewer.role >= ROLE.root || viewer.role > doc.role) return toAdministeredUser(doc, viewer.userId);
  const hidden = { email: "", githubId: "", oidcId: "", wechatId: "", telegramId: "", linuxDoId: "" };
  return { ...user, ...hidden, affCode: "", inviterId: 0, settingJson: "{}" };
}

/** Whether the user may sign in and act: neither banned nor deregistered. */
export const isInGoodStanding = (doc: Pick<UserDoc, "status" | "deletedAtSeconds">): boolean =>
  doc.status === USER_STATUS.active && doc.deletedAtSeconds === 0;

/** The audit entry of a user, as JSON. */
export const toAuditJson = (doc: UserDoc): string =>
  JSON.stringify({
    username: doc.username,
    display_name: doc.displayName,
    role: doc.role,
    status: doc.status,
    group: doc.group,
    deleted: doc.deletedAtSeconds !== 0,
    ...(doc.adminNote ? { note: doc.adminNote } : {}),
  });
