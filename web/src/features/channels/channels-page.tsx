import type { Channel } from "@turnpike/contract/api/channel";
import { CHANNEL_STATUS } from "@turnpike/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Ban, CircleCheck, Copy, Gauge, ListChecks, Pencil, Plus, ScrollText, Trash2 } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { RowAction } from "../../components/data-table/row-actions.tsx";
import { pageOfSearch, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { ChannelBulkActions } from "./channel-bulk.tsx";
import { ChannelFilters } from "./channel-filters.tsx";
import { channelsQuery, deleteChannel, refreshChannels, updateChannel } from "./channels-api.ts";
import { channelColumns } from "./channels-columns.tsx";
import { useChannelTest } from "./use-channel-test.ts";

const ChannelTestDialog = lazy(async () => ({
  default: (await import("./channel-test-dialog.tsx")).ChannelTestDialog,
}));

const route = getRouteApi("/shell/signed-in/admin/admin/channels");

function NewChannelButton() {
  const { t } = useTranslation();
  return (
    <Button asChild variant="primary">
      <Link to="/admin/channels/new" search={true}>
        <Plus />
        {t("新建渠道")}
      </Link>
    </Button>
  );
}

/** Runs a change of one channel, says that it happened, and reads the list again. */
function useFinish() {
  return (work: Promise<unknown>, message: string): void => {
    void work.then(() => notifySuccess(message), notifyError).then(refreshChannels);
  };
}

type ActionsOptions = { readonly onPickModel: (channel: Channel) => void };

function useChannelActions({ onPickModel }: ActionsOptions): (channel: Channel) => readonly RowAction[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const finish = useFinish();
  const { testing, test } = useChannelTest();
  const remove = async ({ id, name }: Channel): Promise<void> => {
    const sure = await confirm({
      title: t("删除渠道“{{name}}”？", { name }),
      description: t("之后的调用不再经过这个渠道，此操作无法撤销。"),
      action: t("删除"),
      danger: true,
    });
    if (sure) finish(deleteChannel(id), t("已删除“{{name}}”", { name }));
  };
  return (channel) => {
    const { id, name } = channel;
    const toggle: RowAction =
      channel.status === CHANNEL_STATUS.enabled
        ? {
            label: t("禁用"),
            icon: Ban,
            onSelect: () =>
              finish(updateChannel({ id, status: CHANNEL_STATUS.disabled }), t("已禁用“{{name}}”", { name })),
          }
        : {
            label: t("启用"),
            icon: CircleCheck,
            onSelect: () =>
              finish(updateChannel({ id, status: CHANNEL_STATUS.enabled }), t("已启用“{{name}}”", { name })),
          };
    return [
      { label: t("测试"), icon: Gauge, frequent: true, busy: testing.has(id), onSelect: () => void test(channel) },
      {
        label: t("编辑"),
        icon: Pencil,
        frequent: true,
        onSelect: () => void navigate({ to: "/admin/channels/$id", params: { id: String(id) }, search: true }),
      },
      toggle,
      { label: t("选择模型测试"), icon: ListChecks, onSelect: () => onPickModel(channel) },
      {
        label: t("复制渠道"),
        icon: Copy,
        onSelect: () => void navigate({ to: "/admin/channels/new", search: (previous) => ({ ...previous, copy: id }) }),
      },
      {
        label: t("查看日志"),
        icon: ScrollText,
        onSelect: () => void navigate({ to: "/app/logs/api-usage", search: { channel: id } }),
      },
      { label: t("删除"), icon: Trash2, danger: true, onSelect: () => void remove(channel) },
    ];
  };
}

/** The upstream accounts that calls are sent to. */
export function ChannelsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const finish = useFinish();
  const { page, pageSize } = pageOfSearch(search);
  const { keyword, model, group, sort } = search;
  const query = useQuery(channelsQuery({ page, pageSize, keyword, model, group, idSort: sort === "id" }));
  const [picking, setPicking] = useState<Channel>();
  const columns = useMemo(
    () =>
      channelColumns(t, (channel, change) =>
        finish(updateChannel({ id: channel.id, ...change }), t("已保存“{{name}}”", { name: channel.name })),
      ),
    [t, finish],
  );
  const actionsOf = useChannelActions({ onPickModel: setPicking });
  return (
    <ListPage
      title={t("渠道管理")}
      description={t("连接上游账号，调用按优先级和权重分配到渠道。")}
      actions={<NewChannelButton />}
    >
      <DataTable
        id="channels"
        label={t("渠道")}
        columns={columns}
        query={query}
        rowId={(channel) => String(channel.id)}
        nameOf={(channel) => channel.name}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={keyword !== undefined || model !== undefined || group !== undefined}
        onClearFilters={() => patch({ keyword: undefined, model: undefined, group: undefined })}
        empty={<EmptyState text={t("还没有渠道，连接一个上游账号就可以开始服务。")} action={<NewChannelButton />} />}
        actionsOf={actionsOf}
        bulkActions={(rows, clear) => <ChannelBulkActions rows={rows} clear={clear} />}
        rowClassName={(channel) => (channel.status === CHANNEL_STATUS.enabled ? undefined : "text-muted-foreground")}
        sort={sort ?? "priority"}
        onSort={(next) => patch({ sort: next === "id" ? "id" : undefined })}
        toolbar={<ChannelFilters keyword={keyword} model={model} group={group} onChange={patch} />}
      />
      <Suspense>{picking && <ChannelTestDialog channel={picking} onClose={() => setPicking(undefined)} />}</Suspense>
      <Outlet />
    </ListPage>
  );
}
