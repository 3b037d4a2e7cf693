import type { Margin, MarginDimension, Margins } from "@turnpike/contract/api/prices/margin";
import type { GetMarginsResponse, Margin as StoredMargin } from "@turnpike/proto/billing/v1/report_service";

const toMargin = (margin: StoredMargin): Margin => ({
  key: margin.key,
  name: margin.name,
  count: margin.count,
  quota: margin.quota,
  refunded: margin.refunded,
  known_count: margin.knownCount,
  known_quota: margin.knownQuota,
  cost: margin.cost,
  margin: margin.knownQuota - margin.cost,
});

const NO_MARGIN: StoredMargin = {
  key: "",
  name: "",
  count: 0,
  quota: 0,
  refunded: 0,
  knownCount: 0,
  knownQuota: 0,
  cost: 0,
};

/** The margins as the console shows them. */
export const toMargins = ({ firstDay, rows, total, rowCount }: GetMarginsResponse): Margins => ({
  first_day: firstDay,
  rows: rows.map(toMargin),
  total: toMargin(total ?? NO_MARGIN),
  row_count: rowCount,
});

type Language = "zh" | "en";

const KEY: Readonly<Record<MarginDimension, Readonly<Record<Language, readonly string[]>>>> = {
  channel: { zh: ["渠道", "渠道名称"], en: ["Channel", "Channel name"] },
  model: { zh: ["模型"], en: ["Model"] },
  group: { zh: ["分组"], en: ["Group"] },
  user: { zh: ["用户 ID", "用户"], en: ["User ID", "User"] },
  day: { zh: ["日期"], en: ["Day"] },
};
const FIGURES: Readonly<Record<Language, readonly string[]>> = {
  zh: ["调用次数", "收费额度", "退还额度", "已知成本的次数", "已知成本的收费", "成本", "毛利", "毛利（美元）"],
  en: [
    "Calls",
    "Charged",
    "Refunded",
    "Calls of known cost",
    "Charged for them",
    "Upstream cost",
    "Margin",
    "Margin in dollars",
  ],
};

const toDay = (key: string): string => new Date(Number(key) * 1000).toISOString().slice(0, 10);

/** The lines of a file of margins, with their head; amounts in quota units. */
export function toMarginLines(
  { rows }: Margins,
  { by, language, quotaPerUnit }: { by: MarginDimension; language: Language; quotaPerUnit: number },
): (string | number)[][] {
  const head = [...KEY[by][language], ...FIGURES[language]];
  const lines = rows.map((row) => {
    const key = by === "day" ? [toDay(row.key)] : KEY[by].en.length > 1 ? [row.key, row.name] : [row.key];
    const figures = [row.count, row.quota, row.refunded, row.known_count, row.known_quota, row.cost, row.margin];
    return [...key, ...figures, Number((row.margin / quotaPerUnit).toFixed(6))];
  });
  return [head, ...lines];
}
