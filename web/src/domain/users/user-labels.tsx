import type { UserProfile } from "@turnpike/contract/api/user";
import { ROLE, USER_STATUS } from "@turnpike/contract/codes";
import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { text } from "../../lib/text/i18n-source.ts";

const ROLES: Readonly<Record<number, { label: string; tone: StatusTone }>> = {
  [ROLE.user]: { label: text("普通用户"), tone: "neutral" },
  [ROLE.admin]: { label: text("管理员"), tone: "info" },
  [ROLE.root]: { label: text("超级管理员"), tone: "warn" },
};

/** A user's role. */
export function RoleBadge({ role }: { readonly role: number }) {
  const { t } = useTranslation();
  const known = ROLES[role];
  return <StatusBadge tone={known?.tone ?? "neutral"}>{t(known?.label ?? text("未知身份"))}</StatusBadge>;
}

const STATES: Readonly<Record<number, { label: string; tone: StatusTone }>> = {
  [USER_STATUS.active]: { label: text("正常"), tone: "good" },
  [USER_STATUS.banned]: { label: text("已封禁"), tone: "bad" },
  3: { label: text("无法启用"), tone: "bad" },
};

/** A user's status: whether they can sign in and make calls. */
export function UserState({ user }: { readonly user: Pick<UserProfile, "status" | "DeletedAt"> }) {
  const { t } = useTranslation();
  if (user.DeletedAt !== null) return <StatusBadge dot>{t("已注销")}</StatusBadge>;
  const state = STATES[user.status];
  return (
    <StatusBadge dot tone={state?.tone ?? "neutral"}>
      {t(state?.label ?? text("未知状态"))}
    </StatusBadge>
  );
}
