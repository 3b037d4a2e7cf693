import { USER_SORTS, type UserProfile } from "@turnpike/contract/api/user";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Coins, Pencil, Plus, ScrollText, ShieldOff, UserRound } from "lucide-react";
import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { ExportButton } from "../../components/data-table/actions/export-button.tsx";
import type { RowAction } from "../../components/data-table/actions/row-action.ts";
import { toPage, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useSession } from "../../lib/session/session.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { useManageActions } from "./use-manage-actions.tsx";
import { UserFilters } from "./user-filters.tsx";
import { canManageUser } from "../../domain/users/user-rules.ts";
import { readUsers, switchOffTwoFactor, userQuery, usersQuery } from "../../domain/users/users-api.ts";
import { userExport } from "./user-export.ts";
import { userColumns } from "./users-columns.tsx";

const UserBulkActions = lazy(async () => ({ default: (await import("./user-bulk.tsx")).UserBulkActions }));
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
        label: t("客户页面"),
        icon: UserRound,
        onSelect: () => void navigate({ to: "/admin/customers/$id", params: { id: String(user.id) } }),
      },
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

/** The site's users. */
export function UsersPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = toPage(search);
  const { keyword, group, role, status, order } = search;
  const query = useQuery(usersQuery({ page, pageSize, keyword, group, role, status, sort: order }));
  const columns = useMemo(() => userColumns(t), [t]);
  const adding = useQuery({ ...userQuery(search.quota ?? 0), enabled: search.quota !== undefined }).data;
  const getRowActions = useUserActions(({ id }) => patch({ page: search.page, quota: id }));
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
        empty={<EmptyState text={t("还没有用户。注册的用户会列在这里，也可以直接新建。")} action={<NewUserButton />} />}
        getRowActions={getRowActions}
        bulkActions={(rows, clear) => (
          <Suspense fallback={<span className="h-8" />}>
            <UserBulkActions rows={rows} clear={clear} />
          </Suspense>
        )}
        sort={order}
        onSort={(next) => patch({ order: USER_SORTS.find((one) => one === next) })}
        getRowClassName={(user) => (user.DeletedAt === null ? undefined : "text-muted-foreground")}
        toolbar={
          <>
            <UserFilters search={search} onChange={patch} />
            <ExportButton
              name="users"
              columns={userExport(t)}
              read={(next, size) =>
                readUsers({ page: next, pageSize: size, keyword, group, role, status, sort: order })
              }
            />
          </>
        }
      />
      <Suspense>
        {adding && search.quota !== undefined && (
          <QuotaDialog user={adding} onClose={() => patch({ page: search.page, quota: undefined })} />
        )}
      </Suspense>
      <Outlet />
    </ListPage>
  );
}
