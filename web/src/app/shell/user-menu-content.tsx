import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { LogOut, Sparkles, UserRound, Wallet } from "lucide-react";
import type { SignedInUser } from "@turnpike/contract/api/user";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { useFormatMoneySum } from "../../components/money.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../components/ui/dropdown-menu.tsx";
import { selfQuery, signOut } from "../../lib/session/account.ts";
import { useIsAdmin } from "../../lib/session/session.ts";
import { notifyError } from "../../lib/toast.ts";

type UserMenuContentProps = { readonly user: SignedInUser; readonly trigger: ReactElement };

/** The account menu, open at first: who is signed in, the balance, the way out. */
export function UserMenuContent({ user, trigger }: UserMenuContentProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const formatMoney = useFormatMoneySum();
  const self = useQuery(selfQuery);
  const admin = useIsAdmin();
  const name = user.display_name || user.username;
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
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
        {admin && (
          <DropdownMenuItem asChild>
            <Link to="/admin/start">
              <Sparkles aria-hidden />
              {t("设置向导")}
            </Link>
          </DropdownMenuItem>
        )}
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => void signOut().then(() => navigate({ to: "/login" }), notifyError)}>
          <LogOut aria-hidden />
          {t("退出登录")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
