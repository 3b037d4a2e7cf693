import { type OptionDefinition, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import type { ValueOf } from "./setting-panel.ts";

const isKnown = (key: string): key is OptionKey => Object.hasOwn(OPTIONS, key);

/**
 * The settings that a switch requires and that are empty. A secret counts as set when the server holds one or has not
 * reported; the server checks again.
 */
export function findMissingSettings(
  key: OptionKey,
  getValue: ValueOf,
  secrets: Readonly<Record<string, boolean>> | undefined,
): OptionKey[] {
  const { needs = [] }: OptionDefinition = OPTIONS[key];
  const holds = (needed: string): boolean => {
    if (!isKnown(needed)) return true;
    const { secret }: OptionDefinition = OPTIONS[needed];
    return getValue(needed).trim() !== "" || (secret === true && secrets?.[needed] !== false);
  };
  return needs
    .map((need) => need.split("|"))
    .filter((alternatives) => !alternatives.some(holds))
    .flatMap(([first = ""]) => (isKnown(first) ? [first] : []));
}
