import type { UserProfile } from "@turnpike/contract/api/user";
import { ROLE, USER_STATUS } from "@turnpike/contract/limits";
import { useTranslation } from "react-i18next";
import { Badge, type BadgeTone } from "../../components/ui/badge.tsx";
import { text } from "../../lib/i18n-source.ts";

const ROLES: Readonly<Record<number, { label: string; tone: BadgeTone }>> = {
  [ROLE.user]: { label: text("普通用户"), tone: "neutral" },
  [ROLE.admin]: { label: text("管理员"), tone: "info" },
  [ROLE.root]: { label: text("超级管理员"), tone: "warn" },
};

/** What a user may do on the site. */
export function RoleBadge({ role }: { readonly role: number }) {
  const { t } = useTranslation();
  const known = ROLES[role];
  return <Badge tone={known?.tone ?? "neutral"}>{t(known?.label ?? text("未知身份"))}</Badge>;
}

const STATES: Readonly<Record<number, { label: string; tone: BadgeTone }>> = {
  [USER_STATUS.active]: { label: text("正常"), tone: "good" },
  [USER_STATUS.banned]: { label: text("已封禁"), tone: "bad" },
  3: { label: text("无法启用"), tone: "bad" },
};

/** Whether a user can sign in and call. */
export function UserState({ user }: { readonly user: Pick<UserProfile, "status" | "DeletedAt"> }) {
  const { t } = useTranslation();
  if (user.DeletedAt !== null) return <Badge dot>{t("已注销")}</Badge>;
  const state = STATES[user.status];
  return (
    <Badge dot tone={state?.tone ?? "neutral"}>
      {t(state?.label ?? text("未知状态"))}
    </Badge>
  );
}
