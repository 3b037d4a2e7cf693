import type { LogDetails, LogEntry } from "@turnpike/contract/api/log";
import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/price-unit";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { formatCount, formatDollars, formatQuota, formatRatio } from "../../lib/format.ts";
import { useMoneyDisplay } from "../../lib/status.ts";
import { type Bill, toBill } from "./bill.ts";

/** What every line is multiplied by: the group's ratio, and what a cached answer costs. */
const sharedFactors = ({ groupRatio, cachedRatio }: Bill): readonly number[] =>
  cachedRatio === 1 ? [groupRatio] : [groupRatio, cachedRatio];

const product = (factors: readonly number[]): number => factors.reduce((all, factor) => all * factor, 1);

function TokenBill({ bill, entry }: { readonly bill: Extract<Bill, { mode: "tokens" }>; readonly entry: LogEntry }) {
  const { t } = useTranslation();
  const display = useMoneyDisplay();
  const cell = "py-1 pl-4 text-right tabular-nums";
  return (
    <table className="w-full max-w-2xl text-[13px] whitespace-nowrap">
      <thead>
        <tr className="text-xs text-muted-foreground">
          <th className="py-1 text-left font-normal">{t("项目")}</th>
          <th className="py-1 pl-4 text-right font-normal">{t("Token 数")}</th>
          <th className="py-1 pl-4 text-right font-normal max-sm:hidden">{t("倍率")}</th>
          <th className="py-1 pl-4 text-right font-normal">{t("每百万 Token 价格")}</th>
          <th className="py-1 pl-4 text-right font-normal">{t("费用")}</th>
        </tr>
      </thead>
      <tbody>
        {bill.lines.map(({ label, tokens, ratio, quota }) => (
          <tr key={label} className="border-t">
            <td className="py-1">{t(label)}</td>
            <td className={cell}>{formatCount(tokens)}</td>
            <td className={`${cell} max-sm:hidden`}>
              {[bill.modelRatio, ratio, ...sharedFactors(bill)].map(formatRatio).join(" × ")}
            </td>
            <td className={cell}>
              {formatDollars(product([bill.modelRatio, ratio, ...sharedFactors(bill)]) * DOLLARS_PER_MILLION)}
            </td>
            <td className={cell}>{formatQuota(display.inCurrency ? quota : Math.round(quota), display)}</td>
          </tr>
        ))}
        {bill.surcharges.map(({ name, count, dollars, per, quota }) => (
          <tr key={name} className="border-t">
            <td className="py-1 font-mono text-xs">{name}</td>
            <td className={cell}>{formatCount(count)}</td>
            <td className={`${cell} max-sm:hidden`}>{`× ${sharedFactors(bill).map(formatRatio).join(" × ")}`}</td>
            <td className={cell}>
              {t("{{price}} / {{per}}", { price: formatDollars(dollars), per: formatCount(per) })}
            </td>
            <td className={cell}>{formatQuota(display.inCurrency ? quota : Math.round(quota), display)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t font-medium">
          <td className="py-1" colSpan={3}>
            {t("合计（取整到额度单位）")}
          </td>
          <td className="max-sm:hidden" />
          <td className={cell}>
            <Money quota={entry.quota} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function CallBill({ bill, entry }: { readonly bill: Extract<Bill, { mode: "call" }>; readonly entry: LogEntry }) {
  const { t } = useTranslation();
  const group = sharedFactors(bill).map(formatRatio).join(" × ");
  const price = formatDollars(bill.dollars);
  return (
    <p className="text-[13px] tabular-nums">
      {bill.pieces === 1
        ? t("按次计费：{{price}} × 分组倍率 {{group}}", { price, group })
        : t("按件计费：{{price}} × {{pieces}} × 分组倍率 {{group}}", {
            price,
            group,
            pieces: formatRatio(bill.pieces),
          })}
      {bill.surcharges.map(({ name, count, dollars, per }) => (
        <span key={name}>
          {" + "}
          <code className="font-mono text-xs">{name}</code> {formatCount(count)} × {formatDollars(dollars / per)} ×{" "}
          {group}
        </span>
      ))}
      {" = "}
      <Money quota={entry.quota} className="font-medium" />
    </p>
  );
}

type LogBillProps = { readonly entry: LogEntry; readonly details: LogDetails };

/** Why a call cost what it cost. */
export function LogBill({ entry, details }: LogBillProps) {
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoneyDisplay();
  const bill = toBill(entry, details, quotaPerUnit);
  if (!bill) return null;
  return (
    <section className="flex flex-col gap-1 overflow-x-auto">
      <h2 className="text-xs font-medium text-muted-foreground">{t("账单")}</h2>
      {bill.mode === "tokens" ? <TokenBill bill={bill} entry={entry} /> : <CallBill bill={bill} entry={entry} />}
      {bill.mode === "tokens" && (
        <p className="text-xs text-muted-foreground">
          {t("倍率依次为：模型 × 项目 × 分组。倍率 1 等于每百万 Token $2。")}
        </p>
      )}
      {bill.cachedRatio !== 1 && (
        <p className="text-xs text-muted-foreground">
          {t("回答来自缓存，最后再乘以 {{ratio}}。", { ratio: formatRatio(bill.cachedRatio) })}
        </p>
      )}
      {details.usage_estimated === true && (
        <p className="text-xs text-warn">{t("上游没有报告用量，Token 数由网关估算。")}</p>
      )}
    </section>
  );
}
