import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { getKeyHashes } from "@turnpike/shared/crypto/token-key-hash";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { TokenDoc } from "../store/account-documents.ts";
import { toKeySearchText, parseTokenKey } from "./token-key.ts";

/** Finds tokens by their key or a part of it. Keys are encrypted, so a search for a part decrypts them all; a user has few enough. */
export function createTokenKeySearch(deps: {
  secretBox: SecretBox;
  hashKey: (key: string) => string;
  options: () => OptionsInForce;
}) {
  return function filterByKey(tokens: readonly TokenDoc[], text: string): TokenDoc[] {
    const whole = parseTokenKey(text.trim());
    if (whole !== undefined) {
      const { own, foreign } = getKeyHashes(deps.hashKey, whole);
      return tokens.filter(({ keyHash }) => keyHash === own || keyHash === foreign);
    }
    // Where keys are hidden, a substring search must not reveal them character by character.
    if (deps.options().flag("TokenKeysHidden")) return [];
    const part = toKeySearchText(text);
    return tokens.filter((token) => token.keyBox !== "" && deps.secretBox.open(token.keyBox).includes(part));
  };
}
