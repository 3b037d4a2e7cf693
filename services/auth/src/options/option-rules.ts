import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { mayChangeOption } from "@turnpike/contract/options/option-permissions";
import { checkModelRoutes } from "@turnpike/contract/options/option-validation";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { ClientSession } from "mongoose";
import { getDependants, getRequirements } from "./option-change.ts";
import type { OptionStore } from "./option-store.ts";

/** The rules of a change that depend on what is stored, read in the transaction of the change. */
export function createOptionRules(store: Pick<OptionStore, "read">) {
  // A secret stays encrypted: only its presence matters here, and a value encrypted with a lost key must be
  // replaceable.
  const readStored = async (key: OptionKey, session: ClientSession): Promise<string> =>
    (await store.read(key, session)) ?? OPTIONS[key].default;
  const isEmpty = async (keys: readonly OptionKey[], session: ClientSession): Promise<boolean> => {
    for (const key of keys) if ((await readStored(key, session)).trim() !== "") return false;
    return true;
  };
  const checkNeeds = async (key: OptionKey, value: string, session: ClientSession): Promise<void> => {
    const missing: string[] = [];
    for (const group of getRequirements(key, value)) if (await isEmpty(group, session)) missing.push(group.join(" / "));
    if (missing.length === 0) return;
    const needs = missing.join(", ");
    throw new AppError("option_needs", `${key} needs ${needs}`, { params: { key, needs } });
  };
  /** An option that an enabled switch depends on cannot be cleared. */
  const checkNotInUse = async (key: OptionKey, value: string, session: ClientSession): Promise<void> => {
    if (value.trim() !== "") return;
    for (const { by, group } of getDependants(key)) {
      const others = group.filter((other) => other !== key);
      if ((await readStored(by, session)) === "true" && (await isEmpty(others, session)))
        throw new AppError("option_in_use", `${by} requires ${key}`, { params: { key, by } });
    }
  };
  /** Aliases and fallbacks may be fine alone and lead in a cycle together. */
  const checkRoutes = async (keys: readonly OptionKey[], session: ClientSession): Promise<void> => {
    const key = keys.findLast((changed) => changed === "ModelFallbacks" || changed === "ModelAliases");
    if (key === undefined) return;
    const aliases = await readStored("ModelAliases", session);
    const detail = checkModelRoutes({ aliases, fallbacks: await readStored("ModelFallbacks", session) });
    if (detail !== undefined)
      throw new AppError("option_invalid", "the option's value is not valid", { params: { key, detail } });
  };
  const checkAccess = async (key: OptionKey, actor: Actor, session: ClientSession): Promise<void> => {
    const isRootOnly = (await readStored("SecretOptionsRootOnly", session)) === "true";
    if (!mayChangeOption(key, actor.role, isRootOnly))
      throw new AppError("option_forbidden", `only root may change ${key}`);
  };
  return { readStored, checkAccess, checkNeeds, checkNotInUse, checkRoutes };
}
