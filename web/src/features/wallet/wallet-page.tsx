import type { TopUpResult } from "@turnpike/contract/api/user";
import { LOG_TYPE } from "@turnpike/contract/limits";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { Money, useFormatMoney } from "../../components/money.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { type Problems, useSmallForm } from "../../hooks/use-small-form.ts";
import { selfQuery } from "../../lib/account.ts";
import { api } from "../../lib/api-client.ts";
import { isFlag, isNumber, isObjectOf } from "../../lib/check.ts";
import { formatCount } from "../../lib/format.ts";
import { text } from "../../lib/i18n-source.ts";
import { queryClient } from "../../lib/query-client.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";

function Balance() {
  const { t } = useTranslation();
  // Calls spend while this page is elsewhere: what is kept is shown, then read anew.
  const self = useQuery({ ...selfQuery, refetchOnMount: "always" });
  if (self.isError && !self.data) return <ErrorState error={self.error} onRetry={() => void self.refetch()} />;
  const user = self.data;
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="text-[13px] text-muted-foreground">{t("当前余额")}</h2>
        {user ? (
          <p className={`text-3xl font-semibold ${user.quota < 0 ? "text-bad" : ""}`}>
            <Money quota={user.quota} />
          </p>
        ) : (
          <Skeleton className="mt-1 h-9 w-40" />
        )}
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t pt-3">
        <div>
          <dt className="text-[13px] text-muted-foreground">{t("历史消耗")}</dt>
          <dd>{user ? <Money quota={user.used_quota} /> : <Skeleton className="h-5 w-20" />}</dd>
        </div>
        <div>
          <dt className="text-[13px] text-muted-foreground">{t("请求次数")}</dt>
          <dd className="tabular-nums">{user ? formatCount(user.request_count) : <Skeleton className="h-5 w-20" />}</dd>
        </div>
        <div>
          <dt className="text-[13px] text-muted-foreground">{t("分组")}</dt>
          <dd>{user ? user.group : <Skeleton className="h-5 w-20" />}</dd>
        </div>
      </dl>
    </Card>
  );
}

const EMPTY = { key: "" };
type Redeeming = typeof EMPTY;

const isTopUpResult = isObjectOf<TopUpResult>({ quota: isNumber, is_gift: isFlag });

const wrongIn = ({ key }: Redeeming): Problems<Redeeming> => ({
  key: key.trim() === "" ? text("请输入兑换码！") : undefined,
});

function RedeemBox() {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const status = useSiteStatus();
  const form = useSmallForm(wrongIn, EMPTY);
  const error = form.errorOf("key");
  const redeem = useMutation({
    mutationFn: ({ key }: Redeeming) => api.post("/api/user/topup", { body: { key: key.trim() }, fits: isTopUpResult }),
    onSuccess: async ({ quota, is_gift }) => {
      const amount = formatMoney(quota);
      notifySuccess(
        is_gift ? t("礼品码兑换成功，到账 {{amount}}", { amount }) : t("兑换成功，到账 {{amount}}", { amount }),
      );
      form.reset();
      await queryClient.invalidateQueries({ queryKey: selfQuery.queryKey });
    },
    onError: notifyError,
  });
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-semibold">{t("兑换码充值")}</h2>
      <form noValidate onSubmit={form.submit((values) => redeem.mutateAsync(values).catch(() => undefined))}>
        <FieldFrame label={t("兑换码")} error={error && t(error)}>
          {(control) => (
            <div className="flex gap-2">
              <Input {...control} autoComplete="off" className="font-mono" {...form.field("key")} />
              <Button type="submit" variant="primary" busy={redeem.isPending}>
                {t("兑换")}
              </Button>
            </div>
          )}
        </FieldFrame>
      </form>
      {status?.top_up_link ? (
        <p className="text-[13px]">
          <a
            href={status.top_up_link}
            target="_blank"
            rel="noreferrer"
            className="text-accent-text underline-offset-4 hover:underline"
          >
            {t("获取兑换码")}
          </a>
        </p>
      ) : null}
    </Card>
  );
}

/** What the user has and how to add to it. */
export function WalletPage() {
  const { t } = useTranslation();
  return (
    <div className="mx-auto flex max-w-[1440px] flex-col gap-4">
      <PageHeader
        title={t("钱包")}
        description={t("余额用来支付所有令牌的调用。")}
        actions={
          <Button asChild>
            <Link to="/app/logs/api-usage" search={{ type: LOG_TYPE.topUp, range: "30d" }}>
              {t("充值记录")}
            </Link>
          </Button>
        }
      />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Balance />
        <RedeemBox />
      </div>
    </div>
  );
}
