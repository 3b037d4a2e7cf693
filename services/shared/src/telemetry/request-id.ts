import { randomFillSync } from "node:crypto";

const ALPHABET = Buffer.from("0123456789ABCDEFGHJKMNPQRSTVWXYZ", "latin1");
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
const pool = Buffer.alloc(RANDOM_LENGTH * 256);
const characters = Buffer.alloc(TIME_LENGTH + RANDOM_LENGTH);
let poolOffset = pool.length;
let writtenTime = -1;

/** Writes the time's ten characters; most ids share their millisecond with the previous one. */
function writeTime(milliseconds: number): void {
  writtenTime = milliseconds;
  let time = milliseconds;
  for (let index = TIME_LENGTH - 1; index >= 0; index--) {
    characters[index] = ALPHABET[time % 32] ?? 0;
    time = Math.floor(time / 32);
  }
}

/** A new id for a request: a ULID (time first, so ids sort by age), 26 characters. */
export function newRequestId(): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const now = Date.now();
  if (now !== writtenTime) writeTime(now);
  for (let index = 0; index < RANDOM_LENGTH; index++)
    characters[TIME_LENGTH + index] = ALPHABET[(pool[poolOffset++] ?? 0) & 31] ?? 0;
  return characters.toString("latin1");
}
