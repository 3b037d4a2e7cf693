import type { ReportDay, ReportDifference, ReportReason } from "@turnpike/contract/api/channels/provider-report";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { Time } from "../../../components/time.tsx";
import { formatCount, formatDollars } from "../../../lib/text/format.ts";
import { text } from "../../../lib/text/i18n-source.ts";

const NANO = 1e9;
/** Differences that are shown at first. */
const SHOWN_MAX = 50;

const REASONS: Readonly<Record<ReportReason, { readonly label: string; readonly help: string }>> = {
  unseen: { label: text("日志里没有"), help: text("上游计了费，但日志里没有对应的调用。") },
  unreported: { label: text("上游没有报告"), help: text("日志里有这些用量，上游的报告里没有。") },
  tier: { label: text("服务等级不同"), help: text("同样的 Token，上游按另一个服务等级计费。") },
  cache: { label: text("缓存不同"), help: text("同样的提示，上游算作另一种缓存状态。") },
  price: { label: text("价格不同"), help: text("用量一致，上游的价格与目录不同。") },
  rounding: { label: text("舍入"), help: text("账单按分舍入造成的差额。") },
};

/** Nanodollars as dollars. */
export const formatNano = (nano: number | null): string => (nano === null ? "?" : formatDollars(nano / NANO));

const withSign = (value: number, shown: string): string => (value > 0 ? `+${shown}` : shown);

function Difference({ difference }: { readonly difference: ReportDifference }) {
  const { t } = useTranslation();
  const { reason, model, kind, tier, counted_as: countedAs, tokens, cost } = difference;
  const { label, help } = REASONS[reason];
  const place = [kind, tier].filter((part) => part !== "").join(", ");
  return (
    <li className="flex flex-col gap-0.5 border-b py-2 text-[13px] last:border-b-0">
      <div className="flex flex-wrap items-center gap-2">
        <StatusBadge tone={reason === "rounding" ? "neutral" : "warn"}>{t(label)}</StatusBadge>
        {model !== "" && <span className="font-mono text-xs font-medium break-all">{model}</span>}
        {place !== "" && <span className="text-muted-foreground">{place}</span>}
        <span className="ml-auto font-medium tabular-nums">
          {cost === null ? t("价格未知") : withSign(cost, formatNano(cost))}
        </span>
      </div>
      <span className="text-xs text-muted-foreground">
        {t(help)}
        {countedAs !== "" && ` ${t("日志：{{name}}。", { name: countedAs })}`}
        {tokens !== 0 && (
          <>
            {" "}
            <span className="tabular-nums">
              {t("{{tokens}} 个 Token", { tokens: withSign(tokens, formatCount(tokens)) })}
            </span>
          </>
        )}
      </span>
    </li>
  );
}

/** A compared day: what both sides have, and every difference with its reason and amount. */
export function ReportDayView({ day }: { readonly day: ReportDay }) {
  const { t } = useTranslation();
  const { problem, cost, reported_cost: reported, differences } = day;
  const rest = differences.length - SHOWN_MAX;
  return (
    <div className="flex flex-col gap-2">
      {problem !== "" && <Notice tone="bad">{t("无法获取报告：{{detail}}", { detail: problem })}</Notice>}
      <p className="text-[13px] tabular-nums">
        {t("上游账单 {{reported}}，按目录价格的日志 {{cost}}，相差 {{difference}}。", {
          reported: formatNano(reported),
          cost: formatNano(cost),
          difference: formatNano(cost === null ? null : reported - cost),
        })}{" "}
        {t("{{calls}} 次调用，其中 {{estimated}} 次的用量是估算。", {
          calls: formatCount(day.calls),
          estimated: formatCount(day.estimated_calls),
        })}{" "}
        <span className="text-muted-foreground">
          {t("比较于")} <Time seconds={day.checked_at} />
        </span>
      </p>
      {differences.length === 0 && problem === "" && <Notice tone="good">{t("报告与日志一致。")}</Notice>}
      {differences.length > 0 && (
        <ul aria-label={t("差异")}>
          {differences.slice(0, SHOWN_MAX).map((difference) => (
            <Difference
              key={`${difference.reason} ${difference.model} ${difference.kind} ${difference.tier} ${difference.counted_as}`}
              difference={difference}
            />
          ))}
        </ul>
      )}
      {rest > 0 && (
        <p className="text-[13px] text-muted-foreground">{t("还有 {{count}} 项更小的差异。", { count: rest })}</p>
      )}
    </div>
  );
}
