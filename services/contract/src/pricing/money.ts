/** Hundredths of a currency as text of two decimals. */
export function moneyText(cents: number): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
