import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { toPage, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useRedemptionCodeActions } from "./redemption-code-actions.tsx";
import { RedemptionCodeBulkActions } from "./redemption-code-bulk.tsx";
import { isSpent } from "./redemption-code-state.tsx";
import { REDEMPTION_CODE_STATUS } from "./redemption-code-status.ts";
import { redemptionCodesQuery } from "./redemption-codes-api.ts";
import { redemptionCodeColumns } from "./redemption-codes-columns.tsx";
import { RedemptionCodesMenu } from "./redemption-codes-menu.tsx";
import { useCreatedRedemptionCodes } from "./created-codes-state.ts";

const CreatedRedemptionCodesDialog = lazy(async () => ({
  default: (await import("./created-codes.tsx")).CreatedRedemptionCodesDialog,
}));

const route = getRouteApi("/shell/signed-in/admin/admin/coupons");

function NewCodeButton() {
  const { t } = useTranslation();
  return (
    <Button asChild>
      <Link to="/admin/coupons/new" search={true}>
        <Plus />
        {t("新建兑换码")}
      </Link>
    </Button>
  );
}

/** Codes that users redeem for balance. */
export function RedemptionCodesPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = toPage(search);
  const query = useQuery(redemptionCodesQuery(page, pageSize, search.keyword));
  const columns = useMemo(() => redemptionCodeColumns(t), [t]);
  const getRowActions = useRedemptionCodeActions();
  const hasNewCodes = useCreatedRedemptionCodes(({ created }) => created !== undefined);
  return (
    <ListPage
      title={t("兑换码管理")}
      description={t("用户在钱包中输入兑换码，额度加到余额。")}
      actions={
        <>
          <RedemptionCodesMenu />
          <NewCodeButton />
        </>
      }
    >
      <DataTable
        id="coupons"
        label={t("兑换码")}
        columns={columns}
        query={query}
        getRowId={(redemptionCode) => String(redemptionCode.id)}
        getRowName={(redemptionCode) => redemptionCode.name}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={search.keyword !== undefined}
        onClearFilters={() => patch({ keyword: undefined })}
        empty={
          <EmptyState
            text={t("还没有兑换码。兑换码可以出售或赠送，用户在钱包中兑换成余额。")}
            action={<NewCodeButton />}
          />
        }
        getRowActions={getRowActions}
        bulkActions={(rows, clear) => <RedemptionCodeBulkActions rows={rows} clear={clear} />}
        getRowClassName={(redemptionCode) =>
          isSpent(redemptionCode) || redemptionCode.status !== REDEMPTION_CODE_STATUS.unused
            ? "text-muted-foreground"
            : undefined
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
      <Suspense>{hasNewCodes && <CreatedRedemptionCodesDialog />}</Suspense>
      <Outlet />
    </ListPage>
  );
}
