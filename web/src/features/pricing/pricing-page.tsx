import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { pageOfSearch, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { RatioBadge } from "../../components/group-badge.tsx";
import { groupLabel } from "../../components/group-label.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { NativeSelect } from "../../components/ui/native-select.tsx";
import { useSession } from "../../lib/session.ts";
import { pricingQuery } from "./pricing-api.ts";
import { BY_CALL, pricingColumns } from "./pricing-columns.tsx";

const route = getRouteApi("/shell/pricing");

type GroupSwitchProps = {
  readonly groups: readonly { readonly name: string; readonly desc: string; readonly ratio: number }[];
  readonly value: string;
  readonly onChange: (group: string) => void;
};

function GroupSwitch({ groups, value, onChange }: GroupSwitchProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      className="h-9 w-full sm:w-60"
      aria-label={t("按分组显示价格")}
      value={value}
      options={groups.map(({ name, desc, ratio }) => ({ value: name, label: groupLabel(t, name, t(desc), ratio) }))}
      onValueChange={onChange}
    />
  );
}

/** What each model costs in each group. Open to visitors. */
export function PricingPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = pageOfSearch(search);
  const ownGroup = useSession((state) => state.user?.group);
  const pricing = useQuery(pricingQuery);
  const groups = Object.entries(pricing.data?.group_ratio ?? {}).map(([name, ratio]) => ({
    name,
    ratio,
    desc: pricing.data?.usable_group[name] ?? "",
  }));
  const wanted = search.group ?? ownGroup ?? "default";
  const group = groups.find(({ name }) => name === wanted) ?? groups[0];
  const columns = useMemo(
    () => pricingColumns(t, group?.name ?? "", group?.ratio ?? 1),
    [t, group?.name, group?.ratio],
  );
  const matching = useMemo(() => {
    const keyword = (search.keyword ?? "").toLowerCase();
    return (pricing.data?.data ?? []).filter(
      (row) =>
        row.model_name.toLowerCase().includes(keyword) &&
        (search.billing === undefined || (row.quota_type === BY_CALL) === (search.billing === "call")),
    );
  }, [pricing.data, search.keyword, search.billing]);
  const query = useMemo(
    () => ({
      error: pricing.error,
      isPending: pricing.isPending,
      isFetching: pricing.isFetching,
      refetch: pricing.refetch,
      data: pricing.data && {
        items: matching.slice((page - 1) * pageSize, page * pageSize),
        total: matching.length,
        page,
        page_size: pageSize,
      },
    }),
    [pricing, matching, page, pageSize],
  );
  return (
    <ListPage title={t("模型价格")} description={t("价格随分组变化，以下是所选分组的实际价格。")}>
      <DataTable
        id="pricing"
        label={t("模型价格")}
        columns={columns}
        query={query}
        rowId={(row) => row.model_name}
        nameOf={(row) => row.model_name}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={search.keyword !== undefined || search.billing !== undefined}
        onClearFilters={() => patch({ keyword: undefined, billing: undefined })}
        empty={<EmptyState text={t("还没有可用的模型，管理员连接渠道后会出现在这里。")} />}
        rowClassName={(row) => (group && !row.enable_groups.includes(group.name) ? "text-muted-foreground" : undefined)}
        toolbar={
          <>
            <SearchInput
              main
              label={t("搜索模型")}
              value={search.keyword ?? ""}
              onSearch={(keyword) => patch({ keyword })}
            />
            <NativeSelect
              className="h-9 w-full sm:w-36"
              aria-label={t("计费方式")}
              value={search.billing ?? ""}
              options={[
                { value: "", label: t("全部计费方式") },
                { value: "token", label: t("按量计费") },
                { value: "call", label: t("按次计费") },
              ]}
              onValueChange={(billing) => patch({ billing })}
            />
            {group && (
              <>
                <GroupSwitch groups={groups} value={group.name} onChange={(name) => patch({ group: name })} />
                {group.ratio !== 1 && <RatioBadge ratio={group.ratio} />}
              </>
            )}
          </>
        }
      />
    </ListPage>
  );
}
