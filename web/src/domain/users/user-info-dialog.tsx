import type { UserProfile } from "@turnpike/contract/api/user";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "../../components/ui/dialog.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { formatCount } from "../../lib/text/format.ts";
import { RoleBadge, UserState } from "./user-labels.tsx";
import { userQuery } from "./users-api.ts";

type Fact = { readonly label: string; readonly value: ReactNode };

/** The user's facts with a link to the editor. */
function UserInfo({ id }: { readonly id: number }) {
  const { t } = useTranslation();
  const user = useQuery(userQuery(id));
  const listFacts = (profile: UserProfile): readonly Fact[] => [
    { label: t("用户名"), value: profile.username },
    { label: t("身份"), value: <RoleBadge role={profile.role} /> },
    { label: t("状态"), value: <UserState user={profile} /> },
    { label: t("分组"), value: profile.group },
    { label: t("余额"), value: <Money quota={profile.quota} /> },
    { label: t("已用额度"), value: <Money quota={profile.used_quota} /> },
    { label: t("请求次数"), value: formatCount(profile.request_count) },
  ];
  return (
    <>
      {user.isPending && <Skeleton className="h-48 w-full" />}
      {user.isError && <ErrorState error={user.error} onRetry={() => void user.refetch()} />}
      {user.data && (
        <>
          <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 text-[13px]">
            {listFacts(user.data).map(({ label, value }) => (
              <div key={label} className="contents">
                <dt className="text-muted-foreground">{label}</dt>
                <dd className="min-w-0 text-right">{value}</dd>
              </div>
            ))}
          </dl>
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="outline" asChild>
                <Link to="/admin/customers/$id" params={{ id: String(id) }}>
                  {t("客户页面")}
                </Link>
              </Button>
            </DialogClose>
            <DialogClose asChild>
              <Button variant="outline" asChild>
                <Link to="/admin/users/$id" params={{ id: String(id) }}>
                  {t("编辑用户")}
                </Link>
              </Button>
            </DialogClose>
          </DialogFooter>
        </>
      )}
    </>
  );
}

export type UserInfoDialogProps = { readonly id: number; readonly trigger: ReactElement };

/** The dialog with its trigger, open at first. */
export function UserInfoDialog({ id, trigger }: UserInfoDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog defaultOpen>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="max-w-sm">
        <DialogHeader>
          <DialogTitle>{t("用户信息")}</DialogTitle>
          <DialogDescription>#{id}</DialogDescription>
        </DialogHeader>
        <UserInfo id={id} />
      </DialogContent>
    </Dialog>
  );
}
