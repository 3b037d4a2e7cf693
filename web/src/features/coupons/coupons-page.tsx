import type { Redemption } from "@turnpike/contract/api/redemption";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Ban, CircleCheck, Copy, Pencil, Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { copyText } from "../../components/copy-text.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { RowAction } from "../../components/data-table/row-actions.tsx";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { pageOfSearch, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useBulk } from "../../hooks/use-bulk.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { isSpent } from "./coupon-state.tsx";
import { COUPON_STATUS } from "./coupon-status.ts";
import { couponsQuery, deleteCoupon, refreshCoupons, setCouponStatus } from "./coupons-api.ts";
import { couponColumns } from "./coupons-columns.tsx";
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

function useCouponActions(): (coupon: Redemption) => readonly RowAction[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const finish = (work: Promise<unknown>, message: string): void => {
    void work.then(() => notifySuccess(message), notifyError).then(refreshCoupons);
  };
  const remove = async ({ id, name }: Redemption): Promise<void> => {
    const sure = await confirm({
      title: t("删除兑换码“{{name}}”（ID {{id}}）？", { name, id }),
      action: t("删除"),
      danger: true,
    });
    if (sure) finish(deleteCoupon(id), t("已删除“{{name}}”", { name }));
  };
  return (coupon) => {
    const { id, name } = coupon;
    const enabled = coupon.status === COUPON_STATUS.unused;
    const status = enabled ? COUPON_STATUS.disabled : COUPON_STATUS.unused;
    const done = enabled ? t("已禁用“{{name}}”", { name }) : t("已启用“{{name}}”", { name });
    return [
      {
        label: t("编辑"),
        icon: Pencil,
        frequent: true,
        disabled: isSpent(coupon),
        onSelect: () => void navigate({ to: "/admin/coupons/$id", params: { id: String(id) }, search: true }),
      },
      {
        label: enabled ? t("禁用") : t("启用"),
        icon: enabled ? Ban : CircleCheck,
        frequent: true,
        disabled: isSpent(coupon),
        onSelect: () => finish(setCouponStatus(id, status), done),
      },
      { label: t("复制兑换码"), icon: Copy, onSelect: () => void copyText(coupon.key) },
      { label: t("删除"), icon: Trash2, danger: true, onSelect: () => void remove(coupon) },
    ];
  };
}

function BulkActions({ rows, clear }: { readonly rows: readonly Redemption[]; readonly clear: () => void }) {
  const { t } = useTranslation();
  const { busy, run } = useBulk(refreshCoupons);
  const copy = (): void =>
    void copyText(rows.map(({ key }) => key).join("\n")).then((copied) => copied && notifySuccess(t("已复制")));
  const disable = (): void =>
    void run(
      rows.filter(({ status }) => status === COUPON_STATUS.unused),
      ({ id }) => setCouponStatus(id, COUPON_STATUS.disabled),
    ).then(clear);
  const remove = async (): Promise<void> => {
    const sure = await confirm({
      title: t("删除所选的 {{count}} 个兑换码？", { count: rows.length }),
      action: t("删除"),
      danger: true,
      typed: String(rows.length),
    });
    if (sure) await run(rows, ({ id }) => deleteCoupon(id)).then(clear);
  };
  return (
    <>
      <Button size="small" onClick={copy}>
        {t("复制兑换码")}
      </Button>
      <Button size="small" busy={busy} onClick={disable}>
        {t("禁用")}
      </Button>
      <Button size="small" busy={busy} className="text-bad" onClick={() => void remove()}>
        {t("删除")}
      </Button>
    </>
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
      actions={<NewCouponButton />}
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
        bulkActions={(rows, clear) => <BulkActions rows={rows} clear={clear} />}
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
