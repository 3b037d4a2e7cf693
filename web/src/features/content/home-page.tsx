import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useSession } from "../../lib/session/session.ts";
import { useApiAddress, useSiteStatus } from "../../lib/status.ts";
import { homeQuery } from "./content-api.ts";
import { SiteContent } from "./site-content.tsx";

const INTERFACES = [
  { name: "OpenAI", paths: ["/v1/chat/completions", "/v1/responses", "/v1/embeddings", "/v1/images/generations"] },
  { name: "Anthropic", paths: ["/v1/messages"] },
  { name: "Gemini", paths: ["/v1beta/models"] },
] as const;

/** The default home page: the address for calls, the supported formats, and links. */
function DefaultHome() {
  const { t } = useTranslation();
  const status = useSiteStatus();
  const address = useApiAddress();
  const user = useSession((state) => state.user);
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-8 py-6 sm:py-16">
      <div className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold">{status?.system_name}</h1>
        <p className="text-muted-foreground">{t("通过一个地址和一个密钥调用这里的所有模型。")}</p>
      </div>
      <div className="flex flex-col gap-1.5">
        <h2 className="text-sm font-medium">{t("接口地址")}</h2>
        <div className="flex items-center justify-between gap-2 rounded-lg border bg-surface py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 font-mono text-[13px]">{address}</code>
          <CopyButton value={address} label={t("复制接口地址")} />
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {!user && (
          <Button asChild>
            <Link to="/login">{t("登录")}</Link>
          </Button>
        )}
        <Button variant="outline" asChild>
          <Link to="/pricing">{t("模型价格")}</Link>
        </Button>
        {(user || status?.public_status === true) && (
          <Button variant="outline" asChild>
            <Link to="/status">{t("模型状态")}</Link>
          </Button>
        )}
        {status?.docs_link ? (
          <Button variant="outline" asChild>
            <a href={status.docs_link} target="_blank" rel="noreferrer">
              {t("文档")}
            </a>
          </Button>
        ) : null}
      </div>
      <div className="flex flex-col gap-1.5">
        <h2 className="text-sm font-medium">{t("可用的接口")}</h2>
        <dl className="divide-y rounded-lg border text-[13px]">
          {INTERFACES.map(({ name, paths }) => (
            <div key={name} className="flex flex-wrap gap-x-4 gap-y-1 px-3 py-2.5">
              <dt className="w-24 font-medium">{name}</dt>
              <dd className="flex flex-1 flex-wrap gap-x-4 gap-y-1 font-mono text-muted-foreground">
                {paths.map((path) => (
                  <span key={path}>{path}</span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}

/** The site's home page: the operator's own, or a plain one with the address for calls. */
export function HomePage() {
  const { t } = useTranslation();
  const status = useSiteStatus();
  const source = useQuery(homeQuery).data ?? "";
  return (
    <>
      <title>{status?.system_name ?? "Turnpike"}</title>
      {source.trim() === "" ? <DefaultHome /> : <SiteContent source={source} title={t("首页")} />}
    </>
  );
}
