import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import {
  isOptionKey,
  type OptionDefinition,
  type OptionKey,
  OPTIONS,
} from "@turnpike/contract/options/option-definitions";
import { type OptionsInForce, optionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Logger } from "@turnpike/shared/log/log";
import type { OptionStore, StoredOption } from "./option-store.ts";

/** All effective options except the secret ones. */
export type OptionsSnapshot = {
  readonly revision: number;
  readonly options: readonly StoredOption[];
  readonly inForce: OptionsInForce;
};
export type OptionReader = ReturnType<typeof createOptionReader>;

/** Whether an option is write-only. */
export const isSecretOption = (key: OptionKey): boolean => (OPTIONS[key] as OptionDefinition).secret === true;

const OPEN_KEYS = (Object.keys(OPTIONS) as OptionKey[]).filter((key) => !isSecretOption(key));

/**
 * Reads options through to the database: one small revision query per call, the rows only after a change. Every replica
 * therefore sees a change at once, even if a notification is lost.
 */
export function createOptionReader(deps: { store: OptionStore; log: Logger }) {
  const { store, log } = deps;
  let known: OptionsSnapshot | undefined;

  const isUsable = ({ key, value }: StoredOption): boolean => {
    if (!isOptionKey(key) || isSecretOption(key)) return false;
    const problem = checkOptionValue(key, value);
    // An invalid value stored by an older version must not break every reader of the snapshot.
    if (problem !== undefined) log.warn({ option: key, problem }, "stored option invalid, using its default");
    return problem === undefined;
  };
  const load = async (revision: number): Promise<OptionsSnapshot> => {
    const stored = (await store.readAll()).filter(isUsable);
    const inForce = optionsInForce(stored);
    return { revision, options: OPEN_KEYS.map((key) => ({ key, value: inForce.text(key) })), inForce };
  };
  const snapshot = async (): Promise<OptionsSnapshot> => {
    // The revision is read before the rows: rows newer than it only cause one extra load.
    const revision = await store.revision();
    const held = known;
    if (held?.revision === revision) return held;
    const loaded = await load(revision);
    if (!known || known.revision < revision) known = loaded;
    return loaded;
  };
  return {
    snapshot,
    /** Typed reads of the effective options. */
    inForce: async (): Promise<OptionsInForce> => (await snapshot()).inForce,
  };
}
