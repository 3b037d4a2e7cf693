import type { PaymentInfo } from "@turnpike/contract/api/payment";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { NumberInput } from "../../../components/form/number-input.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "../../../components/ui/card.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { useDebounced } from "../../../hooks/use-debounced.ts";
import { useSmallForm } from "../../../hooks/use-small-form.ts";
import { describeError } from "../../../lib/api/api-error.ts";
import { cn } from "../../../lib/utils.ts";
import { formatCount } from "../../../lib/text/format.ts";
import { useMoneyDisplay, useSiteStatus } from "../../../lib/status.ts";
import { BusyButton } from "../../../components/busy-button.tsx";
import { RadioGroup, RadioGroupItem } from "../../../components/ui/radio-group.tsx";
import { methodLabel } from "../orders/order-labels.tsx";
import { formatPayMoney } from "../orders/pay-money.ts";
import { openCheckout, payableQuery, paymentInfoQuery, startPayment } from "./payment-api.ts";
import { integerAmount, presetAmounts, type TopUpValues, topUpForm } from "./top-up-amount.ts";

type Method = PaymentInfo["pay_methods"][number];

const QUOTE_DELAY_MS = 300;

const FIELDS_BY_CODE = {
  payment_amount_too_small: "amount",
  payment_amount_too_large: "amount",
  payment_money_too_small: "amount",
} as const;

type MethodsProps = {
  readonly methods: readonly Method[];
  readonly value: string;
  readonly onChoose: (type: string) => void;
};

function Methods({ methods, value, onChoose }: MethodsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t("支付方式")}</legend>
      <RadioGroup className="flex flex-wrap gap-2" aria-label={t("支付方式")} value={value} onValueChange={onChoose}>
        {methods.map(({ type }) => (
          <label
            key={type}
            className={cn(
              "flex h-9 cursor-pointer items-center gap-2 rounded-lg border px-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring",
              value === type && "border-primary bg-selected font-medium",
            )}
          >
            <RadioGroupItem value={type} />
            {t(methodLabel(type))}
          </label>
        ))}
      </RadioGroup>
    </fieldset>
  );
}

/** The price of an amount, as the server calculates it. */
function Payable({ amount, method }: { readonly amount: number; readonly method: Method }) {
  const { t, i18n } = useTranslation();
  const requested = useDebounced(amount, QUOTE_DELAY_MS);
  const isAskable = !Number.isNaN(requested) && requested >= method.min_topup;
  const payable = useQuery({ ...payableQuery(requested, method.type), enabled: isAskable });
  const shown = isAskable && payable.data !== undefined && requested === amount;
  return (
    <p className="flex min-h-6 items-center gap-2 text-[13px]" aria-live="polite">
      <span className="text-muted-foreground">{t("应付金额")}</span>
      {shown && (
        <span className="text-base font-semibold tabular-nums">
          {formatPayMoney(payable.data, method.currency, i18n.language)}
        </span>
      )}
      {!shown && isAskable && payable.isError && (
        <span className="text-destructive">{describeError(payable.error, t)}</span>
      )}
      {!shown && !(isAskable && payable.isError) && <span>—</span>}
    </p>
  );
}

function TopUpForm({ info }: { readonly info: PaymentInfo }) {
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoneyDisplay();
  const unit = info.display_in_currency ? 1 : quotaPerUnit;
  const findMethod = (type: string) => info.pay_methods.find((one) => one.type === type);
  const getLeast = (type: string): number => findMethod(type)?.min_topup ?? info.min_topup;
  const first = info.pay_methods[0]?.type ?? "";
  const form = useSmallForm(topUpForm(getLeast), {
    amount: presetAmounts(getLeast(first), unit)[0] ?? getLeast(first),
    method: first,
  });
  const { amount } = form.values;
  const method = findMethod(form.values.method) ?? info.pay_methods[0];
  const least = getLeast(form.values.method);
  const presets = presetAmounts(least, unit);
  const pay = useMutation({
    mutationFn: (values: TopUpValues) => startPayment(values.amount, values.method),
    onSuccess: openCheckout,
    onError: (error) => form.fail(error, FIELDS_BY_CODE),
  });
  if (!method) return null;
  const setAmount = (next: number): void => form.set("amount", next, { shouldTouch: true, shouldValidate: true });
  const show = (one: number): string => (info.display_in_currency ? `$${formatCount(one)}` : formatCount(one));
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.submit((values) => pay.mutateAsync(values).catch(() => undefined))}
    >
      <Controller
        control={form.control}
        name="amount"
        render={({ field, fieldState: { error } }) => (
          <FieldFrame
            label={info.display_in_currency ? t("充值数量（美元）") : t("充值数量（额度）")}
            help={t("最少 {{min}}", { min: show(least) })}
            error={error?.message && t(error.message, { min: show(least) })}
          >
            {(control) => (
              <NumberInput
                {...control}
                ref={field.ref}
                min={1}
                step={1}
                value={field.value}
                onValueChange={field.onChange}
                onBlur={() => setAmount(integerAmount(field.value))}
              />
            )}
          </FieldFrame>
        )}
      />
      <div className="flex flex-wrap gap-1.5" role="group" aria-label={t("常用数量")}>
        {presets.map((one) => (
          <Button variant="outline" key={one} size="sm" aria-pressed={one === amount} onClick={() => setAmount(one)}>
            {show(one)}
          </Button>
        ))}
      </div>
      <Methods methods={info.pay_methods} value={method.type} onChoose={(type) => form.set("method", type)} />
      <div className="flex flex-wrap items-center justify-between gap-2 border-t pt-3">
        <Payable amount={amount} method={method} />
        <BusyButton type="submit" busy={pay.isPending || pay.isSuccess}>
          {t("去支付")}
        </BusyButton>
      </div>
    </form>
  );
}

/** Online top-up, where the operator accepts payments. */
export function TopUpCard() {
  const { t } = useTranslation();
  const info = useQuery(paymentInfoQuery);
  const link = useSiteStatus()?.top_up_link ?? "";
  return (
    <Card>
      <CardHeader>
        <CardTitle>
          <h2>{t("在线充值")}</h2>
        </CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        {info.isPending && <Skeleton className="h-40 w-full" />}
        {info.isError && !info.data && <ErrorState error={info.error} onRetry={() => void info.refetch()} />}
        {info.data && info.data.pay_methods.length > 0 && <TopUpForm info={info.data} />}
        {info.data?.pay_methods.length === 0 && (
          <p className="text-muted-foreground">
            {t("暂未开通在线充值，请联系管理员。")}
            {link === "" ? ` ${t("超级管理员未设置充值链接！")}` : ""}
          </p>
        )}
      </CardContent>
    </Card>
  );
}
