import type { UserProfile } from "@turnpike/contract/api/user";
import type { TFunction } from "i18next";
import type { DataColumn } from "../../components/data-table/columns.ts";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { formatCount } from "../../lib/format.ts";
import { RoleBadge, UserState } from "../../domain/users/user-labels.tsx";

function UserName({ user }: { readonly user: UserProfile }) {
  const other = user.display_name !== "" && user.display_name !== user.username ? user.display_name : undefined;
  return (
    <span className="block truncate" title={other === undefined ? user.username : `${user.username} · ${other}`}>
      <span className="font-medium">{user.username}</span>
      {other !== undefined && <span className="ml-1.5 text-muted-foreground">{other}</span>}
    </span>
  );
}

/** Columns of the user list. */
export const userColumns = (t: TFunction): readonly DataColumn<UserProfile>[] => [
  {
    id: "id",
    label: "ID",
    align: "right",
    cell: (user) => <span className="font-mono text-xs">{user.id}</span>,
  },
  { id: "username", label: t("用户名"), fixed: true, card: "title", cell: (user) => <UserName user={user} /> },
  { id: "status", label: t("状态"), card: "badge", cell: (user) => <UserState user={user} /> },
  { id: "role", label: t("身份"), card: "fact", cell: (user) => <RoleBadge role={user.role} /> },
  {
    id: "group",
    label: t("分组"),
    card: "fact",
    cell: (user) => <StatusBadge tone="outline">{user.group}</StatusBadge>,
  },
  { id: "quota", label: t("余额"), align: "right", card: "fact", cell: (user) => <Money quota={user.quota} /> },
  { id: "used", label: t("已用额度"), align: "right", cell: (user) => <Money quota={user.used_quota} /> },
  { id: "requests", label: t("请求次数"), align: "right", cell: (user) => formatCount(user.request_count) },
  {
    id: "email",
    label: t("邮箱"),
    cell: (user) => (
      <span className="block max-w-48 truncate" title={user.email}>
        {user.email}
      </span>
    ),
  },
  {
    id: "invited",
    label: t("邀请人数"),
    align: "right",
    startsHidden: true,
    cell: (user) => formatCount(user.aff_count),
  },
  {
    id: "inviter",
    label: t("邀请人"),
    align: "right",
    startsHidden: true,
    cell: (user) =>
      user.inviter_id === 0 ? (
        <span className="text-muted-foreground">{t("无")}</span>
      ) : (
        <span className="font-mono text-xs">#{user.inviter_id}</span>
      ),
  },
  { id: "created", label: t("创建时间"), startsHidden: true, cell: (user) => <Time seconds={user.created_at} /> },
];
