import type { SignedInUser, UserProfile } from "@turnpike/contract/api/user";
import type { User } from "@turnpike/proto/auth/v1/auth_service";
import type { Account } from "@turnpike/proto/billing/v1/account_service";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Services } from "../http/services.ts";

/** The signed-in user, without the balance. */
export const toSignedInUser = (user: User): SignedInUser => ({
  id: user.id,
  username: user.username,
  display_name: user.displayName,
  role: user.role,
  status: user.status,
  group: user.group,
  must_change_password: user.mustChangePassword,
});

/** The user's settings as returned to users: the webhook's secret can be replaced, not read. */
function shownSetting(json: string): string {
  if (!json.includes("webhook_secret")) return json;
  const { webhook_secret: _secret, ...shown } = JSON.parse(json) as Record<string, unknown>;
  return JSON.stringify(shown);
}

/** True for a user who calls models without a price at the default one. */
export const acceptsUnsetPrices = ({ settingJson }: User): boolean =>
  settingJson.includes("accept_unset_model_ratio_model") &&
  (JSON.parse(settingJson) as Record<string, unknown>)["accept_unset_model_ratio_model"] === true;

/** A user with the balance; a user without an account has none yet. */
export const toUserProfile = (user: User, account: Account | undefined): UserProfile => ({
  ...toSignedInUser(user),
  email: user.email,
  quota: account ? account.credits - account.spent : 0,
  used_quota: account?.spent ?? 0,
  request_count: account?.requestCount ?? 0,
  aff_code: user.affCode,
  aff_count: user.affCount,
  aff_quota: user.affQuota,
  aff_history_quota: user.affHistoryQuota,
  inviter_id: user.inviterId,
  github_id: user.githubId,
  oidc_id: user.oidcId,
  wechat_id: user.wechatId,
  telegram_id: user.telegramId,
  linux_do_id: user.linuxDoId,
  setting: shownSetting(user.settingJson),
  created_at: user.createdAtSeconds,
  ...(account?.lastCallAtSeconds === undefined ? {} : { last_call_at: account.lastCallAtSeconds }),
  ...(user.adminNote === undefined ? {} : { admin_note: user.adminNote }),
  DeletedAt: user.deletedAtSeconds === 0 ? null : user.deletedAtSeconds,
});

/** Users with their balances. Fails when billing is down: an unknown balance must not read as 0. */
export async function joinAccounts(
  { accounts }: Pick<Services, "accounts">,
  users: readonly User[],
  call: CallOptions,
): Promise<UserProfile[]> {
  if (users.length === 0) return [];
  const found = await accounts.getAccounts({ userIds: users.map((user) => user.id) }, call);
  const byUser = new Map(found.accounts.map((account) => [account.userId, account]));
  return users.map((user) => toUserProfile(user, byUser.get(user.id)));
}
