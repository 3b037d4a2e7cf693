import type { PriceRule, Rates } from "@turnpike/contract/pricing/rules/price-rule";
import { AppError } from "../errors/app-error.ts";

export type Json = Readonly<Record<string, unknown>>;

/**
 * The price of a model in a catalogue. `isWhole`: the source states every part of it, except for the `unstated` ones; else other parts
 * may exist that the source has no place for.
 */
export type StatedPrice = {
  readonly model: string;
  readonly rule: PriceRule;
  readonly isWhole: boolean;
  readonly unstated?: readonly (keyof PriceRule)[];
};

export const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const unreadable = (path: string, detail: string): AppError =>
  new AppError("catalogue_unreadable", `the catalogue is not readable at ${path}`, { params: { path, detail } });

/** A price that a catalogue states; undefined for none. Throws catalogue_unreadable for anything but a number from 0. */
export function readAmount(entry: Json, field: string, path: string): number | undefined {
  const value = entry[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw unreadable(`${path}.${field}`, "必须是不小于 0 的数字");
}

export const withoutUndefined = (rates: Readonly<Record<string, number | undefined>>): Rates =>
  Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== undefined));
