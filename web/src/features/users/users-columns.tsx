import type { UserProfile } from "@turnpike/contract/api/user";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { MoneySum } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { formatCount } from "../../lib/text/format.ts";
import { RoleBadge, UserState } from "../../domain/users/user-labels.tsx";

function UserName({ user }: { readonly user: UserProfile }) {
  const other = user.display_name !== "" && user.display_name !== user.username ? user.display_name : undefined;
  return (
    <span className="block truncate" title={other === undefined ? user.username : `${user.username} · ${other}`}>
      <Link
        to="/admin/customers/$id"
        params={{ id: String(user.id) }}
        className="font-medium underline-offset-4 hover:underline"
      >
        {user.username}
      </Link>
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
  {
    id: "quota",
    label: t("余额"),
    align: "right",
    card: "fact",
    sortKey: "balance",
    cell: (user) => <MoneySum quota={user.quota} />,
  },
  {
    id: "used",
    label: t("已用额度"),
    align: "right",
    sortKey: "spent",
    cell: (user) => <MoneySum quota={user.used_quota} />,
  },
  { id: "requests", label: t("请求次数"), align: "right", cell: (user) => formatCount(user.request_count) },
  {
    id: "last-call",
    label: t("最近调用"),
    sortKey: "last_call",
    cell: (user) =>
      user.last_call_at === undefined ? (
        <span className="text-muted-foreground">{t("无")}</span>
      ) : (
        <Time seconds={user.last_call_at} />
      ),
  },
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
