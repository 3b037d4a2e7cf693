import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Opened } from "../../components/ui/overlay-button.tsx";
import { Sheet, SheetContent, SheetDescription, SheetTitle, SheetTrigger } from "../../components/ui/sheet.tsx";
import { SidebarLinks } from "./sidebar.tsx";

/** The opened menu of a phone: what the sidebar holds elsewhere. */
export function MobileMenuSheet({ trigger }: Opened) {
  const { t } = useTranslation();
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
          <SidebarLinks collapsed={false} />
        </nav>
      </SheetContent>
    </Sheet>
  );
}
