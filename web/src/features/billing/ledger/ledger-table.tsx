import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../../components/data-table/data-table.tsx";
import { DayFilters } from "../../../components/data-table/day-filters.tsx";
import { SearchInput } from "../../../components/data-table/search-input.tsx";
import { useFormatMoney, useFormatMoneySum } from "../../../components/money.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { type LedgerSearch, ledgerQuery } from "./ledger-api.ts";
import { ledgerColumns } from "./ledger-columns.tsx";
import { LEDGER_KINDS } from "./ledger-kinds.tsx";

type Change = LedgerSearch & { readonly page?: number | undefined; readonly size?: number | undefined };
type LedgerTableProps = {
  readonly all: boolean;
  readonly search: LedgerSearch;
  readonly page: number;
  readonly pageSize: number;
  readonly onChange: (change: Change) => void;
};

const NO_FILTERS: LedgerSearch = {
  kind: undefined,
  user: undefined,
  reference: undefined,
  from: undefined,
  to: undefined,
};

function AdminFilters({ search, onChange }: Pick<LedgerTableProps, "search" | "onChange">) {
  const { t } = useTranslation();
  return (
    <>
      <SearchInput
        className="sm:w-32"
        label={t("用户 ID")}
        value={search.user === undefined ? "" : String(search.user)}
        onSearch={(value) => onChange({ user: /^\d{1,15}$/.test(value) ? Number(value) : undefined })}
      />
      <SearchInput
        main
        label={t("编号的开头，如 order:")}
        value={search.reference ?? ""}
        onSearch={(reference) => onChange({ reference })}
      />
    </>
  );
}

/** Every credit with its reason and the resulting balance. */
export function LedgerTable({ all, search, page, pageSize, onChange }: LedgerTableProps) {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const formatSum = useFormatMoneySum();
  const { kind, user, reference, from, to } = search;
  const query = useQuery(ledgerQuery({ all, page, pageSize, kind, user, reference, from, to }));
  const columns = useMemo(() => ledgerColumns(t, all), [t, all]);
  return (
    <DataTable
      id={all ? "ledger-admin" : "ledger"}
      label={t("账本")}
      columns={columns}
      query={query}
      getRowId={(entry) => entry.id}
      getRowName={(entry) => entry.id}
      page={page}
      pageSize={pageSize}
      onPage={onChange}
      isFiltered={[kind, user, reference, from, to].some((value) => value !== undefined)}
      onClearFilters={() => onChange(NO_FILTERS)}
      empty={<EmptyState text={t("还没有入账记录。充值、兑换和赠送都会记在这里。")} />}
      toolbar={
        <>
          <OptionSelect
            className="h-9 w-full sm:w-36"
            aria-label={t("类型")}
            value={kind ?? ""}
            options={[
              { value: "", label: t("所有类型") },
              ...LEDGER_KINDS.map(({ value, label }) => ({ value, label: t(label) })),
            ]}
            onValueChange={(next) => onChange({ kind: next })}
          />
          {all && <AdminFilters search={search} onChange={onChange} />}
          <DayFilters search={search} onChange={onChange} />
          {query.data && query.data.total > 0 && (
            <StatusBadge tone="info" className="tabular-nums" title={formatMoney(query.data.amount)}>
              {t("变动合计 {{amount}}", { amount: formatSum(query.data.amount) })}
            </StatusBadge>
          )}
        </>
      }
    />
  );
}
