import { useQuery } from "@tanstack/react-query";
import type { RowSelectionState } from "@tanstack/react-table";
import { PAGE_SIZES } from "@turnpike/contract/limits";
import { Layers, Pencil, Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Pagination } from "../../../../components/data-table/pagination.tsx";
import { DataTable } from "../../../../components/data-table/data-table.tsx";
import { SearchInput } from "../../../../components/data-table/search-input.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { notifyProblem } from "../../../../lib/toast.ts";
import { channelModelsQuery } from "../channel-models.ts";
import { priceColumns } from "./price-columns.tsx";
import { type PriceRow, priceRows, type PriceTables, withPrice } from "../price-rows.ts";
import { parseTables, readRule, readTables, withBatch, writeRule, writeTables } from "./price-tables.ts";
import type { PriceSection } from "../use-price-section.ts";

const PriceDialog = lazy(async () => ({ default: (await import("../price-dialog.tsx")).PriceDialog }));
const RuleDialog = lazy(async () => ({ default: (await import("../rules/rule-dialog.tsx")).RuleDialog }));
const BatchDialog = lazy(async () => ({ default: (await import("../batch-dialog.tsx")).BatchDialog }));

const NEW_ROW: PriceRow = { name: "", mode: "tokens", inputDollars: 0, outputDollars: 0, callDollars: 0 };

type PriceTableProps = { readonly section: PriceSection; readonly onlyUnset: boolean };

/** Prices as a table in dollars; changes wait in the section until it is saved. */
export function PriceTable({ section, onlyUnset }: PriceTableProps) {
  const { t } = useTranslation();
  const tables = readTables(section);
  if (!tables) return <p className="py-6 text-center text-destructive">{t("JSON 有错误，请先在 JSON 视图中修正。")}</p>;
  return <OpenPriceTable section={section} onlyUnset={onlyUnset} tables={tables} />;
}

/** The rows that match a keyword, page by page, and the selected ones. */
function useFoundRows(rows: readonly PriceRow[]) {
  const [keyword, setKeyword] = useState("");
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState<number>(PAGE_SIZES[0]);
  const [selected, setSelected] = useState<RowSelectionState>({});
  const search = keyword.toLowerCase();
  const matching = useMemo(() => rows.filter(({ name }) => name.toLowerCase().includes(search)), [rows, search]);
  const current = Math.min(page, Math.max(1, Math.ceil(matching.length / pageSize)));
  return {
    keyword,
    search: (next: string): void => {
      setKeyword(next);
      setPage(1);
    },
    matching,
    paging: { page: current, pageSize, total: matching.length, onPage: setPage, onPageSize: setPageSize },
    /** Names that are selected and match the keyword. */
    chosen: matching.map(({ name }) => name).filter((name) => selected[name] === true),
    selected,
    setSelected,
  };
}

type FoundRows = ReturnType<typeof useFoundRows>;

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
  /** The rows as they are stored, by model. */
  readonly stored: ReadonlyMap<string, PriceRow>;
  readonly onPrice: (row: PriceRow) => void;
  readonly onEdit: (row: PriceRow) => void;
  readonly onRule: (row: PriceRow) => void;
  readonly onRemove: (row: PriceRow) => void;
};

function Rows({ found, emptyText, stored, onPrice, onEdit, onRule, onRemove }: RowsProps) {
  const { t } = useTranslation();
  const columns = priceColumns(t, { stored, onPrice });
  const { page, pageSize } = found.paging;
  if (found.matching.length === 0)
    return <p className="rounded-lg border py-8 text-center text-muted-foreground">{emptyText}</p>;
  return (
    <DataTable
      label={t("价格表")}
      className="rounded-lg border"
      columns={columns}
      rows={found.matching}
      getRowId={({ name }) => name}
      pagination={{ pageIndex: page - 1, pageSize }}
      selection={{
        selected: found.selected,
        onSelect: found.setSelected,
        selectAllLabel: t("选择所有找到的模型"),
      }}
      getRowActions={(row) => [
        { label: t("修改价格"), icon: Pencil, frequent: true, onSelect: () => onEdit(row) },
        { label: t("分段和等级"), icon: Layers, onSelect: () => onRule(row) },
        {
          label: t("移除价格"),
          icon: Trash2,
          frequent: true,
          danger: true,
          disabled: row.mode === "unset",
          onSelect: () => onRemove(row),
        },
      ]}
    />
  );
}

/** The prices as they are stored, by model. */
function useStoredRows({ getStored, revision }: PriceSection): ReadonlyMap<string, PriceRow> {
  return useMemo(() => {
    const tables = parseTables(getStored);
    return new Map((tables ? priceRows(tables, []) : []).map((row) => [row.name, row]));
    // The stored texts change with the revision only.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [revision]);
}

function OpenPriceTable({ section, onlyUnset, tables }: PriceTableProps & { readonly tables: PriceTables }) {
  const { t } = useTranslation();
  const callable = useQuery(channelModelsQuery);
  const rows = useMemo(() => priceRows(tables, callable.data ?? []), [tables, callable.data]);
  const listed = useMemo(() => (onlyUnset ? rows.filter(({ mode }) => mode === "unset") : rows), [rows, onlyUnset]);
  const found = useFoundRows(listed);
  const [editing, setEditing] = useState<PriceRow>();
  const [ruled, setRuled] = useState<PriceRow>();
  const [isBatch, setBatch] = useState(false);
  const apply = (next: PriceTables): void => {
    writeTables(section, next);
    setEditing(undefined);
    setBatch(false);
  };
  const stored = useStoredRows(section);
  const taken = rows.filter(({ mode }) => mode !== "unset").map(({ name }) => name);
  const emptyText = onlyUnset && found.keyword === "" ? t("所有渠道的模型都有价格。") : t("没有找到。");
  return (
    <div className="flex flex-col gap-3">
      <Toolbar found={found} onAdd={onlyUnset ? undefined : () => setEditing(NEW_ROW)} onBatch={() => setBatch(true)} />
      <Rows
        found={found}
        emptyText={emptyText}
        stored={stored}
        onPrice={(row) => apply(withPrice(tables, row))}
        onEdit={setEditing}
        onRule={setRuled}
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
        {ruled && (
          <RuleDialog
            row={ruled}
            own={readRule(section, ruled.name)}
            onApply={(rule) => {
              writeRule(section, ruled.name, rule);
              setRuled(undefined);
            }}
            onClose={() => setRuled(undefined)}
          />
        )}
        {isBatch && (
          <BatchDialog
            count={found.chosen.length}
            onApply={(batch) => {
              apply(withBatch(tables, found.chosen, batch));
              found.setSelected({});
            }}
            onClose={() => setBatch(false)}
          />
        )}
      </Suspense>
    </div>
  );
}
