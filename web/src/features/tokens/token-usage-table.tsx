import type { TokenUsage } from "@turnpike/contract/api/token";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { formatCount } from "../../lib/format.ts";
import { byDay } from "./token-usage.ts";

/** What a token has used, day by day and model by model. */
export function UsageTable({ uses }: { readonly uses: TokenUsage["uses"] }) {
  const { t } = useTranslation();
  return (
    <table className="w-full border-separate border-spacing-0 text-[13px]">
      <thead>
        <tr className="text-left text-xs text-muted-foreground *:border-b *:py-1.5 *:pr-2 *:font-medium">
          <th scope="col">{t("模型")}</th>
          <th scope="col" className="text-right">
            {t("请求次数")}
          </th>
          <th scope="col" className="text-right max-sm:hidden">
            {t("提示 token")}
          </th>
          <th scope="col" className="text-right max-sm:hidden">
            {t("回答 token")}
          </th>
          <th scope="col" className="text-right">
            {t("花费")}
          </th>
        </tr>
      </thead>
      <tbody>
        {byDay(uses).map(({ day, uses: own }) => (
          <Fragment key={day}>
            <tr>
              <th scope="rowgroup" colSpan={5} className="pt-3 pb-1 text-left font-semibold tabular-nums">
                {day}
              </th>
            </tr>
            {own.map((use) => (
              <tr key={use.model_name} className="tabular-nums *:border-b *:py-1.5 *:pr-2">
                <td className="max-w-48 truncate" title={use.model_name}>
                  {use.model_name}
                </td>
                <td className="text-right">{formatCount(use.request_count)}</td>
                <td className="text-right max-sm:hidden">{formatCount(use.prompt_tokens)}</td>
                <td className="text-right max-sm:hidden">{formatCount(use.completion_tokens)}</td>
                <td className="text-right">
                  <Money quota={use.quota} />
                </td>
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}
