import type { ModelFactsView, PricingDetails, TierPricing } from "@turnpike/contract/api/prices/pricing";
import { useTranslation } from "react-i18next";
import { formatCount, formatPrice, formatRatio } from "../../lib/text/format.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { FIELD_LABELS } from "./rule-fields.ts";
import { KIND_LABELS } from "./token-kinds.ts";

/** What the service tiers are called. */
export const TIER_LABELS: Readonly<Record<string, string>> = {
  "": text("标准"),
  flex: text("弹性（flex）"),
  priority: text("优先（priority）"),
  batch: text("批量（batch）"),
  fast: text("快速（fast）"),
};

/** Columns in the order in which the kinds are known. */
const listKinds = (prices: readonly TierPricing[]): readonly string[] => {
  const used = new Set(prices.flatMap(({ rates }) => Object.keys(rates)));
  return Object.keys(KIND_LABELS).filter((kind) => used.has(kind));
};

type TableProps = { readonly prices: readonly TierPricing[]; readonly factor: number };

/** The same prices one below the other, where a table is too wide. */
function TierList({ prices, factor }: TableProps) {
  const { t } = useTranslation();
  return (
    <ul className="flex flex-col gap-1.5 text-[13px] lg:hidden">
      {prices.map(({ tier, above, rates }) => (
        <li key={`${tier} ${above}`} className="flex flex-wrap gap-x-3 tabular-nums">
          <span className="font-medium">{t(TIER_LABELS[tier] ?? tier)}</span>
          {above > 0 && <span>{t("超过 {{tokens}}", { tokens: formatCount(above) })}</span>}
          {listKinds(prices).flatMap((kind) =>
            rates[kind] === undefined ? (
              []
            ) : (
              <span key={kind} className="text-muted-foreground">
                {t(KIND_LABELS[kind] ?? kind)} {formatPrice(rates[kind] * factor)}
              </span>
            ),
          )}
        </li>
      ))}
    </ul>
  );
}

/** Prices per million tokens: a row for each tier and prompt length, a column for each kind of token. */
function TierTable({ prices, factor }: TableProps) {
  const { t } = useTranslation();
  const kinds = listKinds(prices);
  return (
    <section aria-label={t("各等级和分段的价格")}>
      <TierList prices={prices} factor={factor} />
      <table className="text-[13px] whitespace-nowrap max-lg:hidden">
        <thead>
          <tr className="text-xs text-muted-foreground">
            <th className="py-1 pr-4 text-left font-normal">{t("服务等级")}</th>
            <th className="py-1 pr-4 text-left font-normal">{t("提示长度")}</th>
            {kinds.map((kind) => (
              <th key={kind} className="py-1 pl-4 text-right font-normal">
                {t(KIND_LABELS[kind] ?? kind)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {prices.map(({ tier, above, rates }) => (
            <tr key={`${tier} ${above}`} className="border-t">
              <th className="py-1 pr-4 text-left font-normal">{t(TIER_LABELS[tier] ?? tier)}</th>
              <td className="py-1 pr-4 tabular-nums">
                {above === 0 ? "—" : t("超过 {{tokens}}", { tokens: formatCount(above) })}
              </td>
              {kinds.map((kind) => (
                <td key={kind} className="py-1 pl-4 text-right tabular-nums">
                  {rates[kind] === undefined ? "—" : formatPrice(rates[kind] * factor)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function useFactTexts(facts: ModelFactsView): readonly string[] {
  const { t } = useTranslation();
  const { context, max_output: longest, input, output, deprecated_on: end } = facts;
  const texts = [
    context !== undefined && t("上下文 {{tokens}}", { tokens: formatCount(context) }),
    longest !== undefined && t("最多输出 {{tokens}}", { tokens: formatCount(longest) }),
    input && t("输入：{{kinds}}", { kinds: input.join(", ") }),
    output && t("输出：{{kinds}}", { kinds: output.join(", ") }),
    facts.tools === true && t("工具调用"),
    facts.reasoning === true && t("推理"),
    end !== undefined && t("停用日期 {{day}}", { day: end }),
  ];
  return texts.filter((fact) => typeof fact === "string");
}

type PriceDetailsProps = { readonly details: PricingDetails; readonly factor: number };

/** Everything about a model's price that its ratios cannot express, and what is known about the model. `factor` is the group's ratio. */
export function PriceDetails({ details, factor }: PriceDetailsProps) {
  const { t } = useTranslation();
  const facts = useFactTexts(details.facts);
  const pieces = Object.entries(details.pieces);
  const regions = Object.entries(details.regions);
  // The price list calls pieces "image 1k", rules "per_image 1k".
  const toLabel = (piece: string): string => {
    const [field = "", ...variant] = piece.split(" ");
    const label = FIELD_LABELS[field] ?? FIELD_LABELS[`per_${field}`] ?? field;
    return [t(label), ...variant].filter((part) => part !== "*").join(" ");
  };
  return (
    <div className="flex flex-col gap-2">
      {details.prices.length > 0 && (
        <>
          <TierTable prices={details.prices} factor={factor} />
          <p className="text-xs text-muted-foreground">
            {t("每百万 Token 的价格。提示超过一个分段时，整次调用按该分段计费；等级以回答里的为准。")}
          </p>
        </>
      )}
      {pieces.length > 0 && (
        <p className="text-[13px] tabular-nums">
          {t("按件计费：{{prices}}", {
            prices: pieces.map(([kind, dollars]) => `${toLabel(kind)} ${formatPrice(dollars * factor)}`).join(", "),
          })}
        </p>
      )}
      {regions.length > 0 && (
        <p className="text-[13px] tabular-nums">
          {t("地区系数：{{regions}}", {
            regions: regions.map(([region, ratio]) => `${region} × ${formatRatio(ratio)}`).join(", "),
          })}
        </p>
      )}
      {facts.length > 0 && <p className="text-xs text-muted-foreground">{facts.join(" · ")}</p>}
    </div>
  );
}
