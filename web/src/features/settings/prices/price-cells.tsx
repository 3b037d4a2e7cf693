import { Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { formatDollars } from "../../../lib/format.ts";
import type { PriceRow } from "./price-rows.ts";

/** The whole price in one cell, for phones: one line, or one for each direction. */
const shortPrice = (row: PriceRow): readonly string[] => {
  if (row.mode === "unset") return ["—"];
  if (row.mode === "call") return [formatDollars(row.callDollars)];
  return [`${formatDollars(row.inputDollars)} /`, formatDollars(row.outputDollars)];
};

/** How a model is priced and its prices. */
function PriceCells({ row }: { readonly row: PriceRow }) {
  const { t } = useTranslation();
  const cell = "px-3 text-right tabular-nums max-sm:hidden";
  return (
    <>
      <td className="px-3 max-sm:hidden">
        {row.mode === "unset" ? (
          <StatusBadge tone="warn">{t("未设置价格")}</StatusBadge>
        ) : (
          <StatusBadge tone={row.mode === "call" ? "info" : "good"}>
            {row.mode === "call" ? t("按次计费") : t("按量计费")}
          </StatusBadge>
        )}
      </td>
      <td className={cell}>{row.mode === "tokens" ? formatDollars(row.inputDollars) : "—"}</td>
      <td className={cell}>{row.mode === "tokens" ? formatDollars(row.outputDollars) : "—"}</td>
      <td className={cell}>{row.mode === "call" ? formatDollars(row.callDollars) : "—"}</td>
      <td className="px-3 text-right tabular-nums sm:hidden">
        {shortPrice(row).map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </td>
    </>
  );
}

type PriceLineProps = {
  readonly row: PriceRow;
  readonly isChosen: boolean;
  readonly onChoose: (on: boolean) => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
};

/** One model of the price table with what can be done about it. */
export function PriceLine({ row, isChosen, onChoose, onEdit, onRemove }: PriceLineProps) {
  const { t } = useTranslation();
  const { name, mode } = row;
  return (
    <tr className="h-10 border-b last:border-b-0">
      <td className="pl-3">
        <Checkbox aria-label={t("选择 {{name}}", { name })} checked={isChosen} onCheckedChange={onChoose} />
      </td>
      <td className="max-w-36 truncate px-3 font-mono text-xs sm:max-w-72" title={name}>
        {name}
      </td>
      <PriceCells row={row} />
      <td className="px-2 text-right whitespace-nowrap">
        <Button variant="ghost" size="icon-sm" aria-label={t("修改 {{name}} 的价格", { name })} onClick={onEdit}>
          <Pencil />
        </Button>
        {mode !== "unset" && (
          <Button
            variant="ghost"
            size="icon-sm"
            className="max-sm:hidden"
            aria-label={t("移除 {{name}} 的价格", { name })}
            onClick={onRemove}
          >
            <Trash2 />
          </Button>
        )}
      </td>
    </tr>
  );
}

/** The columns of the price table; `lead` before them. */
export function PriceHead({ lead }: { readonly lead: ReactNode }) {
  const { t } = useTranslation();
  const numeric = "px-3 text-right font-medium max-sm:hidden";
  return (
    <thead>
      <tr className="h-9 border-b bg-surface text-left text-xs whitespace-nowrap text-muted-foreground">
        <th className="w-px pl-3">{lead}</th>
        <th className="px-3 font-medium">{t("模型")}</th>
        <th className="px-3 font-medium max-sm:hidden">{t("计费方式")}</th>
        <th className={numeric}>{t("输入（每百万 Token）")}</th>
        <th className={numeric}>{t("输出（每百万 Token）")}</th>
        <th className={numeric}>{t("每次调用")}</th>
        <th className="px-3 text-right font-medium sm:hidden">{t("价格")}</th>
        <th className="w-px px-2">
          <span className="sr-only">{t("操作")}</span>
        </th>
      </tr>
    </thead>
  );
}
