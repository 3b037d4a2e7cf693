import { type ReactElement, useState } from "react";
import { useTranslation } from "react-i18next";
import { Sheet, SheetContent, SheetDescription, SheetTitle, SheetTrigger } from "../../components/ui/sheet.tsx";
import { useSession } from "../../lib/session/session.ts";
import { SidebarLinks } from "./sidebar.tsx";
import { SiteLinks } from "./site-links.tsx";

/** The menu of a phone, open at first: the links of the sidebar and of the site. */
export function MobileMenuSheet({ trigger }: { readonly trigger: ReactElement }) {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  const [open, setOpen] = useState(true);
  return (
    <Sheet open={open} onOpenChange={setOpen}>
      <SheetTrigger asChild>{trigger}</SheetTrigger>
      <SheetContent side="left">
        <div className="flex h-14 items-center border-b px-4">
          <SheetTitle>{t("菜单")}</SheetTitle>
          <SheetDescription className="sr-only">{t("前往其他页面")}</SheetDescription>
        </div>
        <nav className="flex-1 overflow-y-auto p-2" onClick={() => setOpen(false)}>
          {user && <SidebarLinks collapsed={false} />}
          <section aria-label={t("站点")} className="flex flex-col">
            {user && <h2 className="px-2.5 pt-4 pb-1 text-xs text-muted-foreground">{t("站点")}</h2>}
            <SiteLinks className="flex h-9 items-center rounded-lg px-2.5 text-muted-foreground hover:bg-muted hover:text-foreground data-[status=active]:text-foreground" />
          </section>
        </nav>
      </SheetContent>
    </Sheet>
  );
}
