import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { SignedInUser } from "@turnpike/contract/api/user";
import { LogOut, UserRound, Wallet } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormatMoney } from "../../components/money.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../components/ui/dropdown-menu.tsx";
import type { OverlayProps } from "../../components/ui/overlay-button.tsx";
import { selfQuery, signOut } from "../../lib/account.ts";
import { notifyError } from "../../lib/toast.ts";

type UserMenuContentProps = OverlayProps & { readonly user: SignedInUser; readonly name: string };

/** The opened account menu: who, the balance, the way out. */
export function UserMenuContent({ trigger, byKeyboard, user, name }: UserMenuContentProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const self = useQuery(selfQuery);
  const formatMoney = useFormatMoney();
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent className="w-56" startsAtFirst={byKeyboard}>
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
