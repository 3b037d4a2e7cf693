import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";
import {
  type Amount,
  MONEY_CENTS_MAX,
  toMoneyCents,
  ORDER_QUOTA_MAX,
  toQuotaAmount,
  getTopUpRatio,
} from "./order-amounts.ts";
import type { PaymentProvider, Tariff } from "./payment-provider.ts";

/** The price and quota of an amount. */
export type Quote = { readonly moneyCents: number; readonly currency: string; readonly quota: number };

/** A provider's minimum amount, in the site's unit. */
export function getAmountMin(tariff: Tariff, options: OptionsInForce): number {
  const { dollarsMin } = tariff;
  if (options.flag("DisplayInCurrencyEnabled")) return dollarsMin;
  return Math.ceil(dollarsMin * options.number("QuotaPerUnit"));
}

/** Computes the price of an amount for a user's group; throws when the amount is invalid. */
export function toQuote(
  purchase: { amount: number; userGroup: string },
  tariff: Tariff,
  options: OptionsInForce,
): Quote {
  const { amount, userGroup } = purchase;
  const min = Math.max(1, getAmountMin(tariff, options));
  if (!Number.isSafeInteger(amount) || amount < min)
    throw new AppError("payment_amount_too_small", `amount ${amount}`, { params: { min: String(min) } });
  const isCurrency = options.flag("DisplayInCurrencyEnabled");
  const bought: Amount = { amount, isCurrency, quotaPerUnit: options.number("QuotaPerUnit") };
  const ratio = getTopUpRatio(options.json<Record<string, number>>("TopupGroupRatio"), userGroup);
  const moneyCents = toMoneyCents(bought, tariff.unitPrice, ratio);
  const quota = toQuotaAmount(bought);
  if (moneyCents > MONEY_CENTS_MAX || quota > ORDER_QUOTA_MAX)
    throw new AppError("payment_amount_too_large", `amount ${amount}`);
  if (moneyCents < 1 || quota < 1) throw new AppError("payment_money_too_small", `amount ${amount}`);
  return { moneyCents, currency: tariff.currency, quota };
}

type Chosen = { readonly provider: PaymentProvider; readonly tariff: Tariff; readonly method: string };

const notConfigured = (what: string): AppError => new AppError("payment_not_configured", `${what} is not configured`);

async function firstConfigured(providers: readonly PaymentProvider[]): Promise<Chosen> {
  for (const provider of providers) {
    const tariff = await provider.tariff();
    const [method] = provider.methods;
    if (tariff && method !== undefined) return { provider, tariff, method };
  }
  throw notConfigured("no payment provider");
}

/**
 * The provider of a method and its terms; an empty method selects the first configured one. Throws when there is none.
 */
export async function findProvider(providers: readonly PaymentProvider[], method: string): Promise<Chosen> {
  if (method === "") return firstConfigured(providers);
  const provider = providers.find(({ methods }) => methods.includes(method));
  if (!provider)
    throw new AppError("payment_method_unknown", "unknown method", { params: { method: method.slice(0, 20) } });
  const tariff = await provider.tariff();
  if (!tariff) throw notConfigured(provider.name);
  return { provider, tariff, method };
}
