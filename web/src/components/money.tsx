import { formatCount, formatQuota, formatQuotaSum } from "../lib/text/format.ts";
import { useMoneyDisplay } from "../lib/status.ts";
import { cn } from "../lib/utils.ts";
import { Hint } from "./hint.tsx";

type MoneyProps = { readonly quota: number; readonly className?: string };

/** Quota units in the site's display unit, with the raw count on hover. */
export function Money({ quota, className }: MoneyProps) {
  const display = useMoneyDisplay();
  return (
    <Hint text={display.inCurrency ? formatCount(quota) : undefined}>
      <span className={cn("tabular-nums", className)}>{formatQuota(quota, display)}</span>
    </Hint>
  );
}

/** A sum, rounded to cents from a dollar on, with the exact amount and the raw count on hover. */
export function MoneySum({ quota, className }: MoneyProps) {
  const display = useMoneyDisplay();
  const exact = `${formatQuota(quota, display)}\n${formatCount(quota)}`;
  return (
    <Hint text={display.inCurrency ? exact : undefined}>
      <span className={cn("tabular-nums", className)}>{formatQuotaSum(quota, display)}</span>
    </Hint>
  );
}

/** The same as text, for sentences. */
export function useFormatMoney(): (quota: number) => string {
  const display = useMoneyDisplay();
  return (quota) => formatQuota(quota, display);
}

/** The same for sums, rounded to cents from a dollar on. */
export function useFormatMoneySum(): (quota: number) => string {
  const display = useMoneyDisplay();
  return (quota) => formatQuotaSum(quota, display);
}
