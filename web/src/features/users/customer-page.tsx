import type { UserProfile } from "@turnpike/contract/api/user";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Coins } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { MoneySum } from "../../components/money.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { type FigureFilter, LogLink } from "../../domain/logs/log-link.tsx";
import { RoleBadge, UserState } from "../../domain/users/user-labels.tsx";
import { userQuery } from "../../domain/users/users-api.ts";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { formatCount } from "../../lib/text/format.ts";
import { creditsQuery, failuresQuery, getSpendSpan, SPEND_DAYS, spendQuery, userTokensQuery } from "./customer-api.ts";
import {
  creditColumns,
  CustomerPanel,
  failureColumns,
  spendColumns,
  sumByModel,
  tokenColumns,
} from "./customer-tables.tsx";
import { QuotaDialog } from "./quota-dialog.tsx";

function Tile({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1 px-4 py-3">
      <dt className="text-[13px] text-muted-foreground">{label}</dt>
      <dd className="truncate text-xl font-semibold tabular-nums">{children}</dd>
    </div>
  );
}

type TilesProps = {
  readonly user: UserProfile;
  readonly spent: number | undefined;
  readonly span: NonNullable<FigureFilter["span"]>;
};

function Tiles({ user, spent, span }: TilesProps) {
  const { t } = useTranslation();
  const { username } = user;
  return (
    <dl className="grid grid-cols-2 rounded-lg border lg:grid-cols-4 lg:divide-x">
      <Tile label={t("余额")}>
        <Link to="/admin/ledger" search={{ user: user.id }} className="underline-offset-4 hover:underline">
          <MoneySum quota={user.quota} />
        </Link>
      </Tile>
      <Tile label={t("最近 {{days}} 天的消耗", { days: SPEND_DAYS })}>
        {spent === undefined ? (
          <Skeleton className="mt-1 h-6 w-24" />
        ) : (
          <LogLink filter={{ username, span }}>
            <MoneySum quota={spent} />
          </LogLink>
        )}
      </Tile>
      <Tile label={t("已用额度")}>
        <LogLink filter={{ username }}>
          <MoneySum quota={user.used_quota} />
        </LogLink>
      </Tile>
      <Tile label={t("请求次数")}>
        <LogLink filter={{ username }}>{formatCount(user.request_count)}</LogLink>
      </Tile>
    </dl>
  );
}

type ActionsProps = { readonly user: UserProfile; readonly onQuota: () => void };

function Actions({ user, onQuota }: ActionsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Button variant="outline" asChild>
        <Link to="/app/logs/api-usage" search={{ username: user.username }}>
          {t("查看日志")}
        </Link>
      </Button>
      <Button variant="outline" asChild>
        <Link to="/admin/users/$id" params={{ id: String(user.id) }}>
          {t("编辑用户")}
        </Link>
      </Button>
      <Button onClick={onQuota}>
        <Coins />
        {t("调整额度")}
      </Button>
    </>
  );
}

function Panels({ user }: { readonly user: UserProfile }) {
  const { t } = useTranslation();
  const now = useNowSeconds();
  const { username } = user;
  const span = getSpendSpan(now);
  const spend = useQuery(spendQuery(username, span)).data;
  const tokens = useQuery(userTokensQuery(user.id)).data;
  const credits = useQuery(creditsQuery(user.id)).data;
  const failures = useQuery(failuresQuery(user.username)).data;
  const models = useMemo(() => sumByModel(spend ?? []), [spend]);
  const dashboard = (
    <Link to="/app/dashboard" search={{ user: user.username }} className="text-[13px] text-accent-text hover:underline">
      {t("数据看板")}
    </Link>
  );
  const common = { empty: t("没有记录。") };
  return (
    <>
      <Tiles user={user} spent={spend && models.reduce((sum, { quota }) => sum + quota, 0)} span={span} />
      <div className="grid gap-4 xl:grid-cols-2">
        <CustomerPanel
          {...common}
          title={t("按模型的消耗")}
          action={dashboard}
          columns={spendColumns(t, ({ model }) => ({ username, model, span }))}
          rows={models}
          getRowId={({ model }) => model}
        />
        <CustomerPanel
          {...common}
          title={t("最近的错误")}
          action={<LogLink filter={{ failed: true, username }}>{t("查看日志")}</LogLink>}
          columns={failureColumns(t)}
          rows={failures?.items ?? []}
          getRowId={({ id }) => String(id)}
        />
        <CustomerPanel
          {...common}
          title={t("API 令牌")}
          columns={tokenColumns(t, ({ name }) => ({ username, token: name }))}
          rows={tokens?.items ?? []}
          getRowId={({ id }) => String(id)}
        />
        <CustomerPanel
          {...common}
          title={t("入账和备注")}
          columns={creditColumns(t)}
          rows={credits?.items ?? []}
          getRowId={({ id }) => id}
        />
      </div>
    </>
  );
}

/** Everything about one customer: balance, spend, tokens, credits with their notes, and recent errors. */
export function CustomerPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams({ strict: false });
  const user = useQuery({ ...userQuery(Number(id)), refetchOnMount: "always" });
  const [isPaying, setPaying] = useState(false);
  if (user.isPending) return <Skeleton className="h-96 w-full" />;
  if (!user.data) return <ErrorState error={user.error} onRetry={() => void user.refetch()} />;
  return (
    <div className="mx-auto flex max-w-[1440px] flex-col gap-4">
      <PageHeader
        title={user.data.username}
        description={t("客户 #{{id}}，分组 {{group}}", { id: user.data.id, group: user.data.group })}
        actions={<Actions user={user.data} onQuota={() => setPaying(true)} />}
      />
      <div className="flex gap-2">
        <UserState user={user.data} />
        <RoleBadge role={user.data.role} />
      </div>
      {user.data.admin_note !== undefined && user.data.admin_note !== "" && (
        <section aria-label={t("内部备注")} className="rounded-lg border bg-surface px-4 py-3">
          <h2 className="text-[13px] text-muted-foreground">{t("内部备注")}</h2>
          <p className="break-words whitespace-pre-wrap">{user.data.admin_note}</p>
        </section>
      )}
      <Panels user={user.data} />
      {isPaying && <QuotaDialog user={user.data} onClose={() => setPaying(false)} />}
    </div>
  );
}
