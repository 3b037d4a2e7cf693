import { divideRounded, SCALE, toScaled } from "@turnpike/contract/pricing/decimal";

/** Digits after the point of an amount here: LiteLLM's doubles have at most seventeen significant ones. */
const DIGITS = 30;
const UNIT = 10n ** BigInt(DIGITS);

/** An amount in 10⁻³⁰ dollars. */
export type Dollars = bigint;

const DECIMAL = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** An amount as PostgreSQL or JSON writes it, such as 1.25e-05, without floating point; undefined for NULL and what is none. */
export function readDollars(text: string | null | undefined): Dollars | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text?.trim() ?? "") ?? [];
  if (whole + fraction === "") return undefined;
  const shift = DIGITS + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === "-" ? -value : value;
}

/** Quota units of an amount, to the nearest unit, halves away from zero. */
export function toUnits(dollars: Dollars, quotaPerUnit: number): number {
  const size = dollars < 0n ? -dollars : dollars;
  const units = Number(divideRounded(size * toScaled(quotaPerUnit), UNIT * SCALE));
  return dollars < 0n ? -units : units;
}

/** Quota units that an amount buys: never more than it is worth. */
export function toUnitsBelow(dollars: Dollars, quotaPerUnit: number): number {
  const numerator = dollars * toScaled(quotaPerUnit);
  const units = numerator / (UNIT * SCALE);
  return Number(numerator < 0n && units * UNIT * SCALE !== numerator ? units - 1n : units);
}

/** Decimal text of an amount, without trailing zeros. */
export function formatAmount(dollars: Dollars): string {
  const size = dollars < 0n ? -dollars : dollars;
  const fraction = (size % UNIT).toString().padStart(DIGITS, "0").replace(/0+$/, "");
  return `${dollars < 0n ? "-" : ""}${size / UNIT}${fraction === "" ? "" : `.${fraction}`}`;
}
