import { useQuery } from "@tanstack/react-query";
import { CircleUserRound } from "lucide-react";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { LazyOverlay } from "../../components/lazy-overlay.tsx";
import { Button } from "../../components/ui/button.tsx";
import { selfQuery } from "../../lib/session/account.ts";
import { useSession } from "../../lib/session/session.ts";

const loadContent = () => import("./user-menu-content.tsx");
const UserMenuContent = lazy(async () => ({ default: (await loadContent()).UserMenuContent }));

/** The button of the account menu. */
export function UserMenu() {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  // Fetched on every page, which refreshes the stored user.
  useQuery({ ...selfQuery, enabled: user !== undefined });
  if (!user) return null;
  const name = user.display_name || user.username;
  const trigger = (
    <Button variant="ghost" className="px-2" aria-label={t("账户菜单：{{name}}", { name })}>
      <CircleUserRound />
      <span className="max-w-32 truncate max-sm:hidden">{name}</span>
    </Button>
  );
  return (
    <LazyOverlay kind="menu" load={loadContent} trigger={trigger}>
      <UserMenuContent user={user} trigger={trigger} />
    </LazyOverlay>
  );
}
