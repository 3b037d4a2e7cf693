import { createHash } from "node:crypto";
import type { PriceValues } from "@turnpike/contract/options/price-changes";
import { PRICE_KEYS, type PriceKey } from "@turnpike/contract/options/price-options";
import { dropFormerDefaults, withoutFormerDefaults } from "./former-defaults.ts";
import type { PriceBookDoc } from "../store/price-book-document.ts";

/** The price options that an earlier version stored in auth. `isExact` is false if they may include defaults of another version. */
export type FormerPrices = { readonly values: PriceValues; readonly isExact: boolean };

type NewBook = Omit<PriceBookDoc, "_id">;

const NO_BOOK: NewBook = { revision: 0, values: {}, formerDigests: {}, locks: 0 };

const toDigest = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : createHash("sha256").update(value).digest("hex");

/** The same values without those that are undefined, which MongoDB would store as null. */
export const withoutUndefined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;

/**
 * The book after it takes former prices over, and the keys that change: all of them if there is no book, else those that changed in
 * auth since (only the named ones, if any are named). Undefined if none did.
 */
export function planTakeover(
  book: PriceBookDoc | undefined,
  { values: former, isExact }: FormerPrices,
  named?: readonly PriceKey[],
): { readonly book: NewBook; readonly keys: readonly PriceKey[] } | undefined {
  const candidates = book ? (named ?? PRICE_KEYS.filter((key) => isExact && former[key] !== undefined)) : PRICE_KEYS;
  const base: NewBook = book ?? NO_BOOK;
  const fresh = candidates.filter((key) => toDigest(former[key]) !== base.formerDigests[key]);
  if (book && fresh.length === 0) return undefined;
  const digests = Object.fromEntries(fresh.map((key) => [key, toDigest(former[key])]));
  // Former defaults of a book that exists are dropped with a history; those that arrive later are not stored at all.
  const source = book ? withoutFormerDefaults(former) : former;
  const taken = Object.fromEntries(fresh.map((key) => [key, source[key]]));
  const next = {
    ...base,
    revision: base.revision + 1,
    values: withoutUndefined({ ...base.values, ...taken }),
    formerDigests: withoutUndefined({ ...base.formerDigests, ...digests }),
  };
  return { book: book ? next : dropFormerDefaults(next).book, keys: book ? fresh : PRICE_KEYS };
}
