import { parseObject } from "@turnpike/shared/accounts/json-object";
import { ROLE, USER_STATUS } from "@turnpike/contract/codes";
import { readSetting } from "../../services/auth/src/users/user-setting.ts";
import { toNameKey } from "../../services/auth/src/users/user-input.ts";
import { newUser } from "../../services/auth/src/users/new-user.ts";
import type { ReadUser } from "./source/install-reader.ts";
import type { SourceRow } from "./source/open-source.ts";
import { type Dialect, getDeletedAt, getText, getInteger } from "./source/source-rows.ts";

/** Any other hash can never match: these users set a new password by e-mail. */
const BCRYPT = /^\$2[abxy]\$\d\d\$.{53}$/;
const DISABLED = 2;
/** one-api gives deleted users this status. */
const ONE_API_DELETED = 3;

function getSetting(json: string): { readonly settingJson: string; readonly webhookSecret: string } {
  const { webhook_secret: secret, record_ip_log: recordsIp, ...setting } = parseObject(json);
  const known = readSetting(JSON.stringify({ ...(recordsIp === true ? { show_ip_in_logs: true } : {}), ...setting }));
  return { settingJson: JSON.stringify(known), webhookSecret: typeof secret === "string" ? secret : "" };
}

const getRole = (role: number): number => (role >= ROLE.root ? ROLE.root : role >= ROLE.admin ? ROLE.admin : ROLE.user);

/** Parses a row of `users` of any of the three products. */
export function readUser(row: SourceRow, dialect: Dialect, nowSeconds: number): ReadUser {
  const username = getText(row, "username").normalize("NFC").trim();
  const password = getText(row, "password");
  const passwordHash = BCRYPT.test(password) ? password : "";
  const email = getText(row, "email").trim();
  const status = getInteger(row, "status");
  const isMissing = dialect === "one-api" && status === ONE_API_DELETED;
  const { settingJson, webhookSecret } = getSetting(getText(row, "setting"));
  const displayName = getText(row, "display_name").trim() || username;
  const about = { username, displayName, mustChangePassword: false, role: getRole(getInteger(row, "role")) };
  const { _id, ...made } = newUser(getInteger(row, "id"), { ...about, passwordHash }, nowSeconds);
  const createdAt = getInteger(row, "created_at") || getInteger(row, "created_time");
  return {
    sourceId: _id,
    inviterSourceId: getInteger(row, "inviter_id"),
    accessToken: getText(row, "access_token").trim(),
    webhookSecret,
    quota: getInteger(row, "quota"),
    used: getInteger(row, "used_quota"),
    requestCount: getInteger(row, "request_count"),
    doc: {
      ...made,
      status: status === DISABLED || isMissing ? USER_STATUS.banned : USER_STATUS.active,
      group: getText(row, "group").trim() || "default",
      email,
      emailLower: toNameKey(email),
      githubId: getText(row, "github_id"),
      oidcId: getText(row, "oidc_id"),
      linuxDoId: getText(row, "linux_do_id"),
      wechatId: getText(row, "wechat_id"),
      telegramId: getText(row, "telegram_id"),
      affCode: getText(row, "aff_code").trim() || made.affCode,
      affCount: getInteger(row, "aff_count"),
      affQuota: getInteger(row, "aff_quota"),
      affHistoryQuota: getInteger(row, "aff_history"),
      settingJson,
      createdAtSeconds: createdAt > 0 ? createdAt : nowSeconds,
      deletedAtSeconds: isMissing ? nowSeconds : getDeletedAt(row, nowSeconds),
    },
  };
}
