import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { homeQuery } from "../../features/content/content-api.ts";
import { useSession } from "../../lib/session/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { consoleHome } from "./console-home.ts";

type SiteLinksProps = {
  /** The look of each link. */
  readonly className: string;
};

/** Links to the site's public pages: home, the console (for signed-in users), prices, the status of models, documents, about. */
export function SiteLinks({ className }: SiteLinksProps) {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  const status = useSiteStatus();
  // Without an operator's home page, the console takes its place for signed-in users.
  const home = useQuery(homeQuery).data ?? "";
  const hasHome = !user || home.trim() !== "";
  return (
    <>
      {hasHome && (
        <Link to="/" activeOptions={{ exact: true }} className={className}>
          {t("首页")}
        </Link>
      )}
      {user && (
        <Link to={consoleHome(status)} className={className}>
          {t("控制台")}
        </Link>
      )}
      <Link to="/pricing" className={className}>
        {t("模型价格")}
      </Link>
      {(user || status?.public_status === true) && (
        <Link to="/status" className={className}>
          {t("模型状态")}
        </Link>
      )}
      {status?.docs_link ? (
        <a href={status.docs_link} target="_blank" rel="noreferrer" className={className}>
          {t("文档")}
        </a>
      ) : null}
      <Link to="/about" className={className}>
        {t("关于")}
      </Link>
    </>
  );
}
