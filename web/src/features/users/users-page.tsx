import type { UserProfile } from "@turnpike/contract/api/user";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Coins, Pencil, Plus, ScrollText, ShieldOff } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { RowAction } from "../../components/data-table/row-actions.tsx";
import { pageOfSearch, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useSession } from "../../lib/session.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { useManageActions } from "./use-manage-actions.tsx";
import { UserFilters } from "./user-filters.tsx";
import { canManageUser } from "../../domain/users/user-rules.ts";
import { switchOffTwoFactor, usersQuery } from "../../domain/users/users-api.ts";
import { userColumns } from "./users-columns.tsx";

const QuotaDialog = lazy(async () => ({ default: (await import("./quota-dialog.tsx")).QuotaDialog }));

const route = getRouteApi("/shell/signed-in/admin/admin/users");

function NewUserButton() {
  const { t } = useTranslation();
  return (
    <Button asChild>
      <Link to="/admin/users/new" search={true}>
        <Plus />
        {t("新建用户")}
      </Link>
    </Button>
  );
}

function useUserActions(onQuota: (user: UserProfile) => void): (user: UserProfile) => readonly RowAction[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const role = useSession((state) => state.user?.role ?? 0);
  const manageActions = useManageActions();
  const withoutTwoFactor = async ({ id, username }: UserProfile): Promise<void> => {
    const sure = await confirm({
      title: t("关闭“{{name}}”的两步验证？", { name: username }),
      description: t("用于丢失验证设备的用户。之后只凭密码就能登录，请先确认是本人的请求。"),
      action: t("关闭两步验证"),
      danger: true,
    });
    if (!sure) return;
    await switchOffTwoFactor(id).then(
      () => notifySuccess(t("已关闭“{{name}}”的两步验证", { name: username })),
      notifyError,
    );
  };
  return (user) => {
    if (!canManageUser(role, user)) return [];
    return [
      {
        label: t("编辑"),
        icon: Pencil,
        frequent: true,
        onSelect: () => void navigate({ to: "/admin/users/$id", params: { id: String(user.id) }, search: true }),
      },
      { label: t("调整额度"), icon: Coins, frequent: true, onSelect: () => onQuota(user) },
      {
        label: t("查看日志"),
        icon: ScrollText,
        onSelect: () => void navigate({ to: "/app/logs/api-usage", search: { username: user.username } }),
      },
      ...manageActions(user, role),
      {
        label: t("关闭两步验证"),
        icon: ShieldOff,
        onSelect: () => void withoutTwoFactor(user),
      },
    ];
  };
}

/** Who uses the site. */
export function UsersPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = pageOfSearch(search);
  const { keyword, group, role, status } = search;
  const query = useQuery(usersQuery({ page, pageSize, keyword, group, role, status }));
  const [adding, setAdding] = useState<UserProfile>();
  const columns = useMemo(() => userColumns(t), [t]);
  const getRowActions = useUserActions(setAdding);
  return (
    <ListPage
      title={t("用户管理")}
      description={t("只能管理身份低于自己的用户。修改立即生效。")}
      actions={<NewUserButton />}
    >
      <DataTable
        id="users"
        label={t("用户")}
        columns={columns}
        query={query}
        getRowId={(user) => String(user.id)}
        getRowName={(user) => user.username}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={[keyword, group, role, status].some((filter) => filter !== undefined)}
        onClearFilters={() => patch({ keyword: undefined, group: undefined, role: undefined, status: undefined })}
        empty={<EmptyState text={t("还没有用户。")} action={<NewUserButton />} />}
        getRowActions={getRowActions}
        getRowClassName={(user) => (user.DeletedAt === null ? undefined : "text-muted-foreground")}
        toolbar={<UserFilters search={search} onChange={patch} />}
      />
      <Suspense>{adding && <QuotaDialog user={adding} onClose={() => setAdding(undefined)} />}</Suspense>
      <Outlet />
    </ListPage>
  );
}
