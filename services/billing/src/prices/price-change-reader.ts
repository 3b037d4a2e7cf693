import type { PriceChange } from "@turnpike/contract/options/price-differences";
import { isPriceKey } from "@turnpike/contract/options/price-options";
import type { PriceOptionChange } from "@turnpike/proto/billing/v1/price_book_service";
import { AppError } from "@turnpike/shared/errors/app-error";

const invalid = (key: string, path: string, detail: string): AppError =>
  new AppError("option_invalid", `the price at ${path} is not valid`, { params: { key, path, detail } });

function parseEntries(key: string, entries: Readonly<Record<string, string>>): Record<string, unknown> {
  const parse = ([name, text]: [string, string]): [string, unknown] => {
    try {
      return [name, JSON.parse(text)];
    } catch {
      throw invalid(key, `${key}[${JSON.stringify(name)}]`, "不是合法的 JSON 字符串");
    }
  };
  return Object.fromEntries(Object.entries(entries).map(parse));
}

/** Reads a change of a request. Throws option_unknown for what is no price option, option_invalid for an entry that is not JSON. */
export function readPriceChange({ key, value, reset, set, remove }: PriceOptionChange): PriceChange {
  if (!isPriceKey(key))
    throw new AppError("option_unknown", "not a price option", { params: { key: key.slice(0, 100) } });
  if (value !== undefined) return { key, value };
  return reset ? { key, reset } : { key, set: parseEntries(key, set), remove };
}
