import { formatCount, formatQuota } from "../lib/format.ts";
import { useMoneyDisplay } from "../lib/status.ts";
import { cn } from "../lib/utils.ts";
import { Hint } from "./hint.tsx";

type MoneyProps = { readonly quota: number; readonly className?: string };

/** Quota units as the site shows money, with the raw count on hover. */
export function Money({ quota, className }: MoneyProps) {
  const display = useMoneyDisplay();
  return (
    <Hint text={display.inCurrency ? formatCount(quota) : undefined}>
      <span className={cn("tabular-nums", className)}>{formatQuota(quota, display)}</span>
    </Hint>
  );
}

/** The same as text, for sentences. */
export function useFormatMoney(): (quota: number) => string {
  const display = useMoneyDisplay();
  return (quota) => formatQuota(quota, display);
}
