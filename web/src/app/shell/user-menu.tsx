import { useQuery } from "@tanstack/react-query";
import { CircleUserRound } from "lucide-react";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { OverlayButton } from "../../components/ui/overlay-button.tsx";
import { selfQuery } from "../../lib/account.ts";
import { useSession } from "../../lib/session.ts";

const load = () => import("./user-menu-content.tsx");
const UserMenuContent = lazy(async () => ({ default: (await load()).UserMenuContent }));

/** Who is signed in, what they have, and the way out. */
export function UserMenu() {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  // Read on every page: it renews what this browser remembers of the user.
  useQuery({ ...selfQuery, enabled: user !== undefined });
  if (!user) return null;
  const name = user.display_name || user.username;
  const button = (
    <Button variant="ghost" className="px-2" aria-label={t("账户菜单：{{name}}", { name })}>
      <CircleUserRound />
      <span className="max-w-32 truncate max-sm:hidden">{name}</span>
    </Button>
  );
  return (
    <OverlayButton kind="menu" button={button} preload={load}>
      {(opened) => <UserMenuContent {...opened} user={user} name={name} />}
    </OverlayButton>
  );
}
