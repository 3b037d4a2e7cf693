import type { Redemption } from "@turnpike/contract/api/redemption";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import type { DataColumn } from "../../components/data-table/columns.ts";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { CouponState } from "./coupon-state.tsx";

const HIDDEN_FROM = 8;

/** Who used a code last, leading to their account. */
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

/** Columns of the list of codes. */
export const couponColumns = (t: TFunction): readonly DataColumn<Redemption>[] => [
  { id: "id", label: "ID", cell: (coupon) => <span className="font-mono text-xs tabular-nums">{coupon.id}</span> },
  {
    id: "name",
    label: t("名称"),
    fixed: true,
    card: "title",
    cell: (coupon) => (
      <span className="flex items-center gap-1.5">
        <span className="truncate font-medium">{coupon.name}</span>
        {coupon.is_gift && <Badge tone="info">{t("礼品码")}</Badge>}
      </span>
    ),
  },
  { id: "status", label: t("状态"), card: "badge", cell: (coupon) => <CouponState coupon={coupon} /> },
  {
    id: "key",
    label: t("兑换码"),
    card: "fact",
    cell: (coupon) => (
      <span className="inline-flex items-center gap-1">
        <code className="font-mono text-xs">
          {coupon.key.length > HIDDEN_FROM * 2 ? `${coupon.key.slice(0, HIDDEN_FROM)}…` : coupon.key}
        </code>
        <CopyButton value={coupon.key} label={t("复制兑换码")} />
      </span>
    ),
  },
  { id: "quota", label: t("额度"), align: "right", card: "fact", cell: (coupon) => <Money quota={coupon.quota} /> },
  {
    id: "uses",
    label: t("使用次数"),
    align: "right",
    cell: (coupon) =>
      coupon.is_gift ? `${coupon.used_count} / ${coupon.max_uses > 0 ? coupon.max_uses : "∞"}` : coupon.used_count,
  },
  {
    id: "user",
    label: t("使用者 ID"),
    align: "right",
    cell: (coupon) => (coupon.used_user_id === 0 ? null : <UsedBy userId={coupon.used_user_id} />),
  },
  {
    id: "redeemed",
    label: t("使用时间"),
    startsHidden: true,
    cell: (coupon) => (coupon.redeemed_time === 0 ? null : <Time seconds={coupon.redeemed_time} />),
  },
  {
    id: "from",
    label: t("生效时间"),
    startsHidden: true,
    cell: (coupon) =>
      coupon.valid_from === 0 ? (
        <span className="text-muted-foreground">{t("立即生效")}</span>
      ) : (
        <Time seconds={coupon.valid_from} />
      ),
  },
  {
    id: "until",
    label: t("过期时间"),
    card: "fact",
    cell: (coupon) =>
      coupon.valid_until === 0 ? (
        <span className="text-muted-foreground">{t("永不过期")}</span>
      ) : (
        <Time seconds={coupon.valid_until} />
      ),
  },
  { id: "created", label: t("创建时间"), cell: (coupon) => <Time seconds={coupon.created_time} /> },
];
