import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import { type OptionDefinition, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { AppError } from "@turnpike/shared/errors/app-error";
import { isSecretOption } from "./option-reader.ts";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Refuses a value that may not be stored; throws option_invalid. */
export function checkValue(key: OptionKey, value: string): void {
  const detail = checkOptionValue(key, value);
  if (detail !== undefined)
    throw new AppError("option_invalid", "the option's value is not valid", { params: { key, detail } });
}

const getNeeds = (key: OptionKey): OptionKey[][] =>
  ((OPTIONS[key] as OptionDefinition).needs ?? []).map((either) => either.split("|") as OptionKey[]);

/** What must hold something before this value is stored: of each group at least one. */
export const getRequirements = (key: OptionKey, value: string): OptionKey[][] =>
  value === "true" ? getNeeds(key) : [];

const KEYS = Object.keys(OPTIONS) as OptionKey[];

/** The switches that stand on an option, with the whole group it is part of. */
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

/**
 * What an audit row says of a change: of tables only the entries that differ, of secrets only whether there is one.
 */
export function toAuditTexts(key: OptionKey, before: string, after: string): { before: string; after: string } {
  if (isSecretOption(key)) {
    const say = (value: string): string => JSON.stringify({ [key]: value === "" ? "" : "***" });
    return { before: say(before), after: say(after) };
  }
  if (OPTIONS[key].type === "json") {
    const [old, now]: unknown[] = [parseJson(before), parseJson(after)];
    if (isRecord(old) && isRecord(now))
      return {
        before: JSON.stringify({ [key]: onlyWhatDiffers(old, now) }),
        after: JSON.stringify({ [key]: onlyWhatDiffers(now, old) }),
      };
  }
  return { before: JSON.stringify({ [key]: before }), after: JSON.stringify({ [key]: after }) };
}
