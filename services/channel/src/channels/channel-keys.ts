import { dropInvisible } from "@turnpike/contract/texts/typed-text";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { ChannelDoc, ChannelKey, ReportKey } from "./channel-model.ts";

/** Its key is one JSON document, which contains commas and new lines. */
const JSON_KEY_TYPE = 41;
const KEYS_MAX = 1_000;
const KEY_LENGTH_MAX = 8_192;
const HINT_LENGTH = 4;
/** Replaces a key in external texts. */
const MASK = "***";
const MASKED_KEY_LENGTH_MIN = 6;

/**
 * Parses the keys an admin entered: separated by commas or new lines, without duplicates, blanks and invisible characters. Throws when they
 * are too many or too long.
 */
export function splitKeys(type: number, typed: string): string[] {
  // No key contains the commas of Chinese keyboards; a semicolon may be part of one.
  const parts = type === JSON_KEY_TYPE ? [typed.trim()] : typed.split(/[,，、\r\n]/).map(dropInvisible);
  const keys = [...new Set(parts.filter((part) => part !== ""))];
  const tooLong = (max: number): AppError =>
    new AppError("text_too_long", "too many or too long keys", { params: { field: "key", max: String(max) } });
  if (keys.length > KEYS_MAX) throw tooLong(KEYS_MAX * KEY_LENGTH_MAX);
  if (keys.some((key) => key.length > KEY_LENGTH_MAX)) throw tooLong(KEY_LENGTH_MAX);
  return keys;
}

/** The last characters of a key, never more than half of it. */
export const maskKey = (key: string): string => {
  const length = Math.min(HINT_LENGTH, Math.floor(key.length / 2));
  return length === 0 ? "" : key.slice(-length);
};

/** The enabled keys, in the order of the routing snapshot. */
export const keysInUse = (keys: readonly ChannelKey[]): ChannelKey[] =>
  keys.filter((key) => key.disabledAtSeconds === 0);

/** The same keys, all enabled again. */
export const reenableKey = (keys: readonly ChannelKey[]): ChannelKey[] =>
  keys.map((key) => ({ ...key, disabledReason: "", disabledAtSeconds: 0 }));

export type KeyRing = ReturnType<typeof createKeyRing>;

/** Encrypts, decrypts and finds keys. */
export function createKeyRing(deps: { secretBox: SecretBox; lookupHash: (secret: string) => string }) {
  const { secretBox, lookupHash } = deps;
  const open = (keys: readonly ChannelKey[]): string[] => keys.map(({ box }) => secretBox.open(box));
  return {
    hash: lookupHash,
    seal: (keys: readonly string[]): ChannelKey[] =>
      keys.map((key) => ({
        box: secretBox.seal(key),
        lookupHash: lookupHash(key),
        hint: maskKey(key),
        disabledReason: "",
        disabledAtSeconds: 0,
      })),
    open,
    sealReportKey: (key: string): ReportKey => ({
      box: secretBox.seal(key),
      lookupHash: lookupHash(key),
      hint: maskKey(key),
    }),
    openReportKey: ({ box }: ReportKey): string => secretBox.open(box),
    /** The text with the channel's keys redacted: upstreams may quote them. */
    mask(text: string, { keys }: Pick<ChannelDoc, "keys">): string {
      return open(keys)
        .filter((key) => key.length >= MASKED_KEY_LENGTH_MIN)
        .reduce((masked, key) => masked.replaceAll(key, MASK), text);
    },
  };
}
