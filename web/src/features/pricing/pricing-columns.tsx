import type { ModelPricing } from "@turnpike/contract/api/prices/pricing";
import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/dollars";
import type { TFunction } from "i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Hint } from "../../components/hint.tsx";
import { formatPrice, formatRatio } from "../../lib/text/format.ts";

export const PER_CALL_BILLING = 1;

function PerMillion({ ratios }: { readonly ratios: readonly number[] }) {
  const product = ratios.reduce((total, ratio) => total * ratio, 1);
  return (
    <Hint text={ratios.map(formatRatio).join(" × ")}>
      <span>{formatPrice(product * DOLLARS_PER_MILLION)}</span>
    </Hint>
  );
}

/** Columns of the price list, for one group. */
export function pricingColumns(t: TFunction, group: string, groupRatio: number): readonly DataColumn<ModelPricing>[] {
  const perToken =
    (extra: (row: ModelPricing) => number) =>
    (row: ModelPricing): React.ReactNode =>
      row.is_set && row.quota_type !== PER_CALL_BILLING ? (
        <PerMillion ratios={[row.model_ratio, extra(row), groupRatio]} />
      ) : (
        "—"
      );
  return [
    {
      id: "model",
      label: t("模型"),
      fixed: true,
      card: "title",
      cell: (row) => (
        <span className="inline-flex max-w-full items-center gap-1">
          <span className="truncate font-mono text-xs" title={row.model_name}>
            {row.model_name}
          </span>
          <CopyButton value={row.model_name} label={t("复制模型名")} />
        </span>
      ),
    },
    {
      id: "billing",
      label: t("计费方式"),
      card: "badge",
      cell: (row) =>
        row.is_set ? (
          <StatusBadge tone={row.quota_type === PER_CALL_BILLING ? "info" : "good"}>
            {row.quota_type === PER_CALL_BILLING ? t("按次计费") : t("按量计费")}
          </StatusBadge>
        ) : (
          <StatusBadge tone="warn">{t("未设置价格")}</StatusBadge>
        ),
    },
    {
      id: "available",
      label: t("可用分组"),
      cell: (row) => (
        <span className="inline-flex flex-wrap gap-1">
          {row.enable_groups.map((name) => (
            <StatusBadge key={name} tone={name === group ? "good" : "neutral"}>
              {name}
            </StatusBadge>
          ))}
        </span>
      ),
    },
    { id: "prompt", label: t("输入（每百万 Token）"), align: "right", card: "fact", cell: perToken(() => 1) },
    {
      id: "completion",
      label: t("输出（每百万 Token）"),
      align: "right",
      card: "fact",
      cell: perToken((row) => row.completion_ratio),
    },
    { id: "cache", label: t("缓存读取（每百万 Token）"), align: "right", cell: perToken((row) => row.cache_ratio) },
    {
      id: "call",
      label: t("每次调用"),
      align: "right",
      card: "fact",
      cell: (row) =>
        row.is_set && row.quota_type === PER_CALL_BILLING ? (
          <Hint text={[row.model_price, groupRatio].map(formatRatio).join(" × ")}>
            <span>{formatPrice(row.model_price * groupRatio)}</span>
          </Hint>
        ) : (
          "—"
        ),
    },
  ];
}
