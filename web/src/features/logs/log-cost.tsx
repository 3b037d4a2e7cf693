import type { AdminLogEntry } from "@turnpike/contract/api/log";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { text } from "../../lib/text/i18n-source.ts";

const SOURCES: Readonly<Record<string, string>> = {
  catalogue: text("按价格目录"),
  table: text("按自有价格表"),
  reported: text("按上游的报告"),
  reseller: text("按上级站点的价格表"),
  cache: text("来自缓存，没有调用上游"),
};

/** What the upstream charges for a call, and what is left of the charge: for administrators, who alone receive it. */
export function LogCost({ entry }: { readonly entry: AdminLogEntry }) {
  const { t } = useTranslation();
  const { cost, cost_source: source = "", quota, refunded = 0 } = entry;
  if (cost === undefined) return null;
  const named = SOURCES[source];
  const note = named === undefined ? "" : t("（{{source}}）", { source: t(named) });
  const margin = cost === null ? undefined : quota - refunded - cost;
  return (
    <section className="flex flex-col gap-1">
      <h2 className="text-xs font-medium text-muted-foreground">{t("成本和毛利，仅管理员可见")}</h2>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-[13px]">
        <div className="flex gap-2">
          <dt className="text-muted-foreground">{t("成本")}</dt>
          <dd>
            {cost === null ? t("未知") : <Money quota={cost} />} <span className="text-muted-foreground">{note}</span>
          </dd>
        </div>
        {refunded > 0 && (
          <div className="flex gap-2">
            <dt className="text-muted-foreground">{t("已退还")}</dt>
            <dd>
              <Money quota={refunded} />
            </dd>
          </div>
        )}
        {margin !== undefined && (
          <div className="flex gap-2">
            <dt className="text-muted-foreground">{t("毛利")}</dt>
            <dd>
              <Money quota={margin} className={margin < 0 ? "text-destructive" : ""} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
