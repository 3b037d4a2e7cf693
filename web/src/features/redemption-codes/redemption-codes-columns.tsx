import type { Redemption } from "@turnpike/contract/api/redemption";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { RedemptionCodeState } from "./redemption-code-state.tsx";

const HIDDEN_FROM = 8;

/** The last user of a code, linked to their account. */
function UsedBy({ userId }: { readonly userId: number }) {
  return (
    <Link
      to="/admin/users"
      search={{ keyword: String(userId) }}
      className="font-mono text-xs text-accent-text underline-offset-4 hover:underline"
    >
      {userId}
    </Link>
  );
}

const identityColumns = (t: TFunction): readonly DataColumn<Redemption>[] => [
  {
    id: "id",
    label: "ID",
    cell: (redemptionCode) => <span className="font-mono text-xs tabular-nums">{redemptionCode.id}</span>,
  },
  {
    id: "name",
    label: t("名称"),
    fixed: true,
    card: "title",
    cell: (redemptionCode) => (
      <span className="flex items-center gap-1.5">
        <span className="truncate font-medium">{redemptionCode.name}</span>
        {redemptionCode.is_gift && <StatusBadge tone="info">{t("礼品码")}</StatusBadge>}
      </span>
    ),
  },
  {
    id: "status",
    label: t("状态"),
    card: "badge",
    cell: (redemptionCode) => <RedemptionCodeState redemptionCode={redemptionCode} />,
  },
  {
    id: "key",
    label: t("兑换码"),
    card: "fact",
    cell: (redemptionCode) => (
      <span className="inline-flex items-center gap-1">
        <code className="font-mono text-xs">
          {redemptionCode.key.length > HIDDEN_FROM * 2
            ? `${redemptionCode.key.slice(0, HIDDEN_FROM)}…`
            : redemptionCode.key}
        </code>
        <CopyButton value={redemptionCode.key} label={t("复制兑换码")} />
      </span>
    ),
  },
  {
    id: "quota",
    label: t("额度"),
    align: "right",
    card: "fact",
    cell: (redemptionCode) => <Money quota={redemptionCode.quota} />,
  },
];

const usageColumns = (t: TFunction): readonly DataColumn<Redemption>[] => [
  {
    id: "uses",
    label: t("使用次数"),
    align: "right",
    cell: (redemptionCode) =>
      redemptionCode.is_gift
        ? `${redemptionCode.used_count} / ${redemptionCode.max_uses > 0 ? redemptionCode.max_uses : "∞"}`
        : redemptionCode.used_count,
  },
  {
    id: "user",
    label: t("使用者 ID"),
    align: "right",
    cell: (redemptionCode) =>
      redemptionCode.used_user_id === 0 ? null : <UsedBy userId={redemptionCode.used_user_id} />,
  },
  {
    id: "redeemed",
    label: t("使用时间"),
    startsHidden: true,
    cell: (redemptionCode) =>
      redemptionCode.redeemed_time === 0 ? null : <Time seconds={redemptionCode.redeemed_time} />,
  },
  {
    id: "from",
    label: t("生效时间"),
    startsHidden: true,
    cell: (redemptionCode) =>
      redemptionCode.valid_from === 0 ? (
        <span className="text-muted-foreground">{t("立即生效")}</span>
      ) : (
        <Time seconds={redemptionCode.valid_from} />
      ),
  },
  {
    id: "until",
    label: t("过期时间"),
    card: "fact",
    cell: (redemptionCode) =>
      redemptionCode.valid_until === 0 ? (
        <span className="text-muted-foreground">{t("永不过期")}</span>
      ) : (
        <Time seconds={redemptionCode.valid_until} />
      ),
  },
  { id: "created", label: t("创建时间"), cell: (redemptionCode) => <Time seconds={redemptionCode.created_time} /> },
];

/** Columns of the code list. */
export const redemptionCodeColumns = (t: TFunction): readonly DataColumn<Redemption>[] => [
  ...identityColumns(t),
  ...usageColumns(t),
];
