import { useParams } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../../components/page-header.tsx";
import { FramedPage } from "../../../components/site-text/framed-page.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { type ChatLink, type ChatTarget, fillLink, isFramed, isOpenable } from "./chat-links.ts";
import { ChatLinkProblem } from "./chat-link-problem.tsx";
import { useChatLinks, useChatTarget } from "./use-chat-key.ts";

/** A client outside of the console: an app, or a page that cannot be framed. */
function OpenOutside({ link, address }: { readonly link: ChatLink; readonly address: string }) {
  const { t } = useTranslation();
  if (!isOpenable(address)) return <EmptyState text={t("聊天链接配置错误，请联系管理员")} />;
  return (
    <EmptyState
      text={t("“{{name}}”在新窗口或应用中打开。", { name: link.name })}
      action={
        <Button asChild>
          <a href={address} target="_blank" rel="noreferrer">
            <ExternalLink />
            {t("打开 {{name}}", { name: link.name })}
          </a>
        </Button>
      }
    />
  );
}

function Client({ link, target }: { readonly link: ChatLink; readonly target: ChatTarget }) {
  const address = fillLink(link, target);
  if (!isFramed(link)) {
    return (
      <div className="flex flex-col gap-4">
        <PageHeader title={link.name} />
        <OpenOutside link={link} address={address} />
      </div>
    );
  }
  return (
    <div className="relative -m-4 h-[calc(100%+2rem)] min-h-[70dvh] sm:-m-6 sm:h-[calc(100%+3rem)]">
      <h1 className="sr-only">{link.name}</h1>
      <title>{link.name}</title>
      <FramedPage address={address} title={link.name} />
    </div>
  );
}

/** A chat client of the site, opened with the user's first token; the one in the address, else the first. */
export function ChatPage() {
  const { id = "0" } = useParams({ strict: false });
  const links = useChatLinks();
  const chat = useChatTarget();
  const link = links?.[Number(id)];
  if (!link || !chat.target) return <ChatLinkProblem links={links} link={link} chat={chat} />;
  return <Client link={link} target={chat.target} />;
}
