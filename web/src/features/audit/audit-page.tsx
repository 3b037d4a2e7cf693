import type { AuditEntry } from "@turnpike/contract/api/audit";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { DayFilters } from "../../components/data-table/day-filters.tsx";
import { ExportButton } from "../../components/data-table/actions/export-button.tsx";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { toPage, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { type AuditSearch, auditQuery, readAudit } from "./audit-api.ts";
import { AuditDetails } from "./audit-details.tsx";
import { UserInfoButton } from "../../domain/users/user-info-button.tsx";
import { AuditTarget } from "./audit-target.tsx";
import { auditExport } from "./audit-export.ts";
import { AUDIT_AREAS, auditLabel } from "./audit-labels.ts";

const route = getRouteApi("/shell/signed-in/admin/admin/audit");
const NO_FILTERS: AuditSearch = {
  actor: undefined,
  area: undefined,
  keyword: undefined,
  from: undefined,
  to: undefined,
};

const getColumns = (t: TFunction): readonly DataColumn<AuditEntry>[] => [
  {
    id: "time",
    label: t("时间"),
    fixed: true,
    card: "fact",
    cell: (entry) => <Time seconds={entry.created_at} exact />,
  },
  {
    id: "actor",
    label: t("操作者"),
    card: "fact",
    cell: (entry) => <UserInfoButton id={entry.actor_id} username={entry.actor_name} />,
  },
  {
    id: "action",
    label: t("操作"),
    card: "title",
    cell: (entry) => (
      <span className="block truncate font-medium" title={entry.action}>
        {auditLabel(t, entry.action)}
      </span>
    ),
  },
  {
    id: "target",
    label: t("对象"),
    card: "fact",
    cell: (entry) => <AuditTarget target={entry.target} />,
  },
  {
    id: "address",
    label: t("来源 IP"),
    card: "fact",
    cell: (entry) => <span className="font-mono text-xs">{entry.address}</span>,
  },
];

type FiltersProps = { readonly search: AuditSearch; readonly onChange: (change: AuditSearch) => void };

function AuditFilters({ search, onChange }: FiltersProps) {
  const { t } = useTranslation();
  return (
    <>
      <OptionSelect
        className="h-9 w-full sm:w-36"
        aria-label={t("操作")}
        value={search.area ?? ""}
        options={[
          { value: "", label: t("全部操作") },
          ...Object.entries(AUDIT_AREAS).map(([value, label]) => ({ value, label: t(label) })),
        ]}
        onValueChange={(area) => onChange({ area })}
      />
      <SearchInput
        className="sm:w-44"
        label={t("操作者名称或 ID")}
        value={search.actor ?? ""}
        onSearch={(actor) => onChange({ actor })}
      />
      <SearchInput
        main
        label={t("对象或内容")}
        value={search.keyword ?? ""}
        onSearch={(keyword) => onChange({ keyword })}
      />
      <DayFilters search={search} onChange={onChange} />
    </>
  );
}

/** Administrators' actions, with their addresses. */
export function AuditPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page: _page, size: _size, ...filters } = search;
  const query = useQuery(auditQuery({ ...filters, ...toPage(search) }));
  const columns = useMemo(() => getColumns(t), [t]);
  return (
    <ListPage title={t("操作记录")} description={t("管理员的每次操作，展开一行可以看到前后的变化。")}>
      <DataTable
        id="audit"
        label={t("操作记录")}
        columns={columns}
        query={query}
        getRowId={(entry) => String(entry.id)}
        getRowName={(entry) => `${auditLabel(t, entry.action)} ${entry.target}`}
        {...toPage(search)}
        onPage={patch}
        isFiltered={Object.keys(filters).length > 0}
        onClearFilters={() => patch(NO_FILTERS)}
        empty={<EmptyState text={t("还没有操作记录。管理员对用户、渠道、设置等的每次修改都会记在这里。")} />}
        renderDetails={(entry) => <AuditDetails entry={entry} />}
        toolbar={
          <>
            <AuditFilters search={search} onChange={patch} />
            <ExportButton
              name="audit"
              columns={auditExport(t)}
              read={(page, pageSize) => readAudit({ ...filters, page, pageSize })}
            />
          </>
        }
      />
    </ListPage>
  );
}
