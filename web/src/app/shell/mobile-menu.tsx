import { Menu } from "lucide-react";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { LazyOverlay } from "../../components/lazy-overlay.tsx";
import { Button } from "../../components/ui/button.tsx";

const loadSheet = () => import("./mobile-menu-sheet.tsx");
const MobileMenuSheet = lazy(async () => ({ default: (await loadSheet()).MobileMenuSheet }));

/** The button of a phone's menu. */
export function MobileMenu() {
  const { t } = useTranslation();
  const trigger = (
    <Button variant="ghost" size="icon" className="md:hidden" aria-label={t("打开菜单")}>
      <Menu />
    </Button>
  );
  return (
    <LazyOverlay kind="dialog" load={loadSheet} trigger={trigger}>
      <MobileMenuSheet trigger={trigger} />
    </LazyOverlay>
  );
}
