import { randomFillSync } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_LENGTH = 16;
const pool = Buffer.alloc(RANDOM_LENGTH * 256);
let poolOffset = pool.length;

/** A new id for a request: a ULID (time first, so ids sort by age), 26 characters. */
export function newRequestId(): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  let text = "";
  let time = Date.now();
  for (let index = 0; index < 10; index++) {
    text = ALPHABET.charAt(time % 32) + text;
    time = Math.floor(time / 32);
  }
  for (let index = 0; index < RANDOM_LENGTH; index++) text += ALPHABET.charAt((pool[poolOffset++] ?? 0) & 31);
  return text;
}
