import { type OptionDefinition, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import type { ValueOf } from "./setting-panel.ts";

const isKnown = (key: string): key is OptionKey => Object.hasOwn(OPTIONS, key);

/**
 * The settings that a switch needs and that are empty. Of a secret it is enough that the server holds one, or may hold one as
 * nobody has said otherwise; the server looks again.
 */
export function findMissingSettings(
  key: OptionKey,
  valueOf: ValueOf,
  secrets: Readonly<Record<string, boolean>> | undefined,
): OptionKey[] {
  const { needs = [] }: OptionDefinition = OPTIONS[key];
  const holds = (needed: string): boolean => {
    if (!isKnown(needed)) return true;
    const { secret }: OptionDefinition = OPTIONS[needed];
    return valueOf(needed).trim() !== "" || (secret === true && secrets?.[needed] !== false);
  };
  return needs
    .map((need) => need.split("|"))
    .filter((alternatives) => !alternatives.some(holds))
    .flatMap(([first = ""]) => (isKnown(first) ? [first] : []));
}
