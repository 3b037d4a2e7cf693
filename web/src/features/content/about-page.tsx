import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { getFrameAddress } from "../../components/site-text/framed-address.ts";
import { useIsAdmin } from "../../lib/session/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { aboutQuery } from "./content-api.ts";
import { SiteContent } from "./site-content.tsx";

/** The default text when the operator wrote none. */
function DefaultAbout() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const version = useSiteStatus()?.version ?? "";
  return (
    <div className="flex flex-col gap-2">
      <p>{t("本站使用开源的 Turnpike 搭建，版本 {{version}}，以 Apache 2.0 许可证发布。", { version })}</p>
      {admin && <p className="text-muted-foreground">{t("在系统设置的“其他”里可以写下这一页的内容。")}</p>}
    </div>
  );
}

/** The operator's about page. */
export function AboutPage() {
  const { t } = useTranslation();
  const about = useQuery(aboutQuery);
  const source = about.data ?? "";
  if (getFrameAddress(source) !== undefined) {
    return (
      <>
        <div className="sr-only">
          <PageHeader title={t("关于")} />
        </div>
        <SiteContent source={source} title={t("关于")} />
      </>
    );
  }
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4">
      <PageHeader title={t("关于")} />
      {about.isPending && <Skeleton className="h-64 w-full" />}
      {about.isError && <ErrorState error={about.error} onRetry={() => void about.refetch()} />}
      {about.isSuccess && (source.trim() === "" ? <DefaultAbout /> : <SiteContent source={source} title={t("关于")} />)}
    </div>
  );
}
