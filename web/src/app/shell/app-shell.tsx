import { Outlet } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { TooltipProvider } from "../../components/ui/tooltip.tsx";
import { SiteFooter } from "../../features/content/site-footer.tsx";
import { useSession } from "../../lib/session/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { Header } from "./header.tsx";
import { usePalette } from "./palette-state.ts";
import { Sidebar } from "./sidebar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import { useSidebar } from "./use-sidebar.ts";

const ShortcutsDialog = lazy(async () => ({ default: (await import("./shortcuts-dialog.tsx")).ShortcutsDialog }));
const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

/** The page with the operator's footer at its end. */
function Page() {
  const footer = useSiteStatus()?.footer_html ?? "";
  if (footer.trim() === "") return <Outlet />;
  return (
    <div className="flex min-h-full flex-col">
      <div className="flex min-w-0 flex-1 flex-col *:w-full">
        <Outlet />
      </div>
      <SiteFooter source={footer} />
    </div>
  );
}

type ShellProps = {
  /** Absent on pages without a sidebar. */
  readonly onToggleSidebar: (() => void) | undefined;
  readonly sidebar: ReactNode;
};

/** Header, sidebar and the page. */
function Shell({ onToggleSidebar, sidebar }: ShellProps) {
  const { t } = useTranslation();
  const paletteOpen = usePalette((state) => state.open);
  const hasHelp = usePalette((state) => state.hasHelp);
  useShortcuts();
  return (
    <TooltipProvider>
      <div className="flex h-full flex-col">
        <a
          href="#main"
          className="absolute top-2 left-2 z-50 -translate-y-16 rounded-lg bg-primary px-3 py-2 text-primary-foreground focus:translate-y-0"
        >
          {t("跳到主要内容")}
        </a>
        <Header onToggleSidebar={onToggleSidebar} />
        <div className="flex min-h-0 flex-1">
          {sidebar}
          <main id="main" tabIndex={-1} className="min-w-0 flex-1 overflow-y-auto p-4 outline-none sm:p-6">
            <Page />
          </main>
        </div>
        {paletteOpen && (
          <Suspense>
            <Palette />
          </Suspense>
        )}
        {hasHelp && (
          <Suspense>
            <ShortcutsDialog />
          </Suspense>
        )}
      </div>
    </TooltipProvider>
  );
}

/** The shell of the console's pages. Visitors see no sidebar. */
export function AppShell() {
  const user = useSession((state) => state.user);
  const { collapsed, toggle } = useSidebar();
  return <Shell onToggleSidebar={user && toggle} sidebar={user && <Sidebar collapsed={collapsed} />} />;
}

/** The shell of the site's own pages: home and about, without the console's sidebar. */
export function SiteShell() {
  return <Shell onToggleSidebar={undefined} sidebar={undefined} />;
}
