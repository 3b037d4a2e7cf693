import type { AdminMessage, MessageRecipient } from "@turnpike/contract/api/message";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Pagination } from "../../components/data-table/pagination.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "../../components/ui/sheet.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { formatCount } from "../../lib/text/format.ts";
import { adminMessageQuery, type ReadFilter, recipientsQuery } from "./messages-api.ts";

const PAGE_SIZE = 20;

function Statistics({ stats }: { readonly stats: AdminMessage["stats"] }) {
  const { t } = useTranslation();
  const facts = [
    { label: t("收件人"), value: formatCount(stats.total_recipients) },
    { label: t("已读"), value: formatCount(stats.read_count) },
    { label: t("未读"), value: formatCount(stats.unread_count) },
    { label: t("阅读率"), value: `${stats.read_rate}%` },
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {facts.map(({ label, value }) => (
        <div key={label} className="rounded-lg border px-3 py-2">
          <dt className="text-[13px] text-muted-foreground">{label}</dt>
          <dd className="text-lg font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function RecipientRow({ recipient }: { readonly recipient: MessageRecipient }) {
  const { t } = useTranslation();
  const { user_id: id, username, display_name: name, read_at: readAt } = recipient;
  return (
    <li className="flex min-h-10 items-center gap-3 border-b px-3 py-1.5 text-[13px] last:border-b-0">
      <span className="min-w-0 flex-1 truncate">
        {username === "" ? <span className="text-muted-foreground">{t("已注销")}</span> : username}
        {name !== username && name !== "" && <span className="ml-1.5 text-muted-foreground">{name}</span>}
        <span className="ml-1.5 font-mono text-xs text-muted-foreground">#{id}</span>
      </span>
      {readAt === null ? (
        <StatusBadge dot>{t("未读")}</StatusBadge>
      ) : (
        <span className="flex items-center gap-2">
          <Time seconds={readAt} className="text-muted-foreground" />
          <StatusBadge dot tone="good">
            {t("已读")}
          </StatusBadge>
        </span>
      )}
    </li>
  );
}

function RecipientList({ id }: { readonly id: number }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [read, setRead] = useState<ReadFilter>();
  const { data, isError, error, refetch } = useQuery(recipientsQuery({ id, page, pageSize: PAGE_SIZE, read }));
  return (
    <>
      <OptionSelect
        className="h-9 w-40"
        aria-label={t("状态")}
        value={read ?? ""}
        options={[
          { value: "", label: t("全部收件人") },
          { value: "read", label: t("已读") },
          { value: "unread", label: t("未读") },
        ]}
        onValueChange={(value) => {
          setRead(value === "read" || value === "unread" ? value : undefined);
          setPage(1);
        }}
      />
      {isError && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!isError && !data && <Skeleton className="h-64 w-full" />}
      {data?.items.length === 0 && <p className="py-8 text-center text-muted-foreground">{t("没有符合的收件人。")}</p>}
      {data && data.items.length > 0 && (
        <ul className="rounded-lg border" aria-label={t("收件人")}>
          {data.items.map((recipient) => (
            <RecipientRow key={recipient.user_id} recipient={recipient} />
          ))}
        </ul>
      )}
      {data && data.total > PAGE_SIZE && (
        <Pagination page={page} pageSize={PAGE_SIZE} total={data.total} onPage={setPage} />
      )}
    </>
  );
}

/** The recipients of the message in the address, and who has read it. */
export function RecipientsSheet() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  const message = useQuery(adminMessageQuery(Number(id)));
  const close = (): Promise<void> => navigate({ to: "/admin/messages", search: true });
  return (
    <Sheet open onOpenChange={(open) => !open && void close()}>
      <SheetContent>
        <SheetHeader>
          <SheetTitle>{t("收件人")}</SheetTitle>
          <SheetDescription className="truncate">{message.data?.title ?? t("加载中…")}</SheetDescription>
        </SheetHeader>
        <div className="flex flex-1 flex-col gap-4 overflow-y-auto p-5">
          {message.isError && !message.data ? (
            <ErrorState error={message.error} onRetry={() => void message.refetch()} />
          ) : (
            <>
              {message.data ? <Statistics stats={message.data.stats} /> : <Skeleton className="h-16 w-full" />}
              <RecipientList id={Number(id)} />
            </>
          )}
        </div>
      </SheetContent>
    </Sheet>
  );
}
