import { TOKEN_KEY_PREFIX } from "@turnpike/contract/limits";

/** The key as clients use it. */
export const fullKey = (key: string): string => (key.startsWith(TOKEN_KEY_PREFIX) ? key : `${TOKEN_KEY_PREFIX}${key}`);

/** The key with its middle hidden. */
export const maskedKey = (key: string): string => `${TOKEN_KEY_PREFIX}${key.slice(0, 4)}••••${key.slice(-4)}`;

const SUFFIX_LENGTH = 6;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

function randomSuffix(): string {
  const random = crypto.getRandomValues(new Uint32Array(SUFFIX_LENGTH));
  return Array.from(random, (value) => LETTERS[value % LETTERS.length]).join("");
}

/** Names for several tokens made at once: the first as typed, the others with a random suffix. */
export const toBatchNames = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => (index === 0 ? name : `${name}-${randomSuffix()}`));
