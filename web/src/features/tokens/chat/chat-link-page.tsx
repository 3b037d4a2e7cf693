import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../../components/states.tsx";
import { fillLink, isOpenable } from "./chat-links.ts";
import { ChatLinkProblem } from "./chat-link-problem.tsx";
import { useChatLinks, useChatTarget } from "./use-chat-key.ts";

/** Redirects to the site's first chat client, outside of the console. */
export function ChatLinkPage() {
  const { t } = useTranslation();
  const links = useChatLinks();
  const chat = useChatTarget();
  const link = links?.[0];
  const address = link && chat.target && fillLink(link, chat.target);
  const isGood = address !== undefined && isOpenable(address);
  useEffect(() => {
    if (isGood) window.location.replace(address);
  }, [isGood, address]);
  if (!link || !chat.target) return <ChatLinkProblem links={links} link={link} chat={chat} />;
  return (
    <EmptyState text={isGood ? t("正在打开 {{name}}…", { name: link.name }) : t("聊天链接配置错误，请联系管理员")} />
  );
}
