import type { GetPrincipalResponse } from "@turnpike/proto/auth/v1/auth_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { OptionReader } from "../options/option-reader.ts";
import type { UserStore } from "./user-store.ts";
import { readSetting } from "./user-setting.ts";

/**
 * The token owner's data that the relay needs; throws user_not_found when the user does not exist. A banned user is
 * returned as banned.
 */
export function createPrincipals(deps: { users: UserStore; options: OptionReader }) {
  return {
    async get(userId: number): Promise<GetPrincipalResponse> {
      const user = await deps.users.findById(userId);
      if (!user || user.deletedAtSeconds !== 0) throw new AppError("user_not_found", `no user ${userId}`);
      const setting = readSetting(user.settingJson);
      const threshold =
        setting.quota_warning_threshold ?? (await deps.options.inForce()).number("QuotaRemindThreshold");
      return {
        userId: user._id,
        username: user.username,
        group: user.group,
        role: user.role,
        status: user.status,
        acceptUnsetModelRatioModel: setting.accept_unset_model_ratio_model ?? false,
        showIpInLogs: setting.show_ip_in_logs ?? false,
        quotaWarningThreshold: threshold,
      };
    },
  };
}
export type Principals = ReturnType<typeof createPrincipals>;
