import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { normalizeOption } from "@turnpike/contract/options/option-formats";
import { mayChangeOption, mayReadOption } from "@turnpike/contract/options/option-permissions";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import { checkValue, parseOptionKey } from "./option-change.ts";
import type { OptionWriter } from "./option-writer.ts";
import { isSecretOption, type OptionReader } from "./option-reader.ts";
import type { OptionStore, StoredOption } from "./option-store.ts";

export type OptionService = ReturnType<typeof createOptionService>;
const SECRET_KEYS = (Object.keys(OPTIONS) as OptionKey[]).filter(isSecretOption);
/** The most options of one change; the registry has some 200. */
const CHANGES_MAX = 300;

const invalid = (detail: string): AppError =>
  new AppError("invalid_input", "the change of options is not valid", { params: { detail } });

/** Parses and checks a value; throws option_unknown, option_invalid. */
function parseOption({ key: rawKey, value: rawValue }: StoredOption): { key: OptionKey; value: string } {
  const key = parseOptionKey(rawKey);
  const value = normalizeOption(OPTIONS[key], rawValue);
  checkValue(key, value);
  return { key, value };
}

/** The rules of the site's settings. */
export function createOptionService(deps: { store: OptionStore; reader: OptionReader; writer: OptionWriter }) {
  const { store, reader, writer } = deps;
  return {
    /**
     * Stores a checked value and returns the revision in which it takes effect; throws option_unknown, option_invalid,
     * option_needs, option_in_use, option_forbidden.
     */
    set: async (actor: Actor, key: string, value: string): Promise<number> =>
      writer.change(actor, [parseOption({ key, value })]),
    /** Stores several values as one change: one revision, one event, one audit row; throws as `set`, and then stores none. */
    async setAll(actor: Actor, options: readonly StoredOption[]): Promise<number> {
      if (options.length === 0 || options.length > CHANGES_MAX)
        throw invalid(`a change holds 1 to ${CHANGES_MAX} options`);
      const parsed = options.map(parseOption);
      const repeated = parsed.find(({ key }, index) => parsed.findIndex((other) => other.key === key) !== index);
      if (repeated) throw invalid(`${repeated.key} is repeated`);
      return writer.change(actor, parsed);
    },
    /** Resets ModelRatio to the built-in table. */
    resetModelRatio: (actor: Actor): Promise<number> => writer.change(actor, [{ key: "ModelRatio", value: undefined }]),
    /** Every option this role may see, except secrets. */
    async list(role: number): Promise<StoredOption[]> {
      const { options, inForce } = await reader.snapshot();
      const isRootOnly = inForce.flag("SecretOptionsRootOnly");
      return options.filter(({ key }) => mayReadOption(parseOptionKey(key), role, isRootOnly));
    },
    /** Which of the secret options this role may change are set. */
    async secretStates(role: number): Promise<Record<string, boolean>> {
      const isRootOnly = (await reader.inForce()).flag("SecretOptionsRootOnly");
      const set = new Set((await store.readAll()).flatMap(({ key, value }) => (value === "" ? [] : [key])));
      const mine = SECRET_KEYS.filter((key) => mayChangeOption(key, role, isRootOnly));
      return Object.fromEntries(mine.map((key) => [key, set.has(key)]));
    },
  };
}
