import { USER_STATUS } from "@turnpike/contract/codes";
import type {
  GetNoticeTargetResponse,
  UserName,
  WarningThreshold,
} from "@turnpike/proto/auth/v1/notice_target_service";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { OptionReader } from "../options/option-reader.ts";
import { readSetting } from "./user-setting.ts";
import type { UserStore } from "./user-store.ts";

export type NoticeTargets = ReturnType<typeof createNoticeTargets>;

const USERS_MAX = 1_000;

function checkCount(ids: readonly number[]): void {
  if (ids.length > USERS_MAX)
    throw new AppError("invalid_input", "too many users", { params: { detail: `user_ids > ${USERS_MAX}` } });
}

/** Where and when to notify users. */
export function createNoticeTargets(deps: { users: UserStore; options: OptionReader; secretBox: SecretBox }) {
  const { users, options, secretBox } = deps;
  return {
    /** The notification thresholds of active users; throws invalid_input for more than 1000. */
    async thresholds(ids: readonly number[]): Promise<WarningThreshold[]> {
      checkCount(ids);
      const [found, inForce] = await Promise.all([
        users.findMany(ids, ["status", "deletedAtSeconds", "settingJson"]),
        options.inForce(),
      ]);
      return found
        .filter(({ status, deletedAtSeconds }) => status === USER_STATUS.active && deletedAtSeconds === 0)
        .map(({ _id, settingJson }) => ({
          userId: _id,
          threshold: readSetting(settingJson).quota_warning_threshold ?? inForce.number("QuotaRemindThreshold"),
        }));
    },
    /** One user's notification target, the root user's for 0; throws user_not_found. */
    async target(id: number): Promise<GetNoticeTargetResponse> {
      const user = await (id === 0 ? users.findRoot() : users.findById(id));
      if (!user || user.deletedAtSeconds !== 0) throw new AppError("user_not_found", `no user ${id}`);
      const setting = readSetting(user.settingJson);
      return {
        userId: user._id,
        username: user.username,
        notifyType: setting.notify_type ?? "email",
        email: setting.notification_email || user.email,
        webhookUrl: setting.webhook_url ?? "",
        webhookSecret: user.webhookSecretBox === "" ? "" : secretBox.open(user.webhookSecretBox),
      };
    },
    /** The names of users; throws invalid_input for more than 1000. */
    async names(ids: readonly number[]): Promise<UserName[]> {
      checkCount(ids);
      const found = await users.findMany(ids, ["username", "displayName", "deletedAtSeconds"]);
      return found.map(({ _id, username, displayName, deletedAtSeconds }) => ({
        userId: _id,
        username,
        displayName,
        isDeregistered: deletedAtSeconds !== 0,
      }));
    },
  };
}
