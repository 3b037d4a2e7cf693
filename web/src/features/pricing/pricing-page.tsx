import { useQuery } from "@tanstack/react-query";
import type { ModelPricing } from "@turnpike/contract/api/pricing";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { pageOfSearch, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { RatioBadge } from "../../domain/groups/group-badge.tsx";
import { groupLabel } from "../../domain/groups/group-label.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { ApiError } from "../../lib/api-error.ts";
import { useSession } from "../../lib/session.ts";
import { pricingQuery } from "../../domain/models/pricing-api.ts";
import { getVendor } from "../../domain/models/vendors.ts";
import { PER_CALL_BILLING, pricingColumns } from "./pricing-columns.tsx";

const route = getRouteApi("/shell/pricing");

type GroupSwitchProps = {
  readonly groups: readonly { readonly name: string; readonly desc: string; readonly ratio: number }[];
  readonly value: string;
  readonly onChange: (group: string) => void;
};

function GroupSwitch({ groups, value, onChange }: GroupSwitchProps) {
  const { t } = useTranslation();
  return (
    <OptionSelect
      className="h-9 w-full sm:w-60"
      aria-label={t("按分组显示价格")}
      value={value}
      options={groups.map(({ name, desc, ratio }) => ({ value: name, label: groupLabel(t, name, t(desc), ratio) }))}
      onValueChange={onChange}
    />
  );
}

const OTHER_VENDORS = "other";

/** The vendors among the models, the one with the most first, and last those that nobody knows. */
function vendorsOf(rows: readonly ModelPricing[]): readonly { readonly name: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { model_name } of rows) {
    const name = getVendor(model_name) ?? OTHER_VENDORS;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const isOther = (name: string): number => Number(name === OTHER_VENDORS);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => isOther(a.name) - isOther(b.name) || b.count - a.count);
}

/** Greys out a model that the group has no access to. */
const dimUnavailable = (row: ModelPricing, group: string): string | undefined =>
  row.enable_groups.includes(group) ? undefined : "text-muted-foreground";

/** Whether the site shows its prices to people who are signed in alone. */
const isForMembers = (error: unknown): boolean => error instanceof ApiError && error.details.status === 401;

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
  const vendors = useMemo(() => vendorsOf(pricing.data?.data ?? []), [pricing.data]);
  const matching = useMemo(() => {
    const keyword = (search.keyword ?? "").toLowerCase();
    return (pricing.data?.data ?? []).filter(
      (row) =>
        row.model_name.toLowerCase().includes(keyword) &&
        (search.vendor === undefined || (getVendor(row.model_name) ?? OTHER_VENDORS) === search.vendor) &&
        (search.billing === undefined || (row.quota_type === PER_CALL_BILLING) === (search.billing === "call")),
    );
  }, [pricing.data, search.keyword, search.billing, search.vendor]);
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
  if (isForMembers(pricing.error))
    return (
      <ListPage title={t("模型价格")} description={t("登录后可以查看模型价格。")}>
        <EmptyState
          text={t("本站的价格只对登录用户开放。")}
          action={
            <Button asChild>
              <Link to="/login" search={{ returnTo: "/pricing" }}>
                {t("登录")}
              </Link>
            </Button>
          }
        />
      </ListPage>
    );
  return (
    <ListPage title={t("模型价格")} description={t("价格随分组变化，以下是所选分组的实际价格。")}>
      <DataTable
        id="pricing"
        label={t("模型价格")}
        columns={columns}
        query={query}
        getRowId={(row) => row.model_name}
        getRowName={(row) => row.model_name}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={[search.keyword, search.billing, search.vendor].some((value) => value !== undefined)}
        onClearFilters={() => patch({ keyword: undefined, billing: undefined, vendor: undefined })}
        empty={<EmptyState text={t("还没有可用的模型，管理员连接渠道后会出现在这里。")} />}
        getRowClassName={(row) => (group ? dimUnavailable(row, group.name) : undefined)}
        toolbar={
          <>
            <SearchInput
              main
              label={t("搜索模型")}
              value={search.keyword ?? ""}
              onSearch={(keyword) => patch({ keyword })}
            />
            {vendors.length > 1 && (
              <OptionSelect
                className="h-9 w-full sm:w-40"
                aria-label={t("厂商")}
                value={search.vendor ?? ""}
                options={[
                  { value: "", label: t("全部厂商") },
                  ...vendors.map(({ name, count }) => ({
                    value: name,
                    label: `${name === OTHER_VENDORS ? t("其他") : name} (${count})`,
                  })),
                ]}
                onValueChange={(vendor) => patch({ vendor })}
              />
            )}
            <OptionSelect
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
