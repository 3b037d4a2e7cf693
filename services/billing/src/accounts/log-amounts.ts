import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";

/** Formats an amount for log texts: dollars where the site shows currency, else units. */
export function formatQuota(quota: number, options: OptionsInForce): string {
  if (!options.flag("DisplayInCurrencyEnabled")) return `${quota} 点额度`;
  return `＄${(quota / options.number("QuotaPerUnit")).toFixed(6)} 额度`;
}
