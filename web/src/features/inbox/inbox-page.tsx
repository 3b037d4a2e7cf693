import type { InboxMessage } from "@turnpike/contract/api/message";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Pagination } from "../../components/data-table/pagination.tsx";
import { rememberedPageSize, rememberPageSize } from "../../components/data-table/page-size.ts";
import { usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { EmptyState, ErrorState } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { cn } from "../../lib/utils.ts";
import { inboxQuery } from "./inbox-api.ts";

const route = getRouteApi("/shell/signed-in/app/inbox");
const PAGE_SIZE_KEY = "message-page-size";

function MessageRow({ message }: { readonly message: InboxMessage }) {
  const { t } = useTranslation();
  const unread = !message.is_read;
  return (
    <li className="border-b last:border-b-0">
      <Link
        to="/app/inbox/$id"
        params={{ id: String(message.id) }}
        className="flex gap-3 px-4 py-3 -outline-offset-2 hover:bg-surface"
      >
        <span
          className={cn("mt-1.5 size-2 shrink-0 rounded-full", unread ? "bg-primary" : "bg-transparent")}
          aria-hidden
        />
        <span className="flex min-w-0 flex-1 flex-col gap-0.5">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className={cn("min-w-0 truncate", unread ? "font-semibold" : "text-muted-foreground")}>
              {unread && <span className="sr-only">{t("未读：")}</span>}
              {message.title}
            </span>
            <Time seconds={message.created_at} className="text-[13px] text-muted-foreground" />
          </span>
          <span className="line-clamp-2 text-[13px] text-muted-foreground">{message.preview}</span>
        </span>
      </Link>
    </li>
  );
}

function RowSkeletons() {
  return Array.from({ length: 5 }, (_, index) => (
    <li key={index} className="flex flex-col gap-2 border-b px-9 py-3.5 last:border-b-0">
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="h-3 w-4/5" />
    </li>
  ));
}

/** Messages from the site's administrators. */
export function InboxPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page = 1, size: pageSize = rememberedPageSize(PAGE_SIZE_KEY) } = search;
  const { data, isPending, isError, error, refetch } = useQuery(inboxQuery({ page, pageSize }));
  const isEmpty = data?.items.length === 0;
  return (
    <div className="mx-auto flex max-w-[880px] flex-col gap-4">
      <PageHeader title={t("收件箱")} description={t("管理员发来的消息，打开后标为已读。")} />
      {isError && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isEmpty && <EmptyState text={t("还没有消息。站点的公告和给您的通知会出现在这里。")} />}
      {(isPending || (data && !isEmpty)) && (
        <ul className="rounded-lg border" aria-label={t("收件箱")} aria-busy={isPending}>
          {isPending ? (
            <RowSkeletons />
          ) : (
            data?.items.map((message) => <MessageRow key={message.id} message={message} />)
          )}
        </ul>
      )}
      {data && (data.total > pageSize || page > 1) && (
        <Pagination
          page={page}
          pageSize={pageSize}
          total={data.total}
          onPage={(next) => patch({ page: next })}
          onPageSize={(size) => {
            rememberPageSize(size, PAGE_SIZE_KEY);
            patch({ page: undefined, size });
          }}
        />
      )}
    </div>
  );
}
