import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { pageOfSearch, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useCouponActions } from "./coupon-actions.tsx";
import { CouponBulkActions } from "./coupon-bulk.tsx";
import { isSpent } from "./coupon-state.tsx";
import { COUPON_STATUS } from "./coupon-status.ts";
import { couponsQuery } from "./coupons-api.ts";
import { couponColumns } from "./coupons-columns.tsx";
import { CouponsMenu } from "./coupons-menu.tsx";
import { useCreatedCoupons } from "./created-coupons-state.ts";

const CreatedCouponsDialog = lazy(async () => ({
  default: (await import("./created-coupons.tsx")).CreatedCouponsDialog,
}));

const route = getRouteApi("/shell/signed-in/admin/admin/coupons");

function NewCouponButton() {
  const { t } = useTranslation();
  return (
    <Button asChild variant="primary">
      <Link to="/admin/coupons/new" search={true}>
        <Plus />
        {t("新建兑换码")}
      </Link>
    </Button>
  );
}

/** Codes that users turn into balance. */
export function CouponsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = pageOfSearch(search);
  const query = useQuery(couponsQuery(page, pageSize, search.keyword));
  const columns = useMemo(() => couponColumns(t), [t]);
  const actionsOf = useCouponActions();
  const hasNewCodes = useCreatedCoupons(({ created }) => created !== undefined);
  return (
    <ListPage
      title={t("兑换码管理")}
      description={t("用户在钱包中输入兑换码，额度加到余额。")}
      actions={
        <>
          <CouponsMenu />
          <NewCouponButton />
        </>
      }
    >
      <DataTable
        id="coupons"
        label={t("兑换码")}
        columns={columns}
        query={query}
        rowId={(coupon) => String(coupon.id)}
        nameOf={(coupon) => coupon.name}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={search.keyword !== undefined}
        onClearFilters={() => patch({ keyword: undefined })}
        empty={<EmptyState text={t("还没有兑换码。")} action={<NewCouponButton />} />}
        actionsOf={actionsOf}
        bulkActions={(rows, clear) => <CouponBulkActions rows={rows} clear={clear} />}
        rowClassName={(coupon) =>
          isSpent(coupon) || coupon.status !== COUPON_STATUS.unused ? "text-muted-foreground" : undefined
        }
        toolbar={
          <SearchInput
            main
            label={t("ID 或名称")}
            value={search.keyword ?? ""}
            onSearch={(keyword) => patch({ keyword })}
          />
        }
      />
      <Suspense>{hasNewCodes && <CreatedCouponsDialog />}</Suspense>
      <Outlet />
    </ListPage>
  );
}
