import { randomInt } from "node:crypto";
import { USER_STATUS } from "@turnpike/contract/codes";
import { toNameKey } from "./user-input.ts";
import type { UserDoc } from "./user-model.ts";

const CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789";
const CODE_RANDOM_LENGTH = 4;

/** An invitation code: the user's number makes it unique, four random characters make it hard to guess. */
function newAffCode(id: number): string {
  const random = Array.from({ length: CODE_RANDOM_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]);
  return id.toString(36) + random.join("");
}

type About = Pick<UserDoc, "username" | "displayName" | "passwordHash" | "mustChangePassword" | "role">;

/** A newly created user: active, in the default group. */
export const newUser = (id: number, about: About, nowSeconds: number): UserDoc => ({
  _id: id,
  ...about,
  usernameLower: toNameKey(about.username),
  status: USER_STATUS.active,
  group: "default",
  email: "",
  emailLower: "",
  githubId: "",
  oidcId: "",
  wechatId: "",
  telegramId: "",
  linuxDoId: "",
  affCode: newAffCode(id),
  inviterId: 0,
  affCount: 0,
  affQuota: 0,
  affHistoryQuota: 0,
  settingJson: "{}",
  webhookSecretBox: "",
  sessionEpoch: 1,
  survivingSessionHash: "",
  createdAtSeconds: nowSeconds,
  deletedAtSeconds: 0,
});
