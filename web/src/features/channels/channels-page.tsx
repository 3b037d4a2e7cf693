import type { Channel } from "@turnpike/contract/api/channels/channel";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { ExportButton } from "../../components/data-table/actions/export-button.tsx";
import { toPage, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useFinish, useRowActions } from "./channel-actions.tsx";
import { editTag } from "./channel-bulk-api.ts";
import { channelExport } from "./channel-export.ts";
import { ChannelFilters } from "./channel-filters.tsx";
import { isOff, getRowName, plainRows, type Row, rowId, tagRows } from "./channel-rows.ts";
import { channelsQuery, readChannels, updateChannel } from "../../domain/channels/channels-api.ts";
import { useChannelHours } from "./health/channel-hours-api.ts";
import { channelColumns } from "./channels-columns.tsx";
import { ChannelsMenu } from "./channels-menu.tsx";
import { RunProgress } from "./runs/run-progress.tsx";
import { useListView } from "./use-list-view.ts";

const ChannelBulkActions = lazy(async () => ({ default: (await import("./channel-bulk.tsx")).ChannelBulkActions }));
const ChannelTestDialog = lazy(async () => ({
  default: (await import("./runs/channel-test-dialog.tsx")).ChannelTestDialog,
}));

const route = getRouteApi("/shell/signed-in/admin/admin/channels");

function NewChannelButton() {
  const { t } = useTranslation();
  return (
    <Button asChild>
      <Link to="/admin/channels/new" search={true}>
        <Plus />
        {t("新建渠道")}
      </Link>
    </Button>
  );
}

function useOpenTags(): [ReadonlySet<string>, (tag: string) => void] {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (tag: string): void =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(tag)) next.add(tag);
      return next;
    });
  return [open, toggle];
}

/** The list as rows: by channel, or by tag. */
function useRows() {
  const search = route.useSearch();
  const { sort, byTag, setSort, setByTag } = useListView(search);
  const { page, pageSize } = toPage(search);
  const { keyword, model, group } = search;
  const query = useQuery(channelsQuery({ page, pageSize, keyword, model, group, idSort: sort === "id", byTag }));
  const [openTags, toggleTag] = useOpenTags();
  const { data } = query;
  const rows = useMemo(
    () => data && { ...data, items: byTag ? tagRows(data.items, openTags) : plainRows(data.items) },
    [data, byTag, openTags],
  );
  const channelIds = data?.items.map(({ id }) => id) ?? [];
  return { query: { ...query, data: rows }, channelIds, page, pageSize, sort, byTag, setSort, setByTag, toggleTag };
}

function NoRows({ byTag }: { readonly byTag: boolean }) {
  const { t } = useTranslation();
  if (byTag) return <EmptyState text={t("还没有带标签的渠道。选中渠道后可以设置标签。")} />;
  return <EmptyState text={t("还没有渠道，连接一个上游账号就可以开始服务。")} action={<NewChannelButton />} />;
}

/** The upstream accounts that calls are sent to. */
export function ChannelsPage() {
  const { t } = useTranslation();
  const { keyword, model, group } = route.useSearch();
  const patch = usePatchSearch<ReturnType<typeof route.useSearch>>();
  const finish = useFinish();
  const list = useRows();
  const [picking, setPicking] = useState<Channel>();
  const save = (row: Row, change: { priority?: number; weight?: number }): void => {
    const message = t("已保存“{{name}}”", { name: getRowName(row) });
    if (row.kind === "tag") finish(editTag({ tag: row.tag, ...change }), message);
    else finish(updateChannel({ id: row.channel.id, ...change }), message);
  };
  const hours = useChannelHours(list.channelIds);
  const columns = channelColumns(t, { save, toggleTag: list.toggleTag, hours });
  const getRowActions = useRowActions(setPicking);
  return (
    <ListPage
      title={t("渠道管理")}
      description={t("连接上游账号，调用按优先级和权重分配到渠道。")}
      actions={
        <>
          <ChannelsMenu />
          <NewChannelButton />
        </>
      }
    >
      <RunProgress />
      <DataTable
        id="channels"
        label={t("渠道")}
        columns={columns}
        query={list.query}
        getRowId={rowId}
        getRowName={getRowName}
        page={list.page}
        pageSize={list.pageSize}
        onPage={patch}
        isFiltered={keyword !== undefined || model !== undefined || group !== undefined}
        onClearFilters={() => patch({ keyword: undefined, model: undefined, group: undefined })}
        empty={<NoRows byTag={list.byTag} />}
        getRowActions={getRowActions}
        bulkActions={(rows, clear) => (
          <Suspense fallback={<span className="h-8" />}>
            <ChannelBulkActions rows={rows} clear={clear} />
          </Suspense>
        )}
        getRowClassName={(row) => (isOff(row) ? "text-muted-foreground" : undefined)}
        sort={list.sort}
        onSort={list.setSort}
        toolbar={
          <>
            <ChannelFilters
              keyword={keyword}
              model={model}
              group={group}
              byTag={list.byTag}
              onByTag={list.setByTag}
              onChange={patch}
            />
            <ExportButton
              name="channels"
              columns={channelExport(t)}
              read={(page, pageSize) =>
                readChannels({ page, pageSize, keyword, model, group, idSort: list.sort === "id" })
              }
            />
          </>
        }
      />
      <Suspense>{picking && <ChannelTestDialog channel={picking} onClose={() => setPicking(undefined)} />}</Suspense>
      <Outlet />
    </ListPage>
  );
}
