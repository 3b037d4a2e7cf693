import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import {
  type OptionDefinition,
  isOptionKey,
  type OptionKey,
  OPTIONS,
} from "@turnpike/contract/options/option-definitions";
import { AppError } from "@turnpike/shared/errors/app-error";
import { isSecretOption } from "./option-reader.ts";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses an option's name; throws option_unknown. Who may use it is defined in the contract's option-permissions.ts. */
export function parseOptionKey(key: string): OptionKey {
  if (!isOptionKey(key)) throw new AppError("option_unknown", "unknown option", { params: { key: key.slice(0, 100) } });
  return key;
}

/** Rejects a value that may not be stored; throws option_invalid. */
export function checkValue(key: OptionKey, value: string): void {
  const detail = checkOptionValue(key, value);
  if (detail !== undefined)
    throw new AppError("option_invalid", "the option's value is not valid", { params: { key, detail } });
}

const getNeeds = (key: OptionKey): OptionKey[][] =>
  ((OPTIONS[key] as OptionDefinition).needs ?? []).map((either) => either.split("|") as OptionKey[]);

/** The options that must be set before this value is stored: at least one of each group. */
export const getRequirements = (key: OptionKey, value: string): OptionKey[][] =>
  value === "true" ? getNeeds(key) : [];

const KEYS = Object.keys(OPTIONS) as OptionKey[];

/** The switches that depend on an option, with the whole group the option is part of. */
export const getDependants = (key: OptionKey): { by: OptionKey; group: OptionKey[] }[] =>
  KEYS.flatMap((by) => getNeeds(by).flatMap((group) => (group.includes(key) ? [{ by, group }] : [])));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function onlyWhatDiffers(own: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const differs = ([name, entry]: [string, unknown]): boolean => JSON.stringify(entry) !== JSON.stringify(other[name]);
  return Object.fromEntries(Object.entries(own).filter(differs));
}

/** An option's stored text before and after a change. */
export type OptionChange = { readonly key: OptionKey; readonly before: string; readonly after: string };

type Sides = { readonly before: unknown; readonly after: unknown };

/** What the audit shows of one change: of tables the entries that differ, of secrets only whether there is one. */
function toAuditSides({ key, before, after }: OptionChange): Sides {
  if (isSecretOption(key)) {
    const mask = (value: string): string => (value === "" ? "" : "***");
    return { before: mask(before), after: mask(after) };
  }
  if (OPTIONS[key].type !== "json") return { before, after };
  const [old, now]: unknown[] = [parseJson(before), parseJson(after)];
  if (!isRecord(old) || !isRecord(now)) return { before, after };
  return { before: onlyWhatDiffers(old, now), after: onlyWhatDiffers(now, old) };
}

/** The two texts of the audit row of a change: a JSON object each, by option key. */
export function toAuditTexts(changes: readonly OptionChange[]): { before: string; after: string } {
  const sides = changes.map((change) => [change.key, toAuditSides(change)] as const);
  const toText = (side: keyof Sides): string =>
    JSON.stringify(Object.fromEntries(sides.map(([key, both]) => [key, both[side]])));
  return { before: toText("before"), after: toText("after") };
}
