import { isOptionKey, type OptionKey } from "@turnpike/contract/options/option-definitions";
import { AppError } from "@turnpike/shared/errors/app-error";

/** Reads an option's name; throws option_unknown. Who may use it is defined in the contract's option-permissions.ts. */
export function parseOptionKey(key: string): OptionKey {
  if (!isOptionKey(key)) throw new AppError("option_unknown", "unknown option", { params: { key: key.slice(0, 100) } });
  return key;
}
