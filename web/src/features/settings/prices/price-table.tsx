import { useQuery } from "@tanstack/react-query";
import { PAGE_SIZES } from "@turnpike/contract/limits";
import { Plus } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Pagination } from "../../../components/data-table/pagination.tsx";
import { SearchInput } from "../../../components/data-table/search-input.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { notifyProblem } from "../../../lib/toast.ts";
import type { SettingsSection } from "../section/use-settings-section.ts";
import { channelModelsQuery } from "./channel-models.ts";
import { PriceHead, PriceLine } from "./price-cells.tsx";
import { type PriceRow, priceRows, type PriceTables, withPrice } from "./price-rows.ts";
import { readTables, withBatch, writeTables } from "./price-tables.ts";

const PriceDialog = lazy(async () => ({ default: (await import("./price-dialog.tsx")).PriceDialog }));
const BatchDialog = lazy(async () => ({ default: (await import("./batch-dialog.tsx")).BatchDialog }));

const NEW_ROW: PriceRow = { name: "", mode: "tokens", inputDollars: 0, outputDollars: 0, callDollars: 0 };

type PriceTableProps = { readonly section: SettingsSection; readonly onlyUnset: boolean };

/** Prices as a table in dollars; what is changed here waits in the section until it is saved. */
export function PriceTable({ section, onlyUnset }: PriceTableProps) {
  const { t } = useTranslation();
  const tables = readTables(section);
  if (!tables) return <p className="py-6 text-center text-destructive">{t("JSON 有错误，请先在 JSON 视图中修正。")}</p>;
  return <OpenPriceTable section={section} onlyUnset={onlyUnset} tables={tables} />;
}

/** The rows that a keyword finds, a page at a time, and which of them are chosen. */
function useFoundRows(rows: readonly PriceRow[]) {
  const [keyword, setKeyword] = useState("");
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState<number>(PAGE_SIZES[0]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const wanted = keyword.toLowerCase();
  const matching = rows.filter(({ name }) => name.toLowerCase().includes(wanted));
  const current = Math.min(page, Math.max(1, Math.ceil(matching.length / pageSize)));
  return {
    keyword,
    search: (next: string): void => {
      setKeyword(next);
      setPage(1);
    },
    matching,
    shown: matching.slice((current - 1) * pageSize, current * pageSize),
    paging: { page: current, pageSize, total: matching.length, onPage: setPage, onPageSize: setPageSize },
    /** Names that are chosen and found. */
    chosen: matching.map(({ name }) => name).filter((name) => chosen.has(name)),
    choose: (names: readonly string[], on: boolean): void =>
      setChosen((now) => new Set(on ? [...now, ...names] : [...now].filter((name) => !names.includes(name)))),
  };
}

type FoundRows = ReturnType<typeof useFoundRows>;

function ChooseAll({ found }: { readonly found: FoundRows }) {
  const { t } = useTranslation();
  const { chosen, matching, choose } = found;
  const isAll = chosen.length > 0 && chosen.length === matching.length;
  return (
    <Checkbox
      aria-label={t("选择所有找到的模型")}
      checked={isAll ? true : chosen.length > 0 ? "indeterminate" : false}
      onCheckedChange={(on) =>
        choose(
          matching.map(({ name }) => name),
          on === true,
        )
      }
    />
  );
}

type ToolbarProps = {
  readonly found: FoundRows;
  readonly onAdd: (() => void) | undefined;
  readonly onBatch: () => void;
};

function Toolbar({ found, onAdd, onBatch }: ToolbarProps) {
  const { t } = useTranslation();
  const count = found.chosen.length;
  const startBatch = (): void => {
    if (count > 0) onBatch();
    else notifyProblem(t("批量设置"), t("请先选择需要批量设置的模型"));
  };
  return (
    <div className="flex flex-wrap gap-2">
      <SearchInput label={t("搜索模型")} value={found.keyword} onSearch={found.search} />
      {onAdd && (
        <Button variant="outline" onClick={onAdd}>
          <Plus />
          {t("添加模型")}
        </Button>
      )}
      <Button variant="outline" onClick={startBatch}>
        {count > 0 ? t("批量设置（{{number}}）", { number: count }) : t("批量设置")}
      </Button>
    </div>
  );
}

type RowsProps = {
  readonly found: FoundRows;
  readonly emptyText: string;
  readonly onEdit: (row: PriceRow) => void;
  readonly onRemove: (row: PriceRow) => void;
};

function Rows({ found, emptyText, onEdit, onRemove }: RowsProps) {
  return (
    <div className="relative overflow-x-auto rounded-lg border">
      <table className="w-full text-[13px]">
        <PriceHead lead={<ChooseAll found={found} />} />
        <tbody>
          {found.shown.map((row) => (
            <PriceLine
              key={row.name}
              row={row}
              isChosen={found.chosen.includes(row.name)}
              onChoose={(on) => found.choose([row.name], on)}
              onEdit={() => onEdit(row)}
              onRemove={() => onRemove(row)}
            />
          ))}
          {found.matching.length === 0 && (
            <tr>
              <td colSpan={8} className="py-8 text-center text-muted-foreground">
                {emptyText}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function OpenPriceTable({ section, onlyUnset, tables }: PriceTableProps & { readonly tables: PriceTables }) {
  const { t } = useTranslation();
  const callable = useQuery(channelModelsQuery);
  const rows = useMemo(() => priceRows(tables, callable.data ?? []), [tables, callable.data]);
  const found = useFoundRows(onlyUnset ? rows.filter(({ mode }) => mode === "unset") : rows);
  const [editing, setEditing] = useState<PriceRow>();
  const [isBatch, setBatch] = useState(false);
  const apply = (next: PriceTables): void => {
    writeTables(section, next);
    setEditing(undefined);
    setBatch(false);
  };
  const taken = rows.filter(({ mode }) => mode !== "unset").map(({ name }) => name);
  const emptyText = onlyUnset && found.keyword === "" ? t("所有渠道的模型都有价格。") : t("没有找到。");
  return (
    <div className="flex flex-col gap-3">
      <Toolbar found={found} onAdd={onlyUnset ? undefined : () => setEditing(NEW_ROW)} onBatch={() => setBatch(true)} />
      <Rows
        found={found}
        emptyText={emptyText}
        onEdit={setEditing}
        onRemove={(row) => apply(withPrice(tables, { ...row, mode: "unset" }))}
      />
      {found.matching.length > PAGE_SIZES[0] && <Pagination {...found.paging} />}
      <Suspense>
        {editing && (
          <PriceDialog
            row={editing}
            taken={editing.name === "" ? taken : []}
            onApply={(row) => apply(withPrice(tables, row))}
            onClose={() => setEditing(undefined)}
          />
        )}
        {isBatch && (
          <BatchDialog
            count={found.chosen.length}
            onApply={(batch) => {
              apply(withBatch(tables, found.chosen, batch));
              found.choose(found.chosen, false);
            }}
            onClose={() => setBatch(false)}
          />
        )}
      </Suspense>
    </div>
  );
}
