import type { AdminMessage } from "@turnpike/contract/api/message";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { Pencil, Plus, Trash2, Users } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { DayFilters } from "../../components/data-table/day-filters.tsx";
import { ExportButton } from "../../components/data-table/actions/export-button.tsx";
import type { RowAction } from "../../components/data-table/actions/row-action.ts";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { toPage, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { deleteMessage, messagesQuery, readMessages, refreshMessages } from "./messages-api.ts";
import { MessageBulkActions } from "./message-bulk.tsx";
import { messageExport } from "./message-export.ts";
import { ReadBar } from "./read-bar.tsx";

const route = getRouteApi("/shell/signed-in/admin/admin/messages");

function NewMessageButton() {
  const { t } = useTranslation();
  return (
    <Button asChild>
      <Link to="/admin/messages/new" search={true}>
        <Plus />
        {t("新建消息")}
      </Link>
    </Button>
  );
}

const getColumns = (t: TFunction): readonly DataColumn<AdminMessage>[] => [
  {
    id: "title",
    label: t("标题"),
    fixed: true,
    card: "title",
    cell: (message) => (
      <span className="block truncate font-medium" title={message.title}>
        {message.title}
      </span>
    ),
  },
  {
    id: "preview",
    label: t("内容"),
    cell: (message) => (
      <span className="block max-w-72 truncate text-muted-foreground" title={message.preview}>
        {message.preview}
      </span>
    ),
  },
  {
    id: "format",
    label: t("格式"),
    card: "badge",
    cell: (message) => <StatusBadge tone="outline">{message.format === "html" ? "HTML" : "Markdown"}</StatusBadge>,
  },
  { id: "read", label: t("已读"), align: "right", card: "fact", cell: (message) => <ReadBar stats={message.stats} /> },
  { id: "created", label: t("发送时间"), card: "fact", cell: (message) => <Time seconds={message.created_at} /> },
  { id: "updated", label: t("修改时间"), startsHidden: true, cell: (message) => <Time seconds={message.updated_at} /> },
  {
    id: "author",
    label: t("发送者"),
    align: "right",
    startsHidden: true,
    cell: (message) => <span className="font-mono text-xs">#{message.created_by}</span>,
  },
  {
    id: "id",
    label: "ID",
    align: "right",
    startsHidden: true,
    cell: (message) => <span className="font-mono text-xs">{message.id}</span>,
  },
];

function useMessageActions(): (message: AdminMessage) => readonly RowAction[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = async ({ id, title }: AdminMessage): Promise<void> => {
    const sure = await confirm({
      title: t("删除消息“{{title}}”？", { title }),
      description: t("它会从所有收件人的收件箱里消失，此操作无法撤销。"),
      action: t("删除"),
      danger: true,
    });
    if (!sure) return;
    await deleteMessage(id).then(() => notifySuccess(t("已删除“{{name}}”", { name: title })), notifyError);
    await refreshMessages();
  };
  return (message) => {
    const params = { id: String(message.id) };
    return [
      {
        label: t("编辑"),
        icon: Pencil,
        frequent: true,
        onSelect: () => void navigate({ to: "/admin/messages/$id", params, search: true }),
      },
      {
        label: t("收件人"),
        icon: Users,
        frequent: true,
        onSelect: () => void navigate({ to: "/admin/messages/$id/recipients", params, search: true }),
      },
      { label: t("删除"), icon: Trash2, danger: true, onSelect: () => void remove(message) },
    ];
  };
}

/** Messages from administrators to users. */
export function MessagesPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = toPage(search);
  const { keyword, from, to } = search;
  const query = useQuery(messagesQuery({ page, pageSize, keyword, from, to }));
  const columns = useMemo(() => getColumns(t), [t]);
  const getRowActions = useMessageActions();
  return (
    <ListPage
      title={t("消息管理")}
      description={t("给用户发送站内消息，并查看谁已经读过。")}
      actions={<NewMessageButton />}
    >
      <DataTable
        id="messages"
        label={t("消息")}
        columns={columns}
        query={query}
        getRowId={(message) => String(message.id)}
        getRowName={(message) => message.title}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={[keyword, from, to].some((filter) => filter !== undefined)}
        onClearFilters={() => patch({ keyword: undefined, from: undefined, to: undefined })}
        empty={
          <EmptyState
            text={t("还没有发送过消息。发给用户的公告和通知会列在这里，可以看到谁读过。")}
            action={<NewMessageButton />}
          />
        }
        getRowActions={getRowActions}
        bulkActions={(rows, clear) => <MessageBulkActions rows={rows} clear={clear} />}
        toolbar={
          <>
            <SearchInput
              main
              label={t("标题或内容")}
              value={keyword ?? ""}
              onSearch={(value) => patch({ keyword: value })}
            />
            <DayFilters search={search} onChange={patch} />
            <ExportButton
              name="messages"
              columns={messageExport(t)}
              read={(next, size) => readMessages({ page: next, pageSize: size, keyword, from, to })}
            />
          </>
        }
      />
      <Outlet />
    </ListPage>
  );
}
