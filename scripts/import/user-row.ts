import { parseObject } from "@turnpike/shared/accounts/json-object";
import { ROLE, USER_STATUS } from "@turnpike/contract/limits";
import { readSetting } from "../../services/auth/src/users/user-setting.ts";
import { toNameKey } from "../../services/auth/src/users/user-input.ts";
import { newUser } from "../../services/auth/src/users/new-user.ts";
import type { UserDoc } from "../../services/auth/src/users/user-model.ts";
import type { SourceRow } from "./open-source.ts";
import { type Dialect, deletedAtOf, textOf, wholeOf } from "./source-rows.ts";

/** A source user in the format used here; the balance is separate. */
export type ReadUser = {
  readonly sourceId: number;
  readonly inviterSourceId: number;
  readonly doc: Omit<UserDoc, "_id">;
  readonly accessToken: string;
  readonly webhookSecret: string;
  readonly quota: number;
  readonly used: number;
  readonly requestCount: number;
};

/** Any other hash can never match: these users set a new password by e-mail. */
const BCRYPT = /^\$2[abxy]\$\d\d\$.{53}$/;
const DISABLED = 2;
/** one-api gives deleted users this status. */
const ONE_API_DELETED = 3;

function settingOf(json: string): { readonly settingJson: string; readonly webhookSecret: string } {
  const { webhook_secret: secret, record_ip_log: recordsIp, ...setting } = parseObject(json);
  const known = readSetting(JSON.stringify({ ...(recordsIp === true ? { show_ip_in_logs: true } : {}), ...setting }));
  return { settingJson: JSON.stringify(known), webhookSecret: typeof secret === "string" ? secret : "" };
}

const roleOf = (role: number): number => (role >= ROLE.root ? ROLE.root : role >= ROLE.admin ? ROLE.admin : ROLE.user);

/** Parses a row of `users` of any of the three products. */
export function readUser(row: SourceRow, dialect: Dialect, nowSeconds: number): ReadUser {
  const username = textOf(row, "username").normalize("NFC").trim();
  const password = textOf(row, "password");
  const passwordHash = BCRYPT.test(password) ? password : "";
  const email = textOf(row, "email").trim();
  const status = wholeOf(row, "status");
  const isGone = dialect === "one-api" && status === ONE_API_DELETED;
  const { settingJson, webhookSecret } = settingOf(textOf(row, "setting"));
  const displayName = textOf(row, "display_name").trim() || username;
  const about = { username, displayName, mustChangePassword: false, role: roleOf(wholeOf(row, "role")) };
  const { _id, ...made } = newUser(wholeOf(row, "id"), { ...about, passwordHash }, nowSeconds);
  const createdAt = wholeOf(row, "created_at") || wholeOf(row, "created_time");
  return {
    sourceId: _id,
    inviterSourceId: wholeOf(row, "inviter_id"),
    accessToken: textOf(row, "access_token").trim(),
    webhookSecret,
    quota: wholeOf(row, "quota"),
    used: wholeOf(row, "used_quota"),
    requestCount: wholeOf(row, "request_count"),
    doc: {
      ...made,
      status: status === DISABLED || isGone ? USER_STATUS.banned : USER_STATUS.active,
      group: textOf(row, "group").trim() || "default",
      email,
      emailLower: toNameKey(email),
      githubId: textOf(row, "github_id"),
      oidcId: textOf(row, "oidc_id"),
      linuxDoId: textOf(row, "linux_do_id"),
      wechatId: textOf(row, "wechat_id"),
      telegramId: textOf(row, "telegram_id"),
      affCode: textOf(row, "aff_code").trim() || made.affCode,
      affCount: wholeOf(row, "aff_count"),
      affQuota: wholeOf(row, "aff_quota"),
      affHistoryQuota: wholeOf(row, "aff_history"),
      settingJson,
      createdAtSeconds: createdAt > 0 ? createdAt : nowSeconds,
      deletedAtSeconds: isGone ? nowSeconds : deletedAtOf(row, nowSeconds),
    },
  };
}
