import type { Token } from "@turnpike/contract/api/token";
import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet } from "@tanstack/react-router";
import { Plus, TriangleAlert } from "lucide-react";
import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { copyText } from "../../components/copy-text.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { ExportButton } from "../../components/data-table/actions/export-button.tsx";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { toPage, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useBulk } from "../../hooks/use-bulk.ts";
import { notifySuccess } from "../../lib/toast.ts";
import { useCreatedKeys } from "./created-keys-state.ts";
import { useTokenInUse } from "./token-in-use.ts";
import { useTokenActions } from "./token-actions.tsx";
import { fullKey } from "../../domain/tokens/token-key.ts";
import { deleteToken, readTokens, refreshTokens, setTokenStatus, tokensQuery } from "../../domain/tokens/tokens-api.ts";
import { tokenExport } from "./token-export.ts";
import { tokenColumns } from "./tokens-columns.tsx";

const CreatedKeysDialog = lazy(async () => ({ default: (await import("./created-keys.tsx")).CreatedKeysDialog }));
const UseTokenDialog = lazy(async () => ({ default: (await import("./use-token-dialog.tsx")).UseTokenDialog }));

const route = getRouteApi("/shell/signed-in/app/tokens");

function NewTokenButton() {
  const { t } = useTranslation();
  return (
    <Button asChild>
      <Link to="/app/tokens/new" search={true}>
        <Plus />
        {t("新建令牌")}
      </Link>
    </Button>
  );
}

function BulkActions({ rows, clear }: { readonly rows: readonly Token[]; readonly clear: () => void }) {
  const { t } = useTranslation();
  const { busy, run } = useBulk({ refresh: refreshTokens, clear });
  const keys = rows.filter(({ key }) => key !== "").map(({ key }) => fullKey(key));
  // A token that is expired or exhausted goes back to disabled: the server finds out by itself why it cannot be used.
  const setAll = (status: number): void =>
    void run(
      rows.filter((token) => token.status !== status),
      ({ id }) => setTokenStatus(id, status),
      ({ id, status: before }) =>
        setTokenStatus(id, before === TOKEN_STATUS.enabled ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled),
    );
  const remove = async (): Promise<void> => {
    const sure = await confirm({
      title: t("删除所选的 {{count}} 个令牌？", { count: rows.length }),
      description: rows.map(({ name }) => name).join(", "),
      action: t("删除"),
      danger: true,
      typed: String(rows.length),
    });
    if (sure) void run(rows, ({ id }) => deleteToken(id));
  };
  return (
    <>
      {keys.length > 0 && (
        <Button
          variant="outline"
          size="sm"
          onClick={() => void copyText(keys.join("\n")).then((copied) => copied && notifySuccess(t("已复制")))}
        >
          {t("复制密钥")}
        </Button>
      )}
      <BusyButton variant="outline" size="sm" busy={busy} onClick={() => setAll(TOKEN_STATUS.enabled)}>
        {t("启用")}
      </BusyButton>
      <BusyButton variant="outline" size="sm" busy={busy} onClick={() => setAll(TOKEN_STATUS.disabled)}>
        {t("禁用")}
      </BusyButton>
      <BusyButton variant="outline" size="sm" busy={busy} className="text-destructive" onClick={() => void remove()}>
        {t("删除")}
      </BusyButton>
    </>
  );
}

/** The user's API tokens. */
export function TokensPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = toPage(search);
  const query = useQuery(tokensQuery({ page, pageSize, keyword: search.keyword, token: search.token }));
  const columns = useMemo(() => tokenColumns(t), [t]);
  const getRowActions = useTokenActions();
  const hasNewKeys = useCreatedKeys(({ tokens }) => tokens.length > 0);
  const tokenInUse = useTokenInUse(({ token }) => token);
  return (
    <ListPage
      title={t("API 令牌")}
      description={t("程序用令牌调用模型，费用从余额中扣除。")}
      actions={<NewTokenButton />}
    >
      <p className="flex items-start gap-2 rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        {t("令牌的额度用完后即停止使用。令牌只供自己使用，请勿将令牌分发给他人。")}
      </p>
      <DataTable
        id="tokens"
        label={t("API 令牌")}
        columns={columns}
        query={query}
        getRowId={(token) => String(token.id)}
        getRowName={(token) => token.name}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={search.keyword !== undefined || search.token !== undefined}
        onClearFilters={() => patch({ keyword: undefined, token: undefined })}
        empty={<EmptyState text={t("还没有令牌，新建一个就可以开始调用。")} action={<NewTokenButton />} />}
        getRowActions={getRowActions}
        bulkActions={(rows, clear) => <BulkActions rows={rows} clear={clear} />}
        toolbar={
          <>
            <SearchInput
              main
              label={t("按名称搜索")}
              value={search.keyword ?? ""}
              onSearch={(keyword) => patch({ keyword })}
            />
            <SearchInput label={t("按密钥搜索")} value={search.token ?? ""} onSearch={(token) => patch({ token })} />
            <ExportButton
              name="tokens"
              columns={tokenExport(t)}
              read={(next, size) =>
                readTokens({ page: next, pageSize: size, keyword: search.keyword, token: search.token })
              }
            />
          </>
        }
      />
      <Suspense>{hasNewKeys && <CreatedKeysDialog />}</Suspense>
      <Suspense>{tokenInUse && <UseTokenDialog token={tokenInUse} />}</Suspense>
      <Outlet />
    </ListPage>
  );
}
