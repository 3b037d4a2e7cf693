import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../../components/page-header.tsx";
import { EmptyState, ErrorState } from "../../../components/states.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { ApiError } from "../../../lib/api/api-error.ts";
import { notifyProblem } from "../../../lib/toast.ts";
import type { ChatLink } from "./chat-links.ts";
import type { useChatTarget } from "./use-chat-key.ts";

const REDIRECT_AFTER_MS = 1_500;

/** A chat client needs a token: shows this and links to the page that creates one. */
function NoToken() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const message = t("当前没有可用的启用令牌，请确认是否有令牌处于启用状态！");
  useEffect(() => {
    notifyProblem(message, "");
    const timer = setTimeout(() => void navigate({ to: "/app/tokens" }), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [message, navigate]);
  return <EmptyState text={message} />;
}

type ChatLinkProblemProps = {
  readonly links: readonly ChatLink[] | undefined;
  readonly link: ChatLink | undefined;
  readonly chat: ReturnType<typeof useChatTarget>;
};

function Why({ links, link, chat }: ChatLinkProblemProps) {
  const { t } = useTranslation();
  if (links?.length === 0) return <EmptyState text={t("请联系管理员配置聊天链接")} />;
  if (!link) return <EmptyState text={t("聊天链接配置错误，请联系管理员")} />;
  if (chat.error instanceof ApiError) return <ErrorState error={chat.error} onRetry={chat.retry} />;
  if (chat.isPending) return <Skeleton className="h-64 w-full" />;
  if (!chat.hasToken) return <NoToken />;
  return (
    <EmptyState
      text={t("本站的密钥只在创建时显示一次，无法自动填入聊天链接。")}
      action={
        <Button variant="outline" asChild>
          <Link to="/app/tokens">{t("查看令牌")}</Link>
        </Button>
      }
    />
  );
}

/** The reason why a chat client cannot be opened, or not yet. */
export function ChatLinkProblem(props: ChatLinkProblemProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={props.link?.name ?? t("聊天")} />
      <Why {...props} />
    </div>
  );
}
