import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleUserRound, LogOut, Wallet } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormatMoney } from "../../components/money.tsx";
import { Button } from "../../components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../components/ui/dropdown-menu.tsx";
import { selfQuery, signOut } from "../../lib/account.ts";
import { useSession } from "../../lib/session.ts";
import { notifyError } from "../../lib/toast.ts";

/** Who is signed in, what they have, and the way out. */
export function UserMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const user = useSession((state) => state.user);
  const self = useQuery({ ...selfQuery, enabled: user !== undefined });
  const formatMoney = useFormatMoney();
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
        <div className="px-2 py-1.5">
          <p className="truncate font-medium">{name}</p>
          <p className="text-[13px] text-muted-foreground">
            {t("ID {{id}}，分组 {{group}}", { id: user.id, group: user.group })}
          </p>
        </div>
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link to="/app/wallet">
            <Wallet aria-hidden />
            <span className="flex-1">{t("余额")}</span>
            <span className="text-muted-foreground tabular-nums">{self.data ? formatMoney(self.data.quota) : "—"}</span>
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
