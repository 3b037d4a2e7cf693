import type { UserProfile } from "@turnpike/contract/api/user";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { Money } from "../../components/money.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { formatCount } from "../../lib/text/format.ts";
import { useApiAddress } from "../../lib/status.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { affCodeQuery, refreshSelf, transferEarnings } from "./profile-api.ts";
import { TitledCard } from "./titled-card.tsx";

const TransferDialog = lazy(async () => ({ default: (await import("./transfer-dialog.tsx")).TransferDialog }));

function InvitationLink() {
  const { t } = useTranslation();
  const address = useApiAddress();
  const code = useQuery(affCodeQuery);
  if (code.isError) return <ErrorState error={code.error} onRetry={() => void code.refetch()} />;
  if (code.data === undefined) return <Skeleton className="h-9 w-full" />;
  const link = `${address}/register?aff=${encodeURIComponent(code.data)}`;
  return (
    <p className="flex items-center gap-1 rounded-lg bg-surface py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 font-mono text-xs break-all">{link}</code>
      <CopyButton value={link} label={t("复制邀请链接")} />
    </p>
  );
}

/** The users whom the user invited, and the earnings. */
export function InvitationCard({ user }: { readonly user: UserProfile }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const transfer = useMutation({
    mutationFn: transferEarnings,
    onSuccess: () => {
      setOpen(false);
      notifySuccess(t("已划转到余额"));
    },
    onError: notifyError,
    onSettled: refreshSelf,
  });
  const facts = [
    { label: t("待使用收益"), value: <Money quota={user.aff_quota} /> },
    { label: t("总收益"), value: <Money quota={user.aff_history_quota} /> },
    { label: t("邀请人数"), value: formatCount(user.aff_count) },
  ];
  return (
    <TitledCard
      title={t("邀请")}
      description={t("把链接发给朋友，对方注册后您会得到奖励。")}
      actions={
        <Button variant="outline" disabled={user.aff_quota < 1} onClick={() => setOpen(true)}>
          {t("划转到余额")}
        </Button>
      }
    >
      <InvitationLink />
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-[13px] text-muted-foreground">{label}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <Suspense>
        {open && (
          <TransferDialog
            earnings={user.aff_quota}
            isBusy={transfer.isPending}
            onTransfer={(quota) => transfer.mutateAsync(quota).catch(() => undefined)}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </TitledCard>
  );
}
