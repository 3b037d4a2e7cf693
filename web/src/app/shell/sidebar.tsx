import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Hint } from "../../components/hint.tsx";
import { cn } from "../../lib/utils.ts";
import { useIsAdmin } from "../../lib/session/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { type NavigationItem, navigationGroups } from "./navigation.ts";

function SidebarLink({ item, collapsed }: { readonly item: NavigationItem; readonly collapsed: boolean }) {
  const { t } = useTranslation();
  const Icon = item.icon;
  const label = t(item.label);
  return (
    <Hint text={collapsed ? label : undefined} side="right">
      <Link
        to={item.to}
        aria-label={collapsed ? label : undefined}
        className={cn(
          "flex h-9 items-center gap-2.5 rounded-lg px-2.5 text-muted-foreground hover:bg-muted hover:text-foreground data-[status=active]:bg-selected data-[status=active]:font-medium data-[status=active]:text-foreground [&_svg]:size-4 [&_svg]:shrink-0 data-[status=active]:[&_svg]:text-accent-text",
          collapsed && "w-9 justify-center px-0",
        )}
      >
        <Icon aria-hidden />
        {!collapsed && <span className="truncate">{label}</span>}
      </Link>
    </Hint>
  );
}

/** The console's pages in their groups. */
export function SidebarLinks({ collapsed }: { readonly collapsed: boolean }) {
  const { t } = useTranslation();
  const status = useSiteStatus();
  const groups = navigationGroups(status, useIsAdmin());
  return (
    <div className="flex flex-col gap-3">
      {groups.map((group) => (
        <section key={group.label} aria-label={t(group.label)}>
          {collapsed ? (
            <hr className="mx-1 mb-2 first:hidden" />
          ) : (
            <h2 className="px-2.5 pt-1 pb-1 text-xs text-muted-foreground">{t(group.label)}</h2>
          )}
          <ul className="flex flex-col gap-0.5">
            {group.items.map((item) => (
              <li key={item.to}>
                <SidebarLink item={item} collapsed={collapsed} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The sidebar: 200 px wide, 60 px when collapsed, absent on a phone. */
export function Sidebar({ collapsed }: { readonly collapsed: boolean }) {
  const { t } = useTranslation();
  return (
    <nav
      aria-label={t("主导航")}
      className={cn(
        "shrink-0 overflow-x-hidden overflow-y-auto border-r bg-surface py-3 max-sm:hidden",
        collapsed ? "w-[60px] px-[11px]" : "w-[200px] px-2",
      )}
    >
      <SidebarLinks collapsed={collapsed} />
    </nav>
  );
}
