import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../lib/session.ts";
import { Header } from "./header.tsx";
import { usePalette } from "./palette-state.ts";
import { Sidebar } from "./sidebar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import { useSidebar } from "./use-sidebar.ts";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

/** Header, sidebar and the page between them. Visitors see no sidebar. */
export function AppShell() {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  const { collapsed, toggle } = useSidebar();
  const paletteOpen = usePalette((state) => state.open);
  useShortcuts();
  return (
    <div className="flex h-full flex-col">
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-16 rounded-lg bg-primary px-3 py-2 text-primary-foreground focus:translate-y-0"
      >
        {t("跳到主要内容")}
      </a>
      <Header onToggleSidebar={user && toggle} />
      <div className="flex min-h-0 flex-1">
        {user && <Sidebar collapsed={collapsed} />}
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 overflow-y-auto p-4 outline-none sm:p-6">
          <Outlet />
        </main>
      </div>
      {paletteOpen && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
    </div>
  );
}
