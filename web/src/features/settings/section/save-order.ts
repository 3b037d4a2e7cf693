import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";

/** A setting that waits to be stored. */
export type Change = { readonly key: OptionKey; readonly value: string };

const rank = ({ key, value }: Change): number => {
  if (OPTIONS[key].type !== "boolean") return 1;
  return value === "true" ? 2 : 0;
};

/** Switches go off before what they need is taken away, and on after what they need is there. */
export const inSaveOrder = (changes: readonly Change[]): Change[] =>
  changes.toSorted((first, second) => rank(first) - rank(second));
