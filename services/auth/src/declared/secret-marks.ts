import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { isSecretOption } from "../options/option-reader.ts";
import type { OptionStore } from "../options/option-store.ts";

const SECRET_KEYS = (Object.keys(OPTIONS) as OptionKey[]).filter(isSecretOption);
const MARK_CHARS = 32;

export type SecretMarks = ReturnType<typeof createSecretMarks>;

/**
 * Marks of the secret options: a keyed digest of each value. They show whether a value was replaced, and nothing of it:
 * without the server's key, a guessed value cannot be tested against a mark. The key outlives rotations of the master key.
 */
export function createSecretMarks(deps: {
  readonly store: Pick<OptionStore, "readAll">;
  readonly secretBox: SecretBox;
  readonly lookupHash: (text: string) => string;
}) {
  const { store, secretBox, lookupHash } = deps;
  return {
    /** The mark of every secret option; "" for one that is not set. */
    async list(): Promise<Record<string, string>> {
      const stored = new Map((await store.readAll()).map(({ key, value }) => [key, value]));
      const toMark = (key: OptionKey): string => {
        const box = stored.get(key) ?? "";
        const value = box === "" ? "" : secretBox.open(box);
        return value === "" ? "" : lookupHash(`secret option\0${key}\0${value}`).slice(0, MARK_CHARS);
      };
      return Object.fromEntries(SECRET_KEYS.map((key) => [key, toMark(key)]));
    },
  };
}
