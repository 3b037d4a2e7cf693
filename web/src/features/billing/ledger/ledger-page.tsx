import { ROLE } from "@turnpike/contract/codes";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { toPage, usePatchSearch } from "../../../components/data-table/use-list-search.ts";
import { PageHeader } from "../../../components/page-header.tsx";
import { useSession } from "../../../lib/session/session.ts";
import { LedgerCheckCard } from "./ledger-check.tsx";
import { LedgerTable } from "./ledger-table.tsx";

const route = getRouteApi("/shell/signed-in/admin/admin/ledger");

/** All credits of all users, and the reconciliation. */
export function LedgerPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const isRoot = useSession((state) => state.user?.role === ROLE.root);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t("账本")} description={t("每一笔入账的原因和变动后的余额，可以按用户和编号查找。")} />
      {isRoot && <LedgerCheckCard />}
      <LedgerTable all search={search} {...toPage(search)} onChange={patch} />
    </div>
  );
}
