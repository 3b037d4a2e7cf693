/** The hundredths of an amount with two decimals; undefined for other text. */
export const parseCents = (money: string): number | undefined =>
  /^\d{1,13}\.\d{2}$/.test(money) ? Number(money.replace(".", "")) : undefined;

/** A payment amount in the provider's currency: "¥73.05". */
export function formatPayMoney(money: string, currency: string, language: string): string {
  const amount = Number(money);
  if (!Number.isFinite(amount) || !/^[a-z]{3}$/i.test(currency)) return money;
  const locale = language === "en" ? "en-US" : "zh-CN";
  return new Intl.NumberFormat(locale, { style: "currency", currency: currency.toUpperCase() }).format(amount);
}
