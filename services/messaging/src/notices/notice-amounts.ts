import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";

/** A quota as this site shows it: in dollars, or as a plain number. */
export function formatQuota(quota: number, options: OptionsInForce): string {
  if (!options.flag("DisplayInCurrencyEnabled")) return String(quota);
  const dollars = quota / options.number("QuotaPerUnit");
  return `${dollars < 0 ? "-" : ""}$${Math.abs(dollars)
    .toFixed(6)
    .replace(/0{1,4}$/, "")}`;
}

/** Where users top up: the operator's link, else the wallet; "" when the site's address is unknown. */
export function topUpLink(options: OptionsInForce): string {
  const own = options.text("TopUpLink").trim();
  if (own !== "") return own;
  const site = options.text("ServerAddress").trim().replace(/\/+$/, "");
  return site === "" ? "" : `${site}/app/wallet`;
}
