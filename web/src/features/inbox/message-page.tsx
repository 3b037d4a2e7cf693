import type { InboxMessageDetail } from "@turnpike/contract/api/message";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { ApiError } from "../../lib/api/api-error.ts";
import { notifyError } from "../../lib/toast.ts";
import { markRead, messageQuery } from "./inbox-api.ts";

const RichText = lazy(async () => ({ default: (await import("../../components/rich-text/rich-text.tsx")).RichText }));

const isRemoved = (error: unknown): boolean => error instanceof ApiError && error.details.code === "message_not_found";

function Message({ message }: { readonly message: InboxMessageDetail }) {
  return (
    <article className="flex flex-col gap-4 rounded-lg border p-4 sm:p-6">
      <title>{message.title}</title>
      <header className="border-b pb-3">
        <h1 className="text-lg font-semibold">{message.title}</h1>
        <p className="text-[13px] text-muted-foreground">
          <Time seconds={message.created_at} exact />
        </p>
      </header>
      <Suspense fallback={<Skeleton className="h-32 w-full" />}>
        <RichText html={message.content_html} />
      </Suspense>
    </article>
  );
}

/** One message. Opening it marks it as read. */
export function MessagePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(messageQuery(Number(id)));
  const unreadId = data?.is_read === false ? data.id : undefined;
  useEffect(() => {
    // A failure here is ignored: the message stays unread and is marked when it is opened again.
    if (unreadId !== undefined) markRead(unreadId).catch(() => undefined);
  }, [unreadId]);
  const removed = isRemoved(error);
  useEffect(() => {
    if (!removed) return;
    notifyError(error);
    void navigate({ to: "/app/inbox", replace: true });
  }, [removed, error, navigate]);
  return (
    <div className="mx-auto flex max-w-[880px] flex-col gap-3">
      <Button asChild variant="ghost" size="sm" className="self-start">
        <Link to="/app/inbox">
          <ArrowLeft />
          {t("返回收件箱")}
        </Link>
      </Button>
      {error && !data && !removed ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data && <Skeleton className="h-64 w-full" />}
      {data && <Message message={data} />}
    </div>
  );
}
