import { TopUpResult } from "@turnpike/contract/api/user";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { useFormatMoney } from "../../../components/money.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "../../../components/ui/card.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { useSmallForm } from "../../../hooks/use-small-form.ts";
import { selfQuery } from "../../../lib/session/account.ts";
import { api } from "../../../lib/api/api-client.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { queryClient } from "../../../lib/api/query-client.ts";
import { useSiteStatus } from "../../../lib/status.ts";
import { BusyButton } from "../../../components/busy-button.tsx";

const RedeemForm = z.object({ key: z.string().check(z.trim(), z.minLength(1, text("请输入兑换码！"))) });
type Redeeming = z.infer<typeof RedeemForm>;

const FIELDS_BY_CODE = {
  redemption_required: "key",
  redemption_not_found: "key",
  redemption_invalid: "key",
  redemption_used: "key",
  redemption_not_valid_now: "key",
  redemption_exhausted: "key",
  redemption_rate_limited: "key",
} as const;

/** Redeems a code and shows its value. */
export function RedeemCard() {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const status = useSiteStatus();
  const form = useSmallForm(RedeemForm, { key: "" });
  const error = form.getError("key");
  const [result, setResult] = useState<TopUpResult>();
  const amount = formatMoney(result?.quota ?? 0);
  const redeem = useMutation({
    mutationFn: ({ key }: Redeeming) => api.post("/api/user/topup", { body: { key }, schema: TopUpResult }),
    onSuccess: async ({ quota, is_gift }) => {
      setResult({ quota, is_gift });
      form.reset();
      await Promise.all(
        [selfQuery.queryKey, ["ledger"]].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      );
    },
    onMutate: () => setResult(undefined),
    onError: (failure) => form.fail(failure, FIELDS_BY_CODE),
  });
  return (
    <Card>
      <CardHeader>
        <CardTitle>
          <h2>{t("兑换码充值")}</h2>
        </CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        <form noValidate onSubmit={form.submit((values) => redeem.mutateAsync(values).catch(() => undefined))}>
          <FieldFrame label={t("兑换码")} error={error && t(error)}>
            {(control) => (
              <div className="flex gap-2">
                <Input {...control} autoComplete="off" className="font-mono" {...form.field("key")} />
                <BusyButton type="submit" busy={redeem.isPending}>
                  {t("兑换")}
                </BusyButton>
              </div>
            )}
          </FieldFrame>
        </form>
        {result && (
          <Notice tone="good">
            {result.is_gift
              ? t("礼品码兑换成功，到账 {{amount}}", { amount })
              : t("兑换成功，到账 {{amount}}", { amount })}
          </Notice>
        )}
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
      </CardContent>
    </Card>
  );
}
