import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Pagination } from "../../components/data-table/pagination.tsx";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { formatDollars } from "../../lib/format.ts";
import { isMapOf, isNumber } from "../../lib/check.ts";
import { parseJson } from "../../lib/parse-json.ts";
import { channelModelsQuery } from "./channel-models.ts";
import { type PriceRow, priceRows, type PriceTables, withPrice } from "./price-rows.ts";
import type { SettingsSection } from "./use-settings-section.ts";

const PriceDialog = lazy(async () => ({ default: (await import("./price-dialog.tsx")).PriceDialog }));

const isRatios = isMapOf(isNumber);
const PAGE_SIZE = 10;
const NEW_ROW: PriceRow = { name: "", mode: "tokens", inputDollars: 0, outputDollars: 0, callDollars: 0 };

const layOut = (table: Readonly<Record<string, number>>): string => JSON.stringify(table, undefined, 2);

/** The tables as edited so far; undefined while one of the JSON texts is broken. */
function readTables(section: SettingsSection): PriceTables | undefined {
  const modelRatio = parseJson(isRatios, section.valueOf("ModelRatio"));
  const completionRatio = parseJson(isRatios, section.valueOf("CompletionRatio"));
  const modelPrice = parseJson(isRatios, section.valueOf("ModelPrice"));
  return modelRatio && completionRatio && modelPrice && { modelRatio, completionRatio, modelPrice };
}

/** The whole price in one cell, for phones. */
const shortPrice = (row: PriceRow): string => {
  if (row.mode === "unset") return "—";
  if (row.mode === "call") return formatDollars(row.callDollars);
  return `${formatDollars(row.inputDollars)} / ${formatDollars(row.outputDollars)}`;
};

function PriceCells({ row }: { readonly row: PriceRow }) {
  const { t } = useTranslation();
  const cell = "px-3 text-right tabular-nums max-sm:hidden";
  return (
    <>
      <td className="px-3 max-sm:hidden">
        {row.mode === "unset" ? (
          <Badge tone="warn">{t("未设置价格")}</Badge>
        ) : (
          <Badge tone={row.mode === "call" ? "info" : "good"}>
            {row.mode === "call" ? t("按次计费") : t("按量计费")}
          </Badge>
        )}
      </td>
      <td className={cell}>{row.mode === "tokens" ? formatDollars(row.inputDollars) : "—"}</td>
      <td className={cell}>{row.mode === "tokens" ? formatDollars(row.outputDollars) : "—"}</td>
      <td className={cell}>{row.mode === "call" ? formatDollars(row.callDollars) : "—"}</td>
      <td className="px-3 text-right tabular-nums sm:hidden">{shortPrice(row)}</td>
    </>
  );
}

type PriceTableProps = { readonly section: SettingsSection; readonly onlyUnset: boolean };

/** Prices as a table in dollars; what is changed here waits in the section until it is saved. */
export function PriceTable({ section, onlyUnset }: PriceTableProps) {
  const { t } = useTranslation();
  const callable = useQuery(channelModelsQuery);
  const [keyword, setKeyword] = useState("");
  const [page, setPage] = useState(1);
  const [editing, setEditing] = useState<PriceRow>();
  const tables = readTables(section);
  const rows = useMemo(() => (tables ? priceRows(tables, callable.data ?? []) : []), [tables, callable.data]);
  if (!tables) return <p className="py-6 text-center text-bad">{t("JSON 有错误，请先在 JSON 视图中修正。")}</p>;
  const matching = rows.filter(
    ({ name, mode }) => name.toLowerCase().includes(keyword.toLowerCase()) && (!onlyUnset || mode === "unset"),
  );
  const last = Math.max(1, Math.ceil(matching.length / PAGE_SIZE));
  const current = Math.min(page, last);
  const apply = (row: PriceRow): void => {
    const next = withPrice(tables, row);
    section.set("ModelRatio", layOut(next.modelRatio));
    section.set("CompletionRatio", layOut(next.completionRatio));
    section.set("ModelPrice", layOut(next.modelPrice));
    setEditing(undefined);
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <SearchInput
          label={t("搜索模型")}
          value={keyword}
          onSearch={(value) => {
            setKeyword(value);
            setPage(1);
          }}
        />
        {!onlyUnset && (
          <Button onClick={() => setEditing(NEW_ROW)}>
            <Plus />
            {t("添加模型")}
          </Button>
        )}
      </div>
      <div className="relative overflow-x-auto rounded-lg border">
        <table className="w-full text-[13px]">
          <thead>
            <tr className="h-9 border-b bg-surface text-left text-xs whitespace-nowrap text-muted-foreground">
              <th className="px-3 font-medium">{t("模型")}</th>
              <th className="px-3 font-medium max-sm:hidden">{t("计费方式")}</th>
              <th className="px-3 text-right font-medium max-sm:hidden">{t("输入（每百万 Token）")}</th>
              <th className="px-3 text-right font-medium max-sm:hidden">{t("输出（每百万 Token）")}</th>
              <th className="px-3 text-right font-medium max-sm:hidden">{t("每次调用")}</th>
              <th className="px-3 text-right font-medium sm:hidden">{t("价格")}</th>
              <th className="w-px px-2">
                <span className="sr-only">{t("操作")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {matching.slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE).map((row) => (
              <tr key={row.name} className="h-10 border-b last:border-b-0">
                <td className="max-w-36 truncate px-3 font-mono sm:max-w-72 text-xs" title={row.name}>
                  {row.name}
                </td>
                <PriceCells row={row} />
                <td className="px-2">
                  <Button
                    variant="ghost"
                    size="iconSmall"
                    aria-label={t("修改 {{name}} 的价格", { name: row.name })}
                    onClick={() => setEditing(row)}
                  >
                    <Pencil />
                  </Button>
                </td>
              </tr>
            ))}
            {matching.length === 0 && (
              <tr>
                <td colSpan={7} className="py-8 text-center text-muted-foreground">
                  {onlyUnset && keyword === "" ? t("所有渠道的模型都有价格。") : t("没有找到。")}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {last > 1 && <Pagination page={current} pageSize={PAGE_SIZE} total={matching.length} onPage={setPage} />}
      <Suspense>
        {editing && (
          <PriceDialog
            row={editing}
            taken={editing.name === "" ? rows.map(({ name }) => name) : []}
            onApply={apply}
            onClose={() => setEditing(undefined)}
          />
        )}
      </Suspense>
    </div>
  );
}
