import type { ModelPricing } from "@turnpike/contract/api/prices/pricing";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { toPage, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { PriceDetails } from "../../domain/models/price-details.tsx";
import { ApiError } from "../../lib/api/api-error.ts";
import { pricingColumns } from "./pricing-columns.tsx";
import { PricingToolbar } from "./pricing-toolbar.tsx";
import { usePrices } from "./use-prices.ts";

const route = getRouteApi("/shell/pricing");

/** Dims a model that the group has no access to. */
const dimUnavailable = (row: ModelPricing, group: string): string | undefined =>
  row.enable_groups.includes(group) ? undefined : "text-muted-foreground";

/** Whether the site shows its prices to signed-in users only. */
const isForMembers = (error: unknown): boolean => error instanceof ApiError && error.details.status === 401;

function RowDetails({ row, factor }: { readonly row: ModelPricing; readonly factor: number }) {
  const { t } = useTranslation();
  if (row.details) return <PriceDetails details={row.details} factor={factor} />;
  return <p className="text-[13px] text-muted-foreground">{t("没有更多价格信息。")}</p>;
}

/** Shows a visitor that the prices are for signed-in users. */
function MembersOnly() {
  const { t } = useTranslation();
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
}

/** The price of each model in each group. Open to visitors. */
export function PricingPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = toPage(search);
  const { query, vendors, groups, group } = usePrices(search, { page, pageSize });
  const { name: groupName = "", ratio = 1 } = group ?? {};
  const columns = useMemo(() => pricingColumns(t, groupName, ratio), [t, groupName, ratio]);
  if (isForMembers(query.error)) return <MembersOnly />;
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
        renderDetails={(row) => <RowDetails row={row} factor={ratio} />}
        getRowClassName={(row) => (group ? dimUnavailable(row, group.name) : undefined)}
        toolbar={<PricingToolbar search={search} vendors={vendors} groups={groups} group={group} onChange={patch} />}
      />
    </ListPage>
  );
}
