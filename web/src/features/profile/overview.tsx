import type { UserProfile } from "@turnpike/contract/api/user";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../components/copy-text.ts";
import { Money } from "../../components/money.tsx";
import { ErrorState } from "../../components/states.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { selfQuery } from "../../lib/session/account.ts";
import { formatCount } from "../../lib/text/format.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { notifySuccess } from "../../lib/toast.ts";
import { userModelsQuery } from "../../domain/tokens/tokens-api.ts";
import { RoleBadge } from "../../domain/users/user-labels.tsx";
import { CheckInCard } from "./check-in-card.tsx";
import { InvitationCard } from "./invitation-card.tsx";
import { TitledCard } from "./titled-card.tsx";

const MODELS_SHOWN = 10;

function BalanceCard({ user }: { readonly user: UserProfile }) {
  const { t } = useTranslation();
  const facts = [
    { label: t("历史消耗"), value: <Money quota={user.used_quota} /> },
    { label: t("请求次数"), value: formatCount(user.request_count) },
    { label: t("分组"), value: user.group },
    { label: "ID", value: user.id },
  ];
  return (
    <TitledCard
      title={user.display_name || user.username}
      description={user.username}
      actions={<RoleBadge role={user.role} />}
    >
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <p className="text-[13px] text-muted-foreground">{t("当前余额")}</p>
          <p className={`text-3xl font-semibold ${user.quota < 0 ? "text-destructive" : ""}`}>
            <Money quota={user.quota} />
          </p>
        </div>
        <Button variant="outline" asChild>
          <Link to="/app/wallet">{t("前往钱包")}</Link>
        </Button>
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t pt-3">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-[13px] text-muted-foreground">{label}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </TitledCard>
  );
}

function ModelTags({ names }: { readonly names: readonly string[] }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const copy = async (name: string): Promise<void> => {
    if (await copyText(name)) notifySuccess(t("已复制"));
  };
  return (
    <div className="flex flex-wrap gap-1.5">
      {names.slice(0, open ? names.length : MODELS_SHOWN).map((name) => (
        <button
          key={name}
          type="button"
          className="max-w-full rounded-md"
          title={t("复制 {{name}}", { name })}
          aria-label={t("复制 {{name}}", { name })}
          onClick={() => void copy(name)}
        >
          <StatusBadge className="font-mono hover:text-foreground">{name}</StatusBadge>
        </button>
      ))}
      {names.length > MODELS_SHOWN && (
        <Button
          variant="link"
          size="inline"
          className="text-[13px]"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? t("收起") : t("展开全部 {{count}} 个", { count: names.length })}
        </Button>
      )}
    </div>
  );
}

function ModelsCard() {
  const { t } = useTranslation();
  const models = useQuery(userModelsQuery);
  return (
    <TitledCard title={t("可用模型")} description={t("点击复制模型名称。")}>
      {models.isError && !models.data && <ErrorState error={models.error} onRetry={() => void models.refetch()} />}
      {models.isPending && <Skeleton className="h-16 w-full" />}
      {models.data?.length === 0 && (
        <p className="text-[13px] text-muted-foreground">{t("您的分组还没有可用的模型。")}</p>
      )}
      {models.data && models.data.length > 0 && <ModelTags names={models.data} />}
    </TitledCard>
  );
}

/** The user's balance and groups, today's reward, and invitations. */
export function Overview() {
  const status = useSiteStatus();
  const self = useQuery({ ...selfQuery, refetchOnMount: "always" });
  if (self.isError && !self.data) return <ErrorState error={self.error} onRetry={() => void self.refetch()} />;
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        {self.data ? <BalanceCard user={self.data} /> : <Skeleton className="h-48 w-full" />}
        <ModelsCard />
      </div>
      <div className="flex min-w-0 flex-col gap-4 empty:hidden">
        {status?.check_in_enabled === true && <CheckInCard />}
        {status?.aff_enabled === true && self.data && <InvitationCard user={self.data} />}
      </div>
    </div>
  );
}
