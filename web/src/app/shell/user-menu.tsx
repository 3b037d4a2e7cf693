import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleUserRound, LogOut, UserRound, Wallet } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormatMoney } from "../../components/money.tsx";
import { Button } from "../../components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../components/ui/dropdown-menu.tsx";
import { selfQuery, signOut } from "../../lib/account.ts";
import { useSession } from "../../lib/session.ts";
import { notifyError } from "../../lib/toast.ts";

/** The account menu: who is signed in, the balance, the way out. */
export function UserMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const formatMoney = useFormatMoney();
  const user = useSession((state) => state.user);
  // Read on every page: it renews what this browser remembers of the user.
  const self = useQuery({ ...selfQuery, enabled: user !== undefined });
  if (!user) return null;
  const name = user.display_name || user.username;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" className="px-2" aria-label={t("账户菜单：{{name}}", { name })}>
          <CircleUserRound />
          <span className="max-w-32 truncate max-sm:hidden">{name}</span>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="w-56">
        <DropdownMenuLabel className="py-1.5 text-sm">
          <span className="block truncate font-medium text-foreground">{name}</span>
          <span className="block text-[13px]">
            {t("ID {{id}}，分组 {{group}}", { id: user.id, group: user.group })}
          </span>
        </DropdownMenuLabel>
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link to="/app/wallet">
            <Wallet aria-hidden />
            <span className="flex-1">{t("余额")}</span>
            <span className="text-muted-foreground tabular-nums">{self.data ? formatMoney(self.data.quota) : "—"}</span>
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link to="/app/me">
            <UserRound aria-hidden />
            {t("个人设置")}
          </Link>
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => void signOut().then(() => navigate({ to: "/login" }), notifyError)}>
          <LogOut aria-hidden />
          {t("退出登录")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
