import { Link } from "@tanstack/react-router";
import { PanelLeft, Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { NoticeButton } from "../../features/content/notice-button.tsx";
import { useSession } from "../../lib/session/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { InboxBell } from "./inbox-bell.tsx";
import { Logo } from "../../components/logo.tsx";
import { MobileMenu } from "./mobile-menu.tsx";
import { usePalette } from "./palette-state.ts";
import { LanguageButton, ThemeButton } from "../../components/preference-buttons.tsx";
import { SiteLinks } from "./site-links.tsx";
import { UserMenu } from "./user-menu.tsx";

function TopLinks() {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("站点")} className="flex min-w-0 items-center overflow-hidden max-md:hidden">
      <SiteLinks className="rounded-md px-2.5 py-1.5 whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 data-[status=active]:text-foreground" />
    </nav>
  );
}

function PaletteButton() {
  const { t } = useTranslation();
  const open = usePalette((state) => state.setOpen);
  return (
    <Button
      variant="outline"
      className="gap-2 text-muted-foreground max-md:size-9 max-md:border-transparent max-md:px-0 md:min-w-44 md:justify-start"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => open(true)}
    >
      <Search />
      <span className="flex-1 text-left max-md:sr-only">
        {t("搜索")} <span className="sr-only">{t("页面、渠道、用户和令牌")}</span>
      </span>
      <kbd className="rounded-sm border px-1 font-sans text-[11px] max-md:hidden" aria-hidden>
        Ctrl K
      </kbd>
    </Button>
  );
}

type HeaderProps = { readonly onToggleSidebar: (() => void) | undefined };

/** The bar at the top of every page, 56 px high. */
export function Header({ onToggleSidebar }: HeaderProps) {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  const status = useSiteStatus();
  return (
    <header className="z-40 flex h-14 shrink-0 items-center gap-1 border-b bg-background px-3">
      <MobileMenu />
      {onToggleSidebar && (
        <Button
          variant="ghost"
          size="icon"
          className="max-sm:hidden"
          aria-label={t("展开或收起侧边栏")}
          onClick={onToggleSidebar}
        >
          <PanelLeft />
        </Button>
      )}
      <div className="mr-2 flex min-w-0 items-center gap-2 px-1">
        <Logo />
        {status?.self_use_mode_enabled === true && <StatusBadge tone="outline">{t("自用模式")}</StatusBadge>}
        {status?.demo_site_enabled === true && <StatusBadge tone="outline">{t("演示站点")}</StatusBadge>}
      </div>
      <TopLinks />
      <div className="ml-auto flex items-center gap-1">
        {user && <PaletteButton />}
        {user && <InboxBell />}
        <NoticeButton />
        <ThemeButton />
        <LanguageButton />
        {user ? (
          <UserMenu />
        ) : (
          <>
            {status?.self_use_mode_enabled === false && status.register_enabled && (
              <Button asChild variant="ghost" className="max-sm:hidden">
                <Link to="/register">{t("注册")}</Link>
              </Button>
            )}
            <Button asChild>
              <Link to="/login">{t("登录")}</Link>
            </Button>
          </>
        )}
      </div>
    </header>
  );
}
