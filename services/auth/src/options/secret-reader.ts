import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { OptionStore } from "./option-store.ts";

export type SecretReader = ReturnType<typeof createSecretReader>;

/** Reads a secret option for this service's own third-party calls; "" when it is not set. */
export const createSecretReader =
  (deps: { store: OptionStore; secretBox: SecretBox }) =>
  async (key: OptionKey): Promise<string> => {
    const box = (await deps.store.read(key)) ?? "";
    return box === "" ? "" : deps.secretBox.open(box);
  };
